package main

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
)

// loadTime is how long a measurement waits for the model: as long as its process may take
// to load it.
const loadTime = time.Minute

// awaitModel waits until the model that serves is loaded. Else another model would answer
// the first queries of a measurement. If that does not load, a note says what answers.
func (a *app) awaitModel(ctx context.Context, s *session) error {
	const interval = 100 * time.Millisecond
	none := 0
	for start := time.Now(); ; {
		// Each search asks for the model.
		if _, err := s.Search(ctx, memory.SearchRequest{Query: "Which model answers?", Workspace: s.Workspace, Limit: &none}); err != nil {
			return err
		}
		stats, err := s.Stats(ctx, memory.StatsRequest{Workspace: s.Workspace})
		if err != nil {
			return err
		}
		e := stats.Embedding
		reason := e.Error
		if e.Meanwhile == "" || e.Loaded {
			return nil
		}
		if reason == "" && !s.Daemon && e.LoadingSeconds == 0 {
			reason = "only the service loads this model; memory serve starts it"
		}
		if reason == "" && time.Since(start) > loadTime {
			reason = fmt.Sprintf("it is not loaded after %s", loadTime)
		}
		if reason != "" {
			fmt.Fprintf(a.err, "note: the queries are answered by %s, and not by %s: %s\n", e.Meanwhile, e.Model, reason)
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(interval):
		}
	}
}
