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

// bounds are the upper ends of the latency buckets, in seconds: fine where
// recall is (a millisecond), coarse where something is wrong.
var bounds = []float64{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30}

// metrics counts what the server does. It never holds anything that was asked.
type metrics struct {
	begun    time.Time
	inFlight atomic.Int64

	mu      sync.Mutex
	byRoute map[endpoint]*series
}

// endpoint is a route as it is counted; a request for what does not exist has none.
type endpoint struct{ method, path string }

type series struct {
	codes   map[int]int
	buckets []int // requests no slower than the bound, cumulated only when written
	count   int
	seconds float64
}

func newMetrics() *metrics { return &metrics{begun: time.Now(), byRoute: map[endpoint]*series{}} }

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

// writeMetrics answers in Prometheus' text format.
func (s *server) writeMetrics(w *response) error {
	var b bytes.Buffer
	s.metrics.write(&b, s.Version)
	return w.whole("text/plain; version=0.0.4; charset=utf-8", b.Bytes())
}

func (m *metrics) write(w io.Writer, version string) {
	gauge(w, "memory_build_info", "The version that is running.", fmt.Sprintf("{version=%q}", version), 1)
	gauge(w, "memory_uptime_seconds", "How long the server has been up.", "", time.Since(m.begun).Seconds())
	gauge(w, "memory_http_requests_in_flight", "Requests being answered, this one among them.", "", float64(m.inFlight.Load()))
	for _, g := range goMetrics {
		sample := []runtime.Sample{{Name: g.source}}
		runtime.Read(sample)
		gauge(w, g.name, g.help, "", float64(sample[0].Value.Uint64()))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	routes := slices.SortedFunc(maps.Keys(m.byRoute), func(a, b endpoint) int {
		return slices.Compare([]string{a.path, a.method}, []string{b.path, b.method})
	})
	head(w, "memory_http_requests_total", "Requests by route and status; 499: the client left.", "counter")
	for _, r := range routes {
		for _, code := range slices.Sorted(maps.Keys(m.byRoute[r].codes)) {
			fmt.Fprintf(w, "memory_http_requests_total{%s,code=\"%d\"} %d\n", r.labels(), code, m.byRoute[r].codes[code])
		}
	}
	const latency = "memory_http_request_duration_seconds"
	head(w, latency, "How long requests took, by route.", "histogram")
	for _, r := range routes {
		m.byRoute[r].write(w, latency, r.labels())
	}
}

func (s *series) write(w io.Writer, name, labels string) {
	within := 0
	for i, bound := range bounds {
		within += s.buckets[i]
		fmt.Fprintf(w, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, number(bound), within)
	}
	fmt.Fprintf(w, "%s_bucket{%s,le=\"+Inf\"} %d\n", name, labels, s.count)
	fmt.Fprintf(w, "%s_sum{%s} %s\n%s_count{%s} %d\n", name, labels, number(s.seconds), name, labels, s.count)
}

func (a endpoint) labels() string {
	if a.path == "" {
		return `method="",route="none"`
	}
	return fmt.Sprintf("method=%q,route=%q", a.method, a.path)
}

// goMetrics are those of the runtime, under the names that dashboards know.
var goMetrics = []struct{ name, help, source string }{
	{"go_goroutines", "Goroutines that exist.", "/sched/goroutines:goroutines"},
	{"go_memstats_heap_alloc_bytes", "Bytes of objects on the heap.", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_sys_bytes", "Bytes that the Go runtime has from the system.", "/memory/classes/total:bytes"},
}

func gauge(w io.Writer, name, help, labels string, value float64) {
	head(w, name, help, "gauge")
	fmt.Fprintf(w, "%s%s %s\n", name, labels, number(value))
}

func head(w io.Writer, name, help, kind string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
