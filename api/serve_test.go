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

func TestSixtyFourRequestsRunAtOnce(t *testing.T) {
	const n = 64
	var together sync.WaitGroup
	together.Add(n)
	s := serve(t, &fakeBackend{hook: func(context.Context, string, any) error {
		together.Done()
		together.Wait() // until all requests are here
		return nil
	}}, api.Options{})
	var asking sync.WaitGroup
	for i := range n {
		asking.Go(func() {
			if _, err := s.client.Recall(t.Context(), memory.RecallRequest{Prompt: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
}

// Clients up to the limit are never refused: a place is free as soon as its
// client has read the answer.
func TestClientsAtTheLimitAreNeverRefused(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{Concurrency: 2})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			for range 300 {
				if _, err := s.client.Stats(t.Context(), memory.StatsRequest{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	asking.Wait()
}

func TestRequestsBeyondTheLimitAreRefused(t *testing.T) {
	release, busy := make(chan struct{}), make(chan struct{}, 2)
	s := serve(t, &fakeBackend{hook: func(_ context.Context, use string, _ any) error {
		if use == "Recall" {
			busy <- struct{}{}
			<-release
		}
		return nil
	}}, api.Options{Concurrency: 2})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			if _, err := s.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"}); err != nil {
				t.Error(err)
			}
		})
		<-busy
	}
	got := s.ask("POST", "/v1/recall", `{"prompt":"b"}`)
	if f := got.failure(t); got.status != 503 || f.Code != "unavailable" || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %v %+v", got.status, got.header, f)
	}
	if _, err := s.client.Stats(t.Context(), memory.StatsRequest{}); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("client: %v", err)
	}
	for _, path := range []string{"/v1/health", "/metrics", "/v1/openapi.yaml"} {
		if got := s.ask("GET", path, ""); got.status != 200 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := s.ask("POST", "/v1/recall", `{}`); got.status != 400 {
		t.Errorf("an invalid request: %d", got.status)
	}
	close(release)
	asking.Wait()
	if _, err := s.client.Stats(t.Context(), memory.StatsRequest{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestClientThatLeavesCancelsItsRequest(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	backend := &fakeBackend{hook: func(ctx context.Context, use string, _ any) error {
		if use == "Recall" {
			close(begun)
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}
		return nil
	}}
	s := serve(t, backend, api.Options{})
	ctx, leave := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := s.client.Recall(ctx, memory.RecallRequest{Prompt: "a"})
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
	eventually(t, "the metrics count a client that left", func() bool {
		return strings.Contains(s.ask("GET", "/metrics", "").body, `memory_http_requests_total{method="POST",route="/v1/recall",code="499"} 1`)
	})
}

func TestClientDeadlineIsUnavailable(t *testing.T) {
	s := serve(t, &fakeBackend{hook: func(ctx context.Context, use string, _ any) error { <-ctx.Done(); return ctx.Err() }}, api.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.client.Stats(ctx, memory.StatsRequest{}); !errors.Is(err, memory.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestSlowUseCaseIsCancelled(t *testing.T) {
	s := serve(t, &fakeBackend{hook: func(ctx context.Context, _ string, _ any) error {
		<-ctx.Done()
		return fmt.Errorf("count: %w", ctx.Err())
	}}, api.Options{Timeouts: api.Timeouts{Answer: 20 * time.Millisecond}})
	got := s.ask("GET", "/v1/stats", "")
	if f := got.failure(t); got.status != 503 || f.Code != "unavailable" || !strings.Contains(f.Message, "too long") {
		t.Errorf("%d %+v", got.status, f)
	}
}

func TestPanicsAndBugsAreLoggedWithARequestID(t *testing.T) {
	s := serve(t, &fakeBackend{answers: map[string]any{"Stats": memory.Stats{}}, hook: func(_ context.Context, use string, _ any) error {
		switch use {
		case "Recall":
			panic("a bug in recall")
		case "Search":
			return errors.New("a bug in search")
		}
		return nil
	}}, api.Options{})
	for _, r := range [][]string{{"/v1/recall", `{"prompt":"a"}`, "a bug in recall"}, {"/v1/search", `{"query":"a"}`, "a bug in search"}} {
		got := s.ask("POST", r[0], r[1])
		f := got.failure(t)
		if got.status != 500 || f.Code != "internal" {
			t.Errorf("%s: %d %+v", r[0], got.status, f)
		}
		_, id, found := strings.Cut(f.Hint, "(request ")
		id = strings.TrimSuffix(id, ")")
		if log := s.log.String(); !found || !strings.Contains(log, id) || !strings.Contains(log, r[2]) {
			t.Errorf("%s: hint %q, log %s", r[0], f.Hint, log)
		}
	}
	if _, err := s.client.Stats(t.Context(), memory.StatsRequest{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestAnswerThatJSONCannotHoldIsInternal(t *testing.T) {
	s := serve(t, &fakeBackend{answers: map[string]any{"Search": memory.SearchAnswer{TookMS: nan()}}}, api.Options{})
	got := s.ask("POST", "/v1/search", `{"query":"a"}`)
	if f := got.failure(t); got.status != 500 || f.Code != "internal" {
		t.Errorf("%d %+v", got.status, f)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func TestStopFinishesRequestsInFlight(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	s := serve(t, &fakeBackend{answers: map[string]any{"Recall": memory.RecallAnswer{Receipt: "r"}},
		hook: func(ctx context.Context, _ string, _ any) error {
			close(begun)
			<-release
			return ctx.Err()
		}}, api.Options{Timeouts: api.Timeouts{Drain: waitLimit}})
	answered := make(chan error, 1)
	go func() {
		got, err := s.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"})
		if err == nil && got.Receipt != "r" {
			err = fmt.Errorf("answer %+v", got)
		}
		answered <- err
	}()
	<-begun
	s.stop()
	eventually(t, "the socket is removed", func() bool { _, err := os.Stat(s.socket); return os.IsNotExist(err) })
	late := api.Dial(s.socket)
	if _, err := late.Health(t.Context()); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a late request: %v", err)
	}
	close(release)
	if err := <-answered; err != nil {
		t.Errorf("in flight: %v", err)
	}
}

func TestStopCancelsRequestsAfterDrain(t *testing.T) {
	begun := make(chan struct{})
	var ended atomic.Bool
	s := serve(t, &fakeBackend{hook: func(ctx context.Context, _ string, _ any) error {
		close(begun)
		<-ctx.Done()
		ended.Store(true)
		return ctx.Err()
	}}, api.Options{Timeouts: api.Timeouts{Drain: 50 * time.Millisecond}})
	failed := make(chan error, 1)
	go func() {
		_, err := s.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"})
		failed <- err
	}()
	<-begun
	s.stop()
	if err := <-failed; !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("client: %v", err)
	}
	if err := <-s.stopped; err != nil || !ended.Load() {
		t.Errorf("Serve returned %v, while the backend was in use: %v", err, !ended.Load())
	}
	s.stopped <- nil
}

func TestStopClosesIdleConnections(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{})
	if _, err := s.client.Health(t.Context()); err != nil { // the client keeps its connection open
		t.Fatal(err)
	}
	s.stop()
	if err := <-s.stopped; err != nil {
		t.Error(err)
	}
	s.stopped <- nil
}

func TestServeReturnsListenerErrors(t *testing.T) {
	l, err := api.Listen(socketPath(t))
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := api.Serve(t.Context(), l, &fakeBackend{}, api.Options{}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// An answer that does not come from our service, or breaks off, is an error and
// never a panic.
func TestClientSurvivesOtherServers(t *testing.T) {
	tests := []struct {
		name   string
		handle http.HandlerFunc
		want   error
	}{
		{"another server", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "teapot", http.StatusTeapot) }, memory.ErrInvalid},
		{"a server that fails", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oh", http.StatusBadGateway) }, nil},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) }, nil},
		{"an answer that is not JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, memory.ErrUnavailable},
		{"an answer that is cut short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"query":"a"`)
		}, memory.ErrUnavailable},
		{"a server that hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, memory.ErrUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := clientOf(t, tt.handle).Search(t.Context(), memory.SearchRequest{Query: "a"})
			if err == nil || (tt.want != nil && !errors.Is(err, tt.want)) {
				t.Errorf("%v", err)
			}
		})
	}
}
