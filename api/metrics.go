package api

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// metrics counts what the server does. It never stores the content of a request.
type metrics struct {
	started  time.Time
	inFlight atomic.Int64

	mu      sync.Mutex
	byRoute map[endpoint]*series
}

// endpoint is the key of a route in the metrics. It is empty for a request that
// matches no route.
type endpoint struct{ method, path string }

type series struct {
	codes   map[int]int
	count   int
	seconds float64
}

func newMetrics() *metrics { return &metrics{started: time.Now(), byRoute: map[endpoint]*series{}} }

func (m *metrics) observe(r *route, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := endpoint{r.method, r.path}
	s := m.byRoute[key]
	if s == nil {
		s = &series{codes: map[int]int{}}
		m.byRoute[key] = s
	}
	s.codes[status]++
	s.count++
	s.seconds += took.Seconds()
}

// writeMetrics answers in the text format of Prometheus.
func (s *server) writeMetrics(w *response) error {
	var b bytes.Buffer
	s.metrics.write(&b, s.Version)
	return w.send("text/plain; version=0.0.4; charset=utf-8", b.Bytes())
}

func (m *metrics) write(w io.Writer, version string) {
	writeGauge(w, "memory_build_info", "The running version.", fmt.Sprintf("{version=%q}", version), 1)
	writeGauge(w, "memory_uptime_seconds", "How long the server has run, in seconds.", "", time.Since(m.started).Seconds())
	writeGauge(w, "memory_http_requests_in_flight", "Requests in flight, including this one.", "", float64(m.inFlight.Load()))
	m.mu.Lock()
	defer m.mu.Unlock()
	routes := slices.SortedFunc(maps.Keys(m.byRoute), func(a, b endpoint) int {
		return slices.Compare([]string{a.path, a.method}, []string{b.path, b.method})
	})
	writeHelp(w, "memory_http_requests_total", "Requests by route and status. 499: the client left.", "counter")
	for _, r := range routes {
		for _, code := range slices.Sorted(maps.Keys(m.byRoute[r].codes)) {
			fmt.Fprintf(w, "memory_http_requests_total{%s,code=\"%d\"} %d\n", r.labels(), code, m.byRoute[r].codes[code])
		}
	}
	const latency = "memory_http_request_duration_seconds"
	writeHelp(w, latency, "Duration of requests by route, in seconds.", "summary")
	for _, r := range routes {
		s, labels := m.byRoute[r], r.labels()
		fmt.Fprintf(w, "%s_sum{%s} %s\n%s_count{%s} %d\n", latency, labels, formatFloat(s.seconds), latency, labels, s.count)
	}
}

func (a endpoint) labels() string {
	if a.path == "" {
		return `method="",route="none"`
	}
	return fmt.Sprintf("method=%q,route=%q", a.method, a.path)
}

func writeGauge(w io.Writer, name, help, labels string, value float64) {
	writeHelp(w, name, help, "gauge")
	fmt.Fprintf(w, "%s%s %s\n", name, labels, formatFloat(value))
}

func writeHelp(w io.Writer, name, help, kind string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
