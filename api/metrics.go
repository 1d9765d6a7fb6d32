package api

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	runtime "runtime/metrics"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// bounds are the upper limits of the latency buckets, in seconds: fine around
// the time of a recall (a millisecond), coarse where something is wrong.
var bounds = []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30}

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
	buckets []int // requests within each bound and above the one before; write adds them up
	count   int
	seconds float64
}

func newMetrics() *metrics { return &metrics{started: time.Now(), byRoute: map[endpoint]*series{}} }

func (m *metrics) observe(r route, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := endpoint{r.method, r.path}
	s := m.byRoute[key]
	if s == nil {
		s = &series{codes: map[int]int{}, buckets: make([]int, len(bounds))}
		m.byRoute[key] = s
	}
	s.codes[status]++
	s.count++
	s.seconds += took.Seconds()
	if i, _ := slices.BinarySearch(bounds, took.Seconds()); i < len(bounds) {
		s.buckets[i]++
	}
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
	for _, g := range goMetrics {
		sample := []runtime.Sample{{Name: g.source}}
		runtime.Read(sample)
		writeGauge(w, g.name, g.help, "", float64(sample[0].Value.Uint64()))
	}
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
	writeHelp(w, latency, "Duration of requests by route, in seconds.", "histogram")
	for _, r := range routes {
		m.byRoute[r].write(w, latency, r.labels())
	}
}

func (s *series) write(w io.Writer, name, labels string) {
	cumulative := 0
	for i, bound := range bounds {
		cumulative += s.buckets[i]
		fmt.Fprintf(w, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, formatFloat(bound), cumulative)
	}
	fmt.Fprintf(w, "%s_bucket{%s,le=\"+Inf\"} %d\n", name, labels, s.count)
	fmt.Fprintf(w, "%s_sum{%s} %s\n%s_count{%s} %d\n", name, labels, formatFloat(s.seconds), name, labels, s.count)
}

func (a endpoint) labels() string {
	if a.path == "" {
		return `method="",route="none"`
	}
	return fmt.Sprintf("method=%q,route=%q", a.method, a.path)
}

// goMetrics lists metrics of the Go runtime under the names that dashboards use.
var goMetrics = []struct{ name, help, source string }{
	{"go_goroutines", "Number of goroutines.", "/sched/goroutines:goroutines"},
	{"go_memstats_heap_alloc_bytes", "Bytes of allocated heap objects.", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_sys_bytes", "Bytes that the Go runtime obtained from the system.", "/memory/classes/total:bytes"},
}

func writeGauge(w io.Writer, name, help, labels string, value float64) {
	writeHelp(w, name, help, "gauge")
	fmt.Fprintf(w, "%s%s %s\n", name, labels, formatFloat(value))
}

func writeHelp(w io.Writer, name, help, kind string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
