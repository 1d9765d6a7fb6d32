package api_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

func TestOnlyRecordedAnswersAreDelivered(t *testing.T) {
	answers := map[string]any{"Recall": memory.RecallAnswer{Receipt: "r"}, "Search": memory.SearchAnswer{Receipt: "s"}}
	tests := []struct {
		name, path, body string
		want             []string
	}{
		{"recall", "/v1/recall", `{"prompt":"a"}`, []string{":r"}},
		{"recall in a workspace", "/v1/recall", `{"prompt":"a","workspace":"w","record":true}`, []string{"w:r"}},
		{"recall without record", "/v1/recall", `{"prompt":"a","record":false}`, nil},
		{"a person's search", "/v1/search", `{"query":"a"}`, nil},
		{"a tool's search", "/v1/search", `{"query":"a","record":true,"workspace":"w"}`, []string{"w:s"}},
		{"request without a receipt", "/v1/index", `{}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			backend := &fakeBackend{answers: answers}
			s := serve(t, backend, api.Options{})
			if got := s.ask("POST", tt.path, tt.body); got.status != 200 {
				t.Fatalf("%d %s", got.status, got.body)
			}
			if got := backend.deliveredReceipts(); !slices.Equal(got, tt.want) {
				t.Errorf("delivered %v, want %v", got, tt.want)
			}
		})
	}
}

// A client that has read an answer finds its uses counted.
func TestUsesAreCountedWhenTheAnswerIsRead(t *testing.T) {
	backend := &fakeBackend{answers: map[string]any{"Recall": memory.RecallAnswer{Receipt: "r"}}}
	s := serve(t, backend, api.Options{})
	for n := 1; n <= 200; n++ {
		must.Get(s.client.Recall(t.Context(), memory.RecallRequest{Prompt: "a"}))(t)
		if got := len(backend.deliveredReceipts()); got != n {
			t.Fatalf("after %d answers, %d are counted", n, got)
		}
	}
}

func TestAnswerToDepartedClientIsNotDelivered(t *testing.T) {
	for _, size := range []int{10, 8 << 20} { // smaller and larger than the kernel's buffer
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			begun, left := make(chan struct{}), make(chan struct{})
			backend := &fakeBackend{answers: map[string]any{"Recall": memory.RecallAnswer{Receipt: "r", Context: strings.Repeat("x", size)}},
				hook: func(_ context.Context, use string, _ any) error {
					if use == "Recall" {
						close(begun)
						<-left // without looking at its context
					}
					return nil
				}}
			s := serve(t, backend, api.Options{})
			conn := s.dial()
			const body = `{"prompt":"a"}`
			fmt.Fprintf(conn, "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			<-begun
			_ = conn.Close()
			close(left)
			eventually(t, "the metrics count a client that left", func() bool {
				return strings.Contains(s.ask("GET", "/metrics", "").body, `route="/v1/recall",code="499"} 1`)
			})
			if got := backend.deliveredReceipts(); len(got) > 0 {
				t.Errorf("delivered %v", got)
			}
		})
	}
}

// A client that stops reading in the middle of a long answer has not received it.
func TestPartlyReadAnswerIsNotDelivered(t *testing.T) {
	tryLimits(t, func(limit time.Duration) error {
		backend := &fakeBackend{answers: map[string]any{"Recall": memory.RecallAnswer{Receipt: "r", Context: strings.Repeat("x", 2<<20)}}}
		s := serve(t, backend, api.Options{Timeouts: api.Timeouts{Write: limit}})
		conn := s.dial()
		fmt.Fprint(conn, "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{\"prompt\":\"a\"}")
		if _, err := conn.Read(make([]byte, 1000)); err != nil {
			return err
		}
		eventually(t, "the metrics count a client that left", func() bool {
			got, err := s.tryAsk("GET", "/metrics", "")
			return err == nil && strings.Contains(got.body, `route="/v1/recall",code="499"} 1`)
		})
		if got := backend.deliveredReceipts(); len(got) > 0 {
			t.Errorf("delivered %v", got)
		}
		return nil
	})
}

func TestIndexSendsProgressEvents(t *testing.T) {
	backend := &fakeBackend{answers: map[string]any{"Index": memory.IndexAnswer{Files: 3}},
		index: func(_ context.Context, progress func(memory.Progress)) error {
			if progress == nil {
				return nil
			}
			for _, stage := range []string{"read", "index"} {
				for n := range 1001 {
					progress(memory.Progress{Stage: stage, Done: n, Total: 1000})
				}
			}
			return nil
		}}
	s := serve(t, backend, api.Options{})

	var got []memory.Progress
	answer, err := s.client.Index(t.Context(), memory.IndexRequest{Force: true}, func(p memory.Progress) { got = append(got, p) })
	if err != nil || answer.Files != 3 {
		t.Errorf("%+v %v", answer, err)
	}
	if r := backend.lastCall()[0].(memory.IndexRequest); !r.Force {
		t.Errorf("the backend got %+v", r)
	}
	if len(got) > 1000 {
		t.Errorf("%d progress events within a moment", len(got))
	}
	for _, want := range []memory.Progress{{Stage: "read", Total: 1000}, {Stage: "read", Done: 1000, Total: 1000},
		{Stage: "index", Total: 1000}, {Stage: "index", Done: 1000, Total: 1000}} {
		if !slices.Contains(got, want) {
			t.Errorf("progress %+v was not sent", want)
		}
	}

	plain := s.ask("POST", "/v1/index", "{}")
	if plain.header.Get("Content-Type") != "application/json" || !strings.Contains(plain.body, `"files":3`) {
		t.Errorf("without events: %v %s", plain.header, plain.body)
	}
	events := s.ask("POST", "/v1/index", "{}", "Accept", "text/html, text/event-stream;q=0.9")
	if events.header.Get("Content-Type") != "text/event-stream" || !strings.HasPrefix(events.body, "event: progress\ndata: {\"stage\":\"read\"") ||
		!strings.Contains(events.body, "\n\nevent: result\ndata: {") || !strings.HasSuffix(events.body, "}\n\n") {
		t.Errorf("events: %v %s", events.header, events.body)
	}
}

func TestDecideSendsProgressEvents(t *testing.T) {
	backend := &fakeBackend{answers: map[string]any{"Decide": memory.DecideAnswer{Action: memory.ActionDestroy, Batch: "b1"}},
		hook: func(_ context.Context, _ string, request any) error {
			if r := request.(memory.DecideRequest); r.Progress != nil {
				r.Progress(memory.Progress{Stage: "sweep", Done: 1, Total: 3})
			}
			return nil
		}}
	s := serve(t, backend, api.Options{})
	var got []memory.Progress
	r := memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{"3f8a"}, Confirm: true,
		Progress: func(p memory.Progress) { got = append(got, p) }}
	answer, err := s.client.Decide(t.Context(), r)
	if err != nil || answer.Batch != "b1" || !slices.Equal(got, []memory.Progress{{Stage: "sweep", Done: 1, Total: 3}}) {
		t.Errorf("%+v %v %+v", answer, err, got)
	}
	if asked := backend.lastCall()[0].(memory.DecideRequest); !asked.Confirm || !slices.Equal(asked.IDs, r.IDs) {
		t.Errorf("the backend got %+v", asked)
	}
}

func TestErrorAfterProgressReachesTheClient(t *testing.T) {
	backend := &fakeBackend{index: func(_ context.Context, progress func(memory.Progress)) error {
		progress(memory.Progress{Stage: "read", Done: 1, Total: 2})
		return memory.Conflict("the folder is gone")
	}}
	s := serve(t, backend, api.Options{})
	events := 0
	_, err := s.client.Index(t.Context(), memory.IndexRequest{}, func(memory.Progress) { events++ })
	if f := api.Describe(err); events != 1 || f.Code != "conflict" || f.Message != "the folder is gone" {
		t.Errorf("%d events, %+v", events, f)
	}

	// An error before any progress has its own status.
	backend.index = func(context.Context, func(memory.Progress)) error { return memory.NotFound("x") }
	if got := s.ask("POST", "/v1/index", "{}", "Accept", "text/event-stream"); got.status != 404 {
		t.Errorf("%d %s", got.status, got.body)
	}
	// A panic after the first event cuts the stream off, and the client gets an error.
	backend.index = func(_ context.Context, progress func(memory.Progress)) error {
		progress(memory.Progress{Stage: "read", Total: 2})
		panic("a bug in index")
	}
	_, err = s.client.Index(t.Context(), memory.IndexRequest{}, func(memory.Progress) {})
	if f := api.Describe(err); f.Code != "unavailable" || !strings.Contains(s.log.String(), "a bug in index") {
		t.Errorf("%+v", f)
	}
}

func TestIndexStopsWhenItsClientLeaves(t *testing.T) {
	stopped := make(chan struct{})
	s := serve(t, &fakeBackend{index: func(ctx context.Context, progress func(memory.Progress)) error {
		progress(memory.Progress{Stage: "read", Total: 2})
		<-ctx.Done()
		close(stopped)
		return ctx.Err()
	}}, api.Options{})
	ctx, leave := context.WithCancel(t.Context())
	_, err := s.client.Index(ctx, memory.IndexRequest{}, func(memory.Progress) { leave() })
	if err == nil {
		t.Error("no error")
	}
	<-stopped
}

func TestMetricsCountRequestsWithoutTheirContent(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{Version: "1.4.0"})
	for range 3 {
		must.Get(s.client.Stats(t.Context(), memory.StatsRequest{}))(t)
	}
	s.ask("GET", "/nowhere/secret", "")
	s.ask("POST", "/v1/search", `{"query":"secret","limit":"x"}`)
	var got answer
	for _, want := range []string{
		`memory_build_info{version="1.4.0"} 1`,
		`memory_http_requests_total{method="GET",route="/v1/stats",code="200"} 3`,
		`memory_http_requests_total{method="",route="none",code="404"} 1`,
		`memory_http_requests_total{method="POST",route="/v1/search",code="400"} 1`,
		`memory_http_request_duration_seconds_count{method="GET",route="/v1/stats"} 3`,
		"memory_http_requests_in_flight 1", "memory_uptime_seconds ",
		"# TYPE memory_http_request_duration_seconds summary",
	} {
		eventually(t, want, func() bool { // the server counts a request just after it sends the answer
			got = s.ask(http.MethodGet, "/metrics", "")
			return strings.Contains(got.body, want)
		})
	}
	if strings.Contains(got.body, "secret") {
		t.Error("the metrics hold the content of a request")
	}
	for line := range strings.Lines(got.body) {
		if !strings.HasPrefix(line, "#") && len(strings.Fields(line)) != 2 {
			t.Errorf("not a sample: %q", line)
		}
	}
}

func TestOpenAPIDocumentIsServed(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{})
	if got := s.ask("GET", "/v1/openapi.yaml", ""); got.status != 200 || got.body != string(api.OpenAPI()) {
		t.Errorf("%d, %d bytes", got.status, len(got.body))
	}
}
