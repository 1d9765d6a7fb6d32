package api_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

func TestSixtyFourAtOnce(t *testing.T) {
	const n = 64
	var together sync.WaitGroup
	together.Add(n)
	w := serve(t, &fake{work: func(context.Context, string, any) error {
		together.Done()
		together.Wait() // goes on only when all are here
		return nil
	}}, api.Options{})
	var asking sync.WaitGroup
	for i := range n {
		asking.Go(func() {
			if _, err := w.client.Recall(t.Context(), memory.RecallRequest{Prompt: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
}

// As many clients as may be answered at once are never told to come again: a
// place is free when its answer has been read.
func TestAtTheLimit(t *testing.T) {
	w := serve(t, &fake{}, api.Options{Concurrency: 2})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			for range 300 {
				if _, err := w.client.Stats(t.Context(), ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	asking.Wait()
}

func TestBeyondTheLimit(t *testing.T) {
	release, busy := make(chan struct{}), make(chan struct{}, 2)
	w := serve(t, &fake{work: func(_ context.Context, use string, _ any) error {
		if use == "Recall" {
			busy <- struct{}{}
			<-release
		}
		return nil
	}}, api.Options{Concurrency: 2})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			if _, err := w.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"}); err != nil {
				t.Error(err)
			}
		})
		<-busy
	}
	got := w.ask("POST", "/v1/recall", `{"prompt":"b"}`)
	if f := got.failure(t); got.status != 503 || f.Code != "unavailable" || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %v %+v", got.status, got.header, f)
	}
	if _, err := w.client.Stats(t.Context(), ""); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("client: %v", err)
	}
	for _, path := range []string{"/v1/health", "/metrics", "/v1/openapi.yaml"} {
		if got := w.ask("GET", path, ""); got.status != 200 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := w.ask("POST", "/v1/recall", `{}`); got.status != 400 {
		t.Errorf("a wrong request: %d", got.status)
	}
	close(release)
	asking.Wait()
	if _, err := w.client.Stats(t.Context(), ""); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestClientLeaves(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	backend := &fake{work: func(ctx context.Context, use string, _ any) error {
		if use == "Recall" {
			close(begun)
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}
		return nil
	}}
	w := serve(t, backend, api.Options{})
	ctx, leave := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := w.client.Recall(ctx, memory.RecallRequest{Prompt: "a"})
		failed <- err
	}()
	<-begun
	leave()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("client: %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("backend: %v", err)
	}
	eventually(t, "counted as left", func() bool {
		return strings.Contains(w.ask("GET", "/metrics", "").body, `memory_http_requests_total{method="POST",route="/v1/recall",code="499"} 1`)
	})
}

func TestClientIsOutOfTime(t *testing.T) {
	w := serve(t, &fake{work: func(ctx context.Context, use string, _ any) error { <-ctx.Done(); return ctx.Err() }}, api.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := w.client.Stats(ctx, ""); !errors.Is(err, memory.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestUseCaseIsOutOfTime(t *testing.T) {
	w := serve(t, &fake{work: func(ctx context.Context, _ string, _ any) error {
		<-ctx.Done()
		return fmt.Errorf("count: %w", ctx.Err())
	}}, api.Options{Timeouts: api.Timeouts{Answer: 20 * time.Millisecond}})
	got := w.ask("GET", "/v1/stats", "")
	if f := got.failure(t); got.status != 503 || f.Code != "unavailable" || !strings.Contains(f.Message, "too long") {
		t.Errorf("%d %+v", got.status, f)
	}
}

func TestPanicsAndBugs(t *testing.T) {
	w := serve(t, &fake{answers: map[string]any{"Stats": memory.Stats{}}, work: func(_ context.Context, use string, _ any) error {
		switch use {
		case "Recall":
			panic("a bug in recall")
		case "Search":
			return errors.New("a bug in search")
		}
		return nil
	}}, api.Options{})
	for _, r := range [][]string{{"/v1/recall", `{"prompt":"a"}`, "a bug in recall"}, {"/v1/search", `{"query":"a"}`, "a bug in search"}} {
		got := w.ask("POST", r[0], r[1])
		f := got.failure(t)
		if got.status != 500 || f.Code != "internal" {
			t.Errorf("%s: %d %+v", r[0], got.status, f)
		}
		_, id, found := strings.Cut(f.Hint, "under request ")
		if log := w.log.String(); !found || !strings.Contains(log, id) || !strings.Contains(log, r[2]) {
			t.Errorf("%s: hint %q, log %s", r[0], f.Hint, log)
		}
	}
	if _, err := w.client.Stats(t.Context(), ""); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A number that JSON cannot hold is a bug, told as one.
func TestAnswerThatCannotBeWritten(t *testing.T) {
	w := serve(t, &fake{answers: map[string]any{"Search": memory.SearchAnswer{TookMS: nan()}}}, api.Options{})
	got := w.ask("POST", "/v1/search", `{"query":"a"}`)
	if f := got.failure(t); got.status != 500 || f.Code != "internal" {
		t.Errorf("%d %+v", got.status, f)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	w := serve(t, &fake{answers: map[string]any{"Recall": memory.RecallAnswer{Receipt: "r"}},
		work: func(ctx context.Context, _ string, _ any) error {
			close(begun)
			<-release
			return ctx.Err()
		}}, api.Options{})
	answered := make(chan error, 1)
	go func() {
		got, err := w.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"})
		if err == nil && got.Receipt != "r" {
			err = fmt.Errorf("answer %+v", got)
		}
		answered <- err
	}()
	<-begun
	w.stop()
	eventually(t, "the socket is gone", func() bool { _, err := os.Stat(w.socket); return os.IsNotExist(err) })
	late := api.Dial(w.socket)
	if _, err := late.Health(t.Context()); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a late request: %v", err)
	}
	close(release)
	if err := <-answered; err != nil {
		t.Errorf("in flight: %v", err)
	}
}

func TestStopCutsOffWhatDoesNotEnd(t *testing.T) {
	begun := make(chan struct{})
	var ended atomic.Bool
	w := serve(t, &fake{work: func(ctx context.Context, _ string, _ any) error {
		close(begun)
		<-ctx.Done()
		ended.Store(true)
		return ctx.Err()
	}}, api.Options{Timeouts: api.Timeouts{Drain: 50 * time.Millisecond}})
	failed := make(chan error, 1)
	go func() {
		_, err := w.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"})
		failed <- err
	}()
	<-begun
	w.stop()
	if err := <-failed; !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("client: %v", err)
	}
	if err := <-w.stopped; err != nil || !ended.Load() {
		t.Errorf("Serve returned %v while the backend was in use: %v", err, !ended.Load())
	}
	w.stopped <- nil
}

func TestStopWithIdleConnections(t *testing.T) {
	w := serve(t, &fake{}, api.Options{})
	if _, err := w.client.Health(t.Context()); err != nil { // the client keeps its connection
		t.Fatal(err)
	}
	w.stop()
	if err := <-w.stopped; err != nil {
		t.Error(err)
	}
	w.stopped <- nil
}

func TestServeTellsWhenItsListenerFails(t *testing.T) {
	l, err := api.Listen(socketPath(t))
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := api.Serve(t.Context(), l, &fake{}, api.Options{}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestClientOfSomethingElse(t *testing.T) {
	tests := []struct {
		name   string
		handle http.HandlerFunc
		want   error
	}{
		{"another server", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "teapot", http.StatusTeapot) }, memory.ErrInvalid},
		{"a broken one", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oh", http.StatusBadGateway) }, nil},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) }, nil},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, memory.ErrUnavailable},
		{"cut short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"query":"a"`)
		}, memory.ErrUnavailable},
		{"hung up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, memory.ErrUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := recorder(t, tt.handle).Search(t.Context(), memory.SearchRequest{Query: "a"})
			if err == nil || (tt.want != nil && !errors.Is(err, tt.want)) {
				t.Errorf("%v", err)
			}
		})
	}
}
