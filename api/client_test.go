package api_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

func TestErrorsKeepTheirMeaningAcrossTheSocket(t *testing.T) {
	tests := []struct {
		name   string
		err    error
		want   error
		code   string
		status int
		exit   int
	}{
		{"invalid", memory.Invalid("limit", "no"), memory.ErrInvalid, "invalid", 400, 2},
		{"not found", memory.NotFound("3f8a"), memory.ErrNotFound, "not_found", 404, 3},
		{"conflict", memory.Conflict("no"), memory.ErrConflict, "conflict", 409, 4},
		{"forbidden", memory.ErrForbidden, memory.ErrForbidden, "forbidden", 403, 1},
		{"unavailable", memory.Unavailable(errors.New("gone"), "no"), memory.ErrUnavailable, "unavailable", 503, 5},
		{"wrapped", fmt.Errorf("show: %w", memory.ErrNotFound), memory.ErrNotFound, "not_found", 404, 3},
		{"disk full", fmt.Errorf("store: %w", syscall.ENOSPC), memory.ErrUnavailable, "unavailable", 507, 5},
		{"disk full, with a message", memory.Unavailable(syscall.ENOSPC, "store"), memory.ErrUnavailable, "unavailable", 507, 5},
		{"disk quota", fmt.Errorf("store: %w", syscall.EDQUOT), memory.ErrUnavailable, "unavailable", 507, 5},
		{"deadline exceeded", context.DeadlineExceeded, memory.ErrUnavailable, "unavailable", 503, 5},
		{"bug", errors.New("index out of range"), nil, "internal", 500, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, &fakeBackend{hook: func(context.Context, string, any) error { return tt.err }}, api.Options{})
			got := s.ask("GET", "/v1/stats", "")
			if f := got.failure(t); got.status != tt.status || f.Code != tt.code || f.Exit() != tt.exit {
				t.Errorf("%d %+v exit %d", got.status, f, f.Exit())
			}
			_, err := s.client.Stats(t.Context(), memory.StatsRequest{})
			for _, sentinel := range []error{memory.ErrInvalid, memory.ErrNotFound, memory.ErrConflict, memory.ErrForbidden, memory.ErrUnavailable} {
				if errors.Is(err, sentinel) != (sentinel == tt.want) {
					t.Errorf("errors.Is(%v, %v) is wrong", err, sentinel)
				}
			}
			var sent *memory.Error
			if errors.As(tt.err, &sent) && tt.want != nil {
				var received *memory.Error
				if !errors.As(err, &received) || received.Message != sent.Error() || received.Field != sent.Field || received.Hint == "" {
					t.Errorf("the client received %+v, the server sent %+v", received, sent)
				}
			}
		})
	}
}

// The command line prints the hints, so they name commands and no routes.
func TestHintsOfErrorKindsNameNoRoute(t *testing.T) {
	for _, err := range []error{memory.ErrInvalid, memory.ErrNotFound, memory.ErrConflict, memory.ErrForbidden, memory.ErrUnavailable, errors.New("bug")} {
		if hint := api.Describe(err).Hint; hint == "" || strings.Contains(hint, "/v1/") {
			t.Errorf("%v has the hint %q", err, hint)
		}
	}
}

func TestClientWithoutDaemonIsUnavailable(t *testing.T) {
	client := api.Dial(filepath.Join(t.TempDir(), "s.sock"))
	_, err := client.Recall(t.Context(), memory.RecallRequest{Prompt: "a"})
	if f := api.Describe(err); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(f.Hint, "memory serve") {
		t.Errorf("%+v", f)
	}
}

func TestClientWarnsOfAnotherVersion(t *testing.T) {
	tests := []struct {
		ours, daemon string
		warned       bool
	}{
		{"0.1.0", "0.1.0", false}, {"0.2.0", "0.1.0", true}, {"0.1.0", "0.1.1", true}, {"", "1.4.0", false},
	}
	for _, tt := range tests {
		t.Run(tt.ours+" asks "+tt.daemon, func(t *testing.T) {
			s := serve(t, &fakeBackend{}, api.Options{Version: tt.daemon})
			var warnings []string
			s.client.Version = tt.ours
			s.client.Warn = func(message string) { warnings = append(warnings, message) }
			for range 3 {
				must.Get(s.client.Health(t.Context()))(t)
			}
			if want := map[bool]int{true: 1}[tt.warned]; len(warnings) != want {
				t.Errorf("warnings: %q", warnings)
			}
		})
	}
}

// stoppedDaemon accepts connections and never answers, as a service does after
// SIGSTOP.
func stoppedDaemon(t *testing.T) *api.Client {
	t.Helper()
	path := socketPath(t)
	l := must.Get(api.Listen(path))(t)
	c := api.Dial(path)
	t.Cleanup(func() { _ = c.Close(); _ = l.Close() })
	return c
}

func TestNoCallWaitsForAStoppedDaemon(t *testing.T) {
	c := stoppedDaemon(t)
	c.SetTimeouts(20*time.Millisecond, 20*time.Millisecond, 20*time.Millisecond)
	for name, ask := range map[string]func(context.Context) error{
		"health": func(ctx context.Context) error { _, err := c.Health(ctx); return err },
		"recall": func(ctx context.Context) error {
			_, err := c.Recall(ctx, memory.RecallRequest{Prompt: "x"})
			return err
		},
		"store": func(ctx context.Context) error { _, err := c.Store(ctx, memory.StoreRequest{Text: "x"}); return err },
		"index": func(ctx context.Context) error { _, err := c.Index(ctx, memory.IndexRequest{}, nil); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
		err := ask(ctx)
		if failure := api.Describe(err); ctx.Err() != nil || !errors.Is(err, memory.ErrUnavailable) ||
			!strings.Contains(failure.Message, "did not answer in time") || !strings.Contains(failure.Hint, "memory status") {
			t.Errorf("%s: %v (%s)", name, err, failure.Hint)
		}
		cancel()
	}
}

// An index run takes twice as long as the client waits. The client hears nothing but
// heartbeats, ten times as often as it needs.
func TestHeartbeatsKeepALongIndexRunAlive(t *testing.T) {
	tryLimits(t, func(silence time.Duration) error {
		s := serve(t, &fakeBackend{index: func(ctx context.Context, _ func(memory.Progress)) error {
			time.Sleep(2 * silence)
			return nil
		}}, api.Options{Timeouts: api.Timeouts{Heartbeat: silence / 10}})
		s.client.SetTimeouts(silence, silence, silence)
		_, err := s.client.Index(t.Context(), memory.IndexRequest{}, nil)
		return err
	})
}
