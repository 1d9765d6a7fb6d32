package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// maxLostShown is how many lines without a memory the notes list. --json has all.
const maxLostShown = 20

// goldenLines are the lines of golden queries, and the memories of their workspaces.
type goldenLines struct {
	session *session
	known   map[string][]memory.Memory // by workspace
	lost    []string                   // that are no memory
}

// locate compares the lines of golden queries with the memories of their workspaces.
func locate(ctx context.Context, s *session, golden []eval.Golden) (*goldenLines, error) {
	lines := &goldenLines{session: s, known: map[string][]memory.Memory{}}
	byWorkspace := map[string][]eval.Golden{}
	for _, g := range golden {
		byWorkspace[s.workspaceOf(g)] = append(byWorkspace[s.workspaceOf(g)], g)
	}
	for _, name := range slices.Sorted(maps.Keys(byWorkspace)) {
		list, err := listAll(s, ctx, memory.ListRequest{Workspace: name, Filter: memory.Filter{Deep: true}})
		if err != nil {
			return nil, err
		}
		lines.known[name] = list.Memories
		lines.lost = append(lines.lost, eval.WithoutMemory(byWorkspace[name], list.Memories)...)
	}
	return lines, nil
}

// whyNot returns why the memory at a line is not injected for a golden query.
func (lines *goldenLines) whyNot(ctx context.Context, g eval.Golden, l eval.Line) (eval.Cause, bool, error) {
	s := lines.session
	m, ok := eval.MemoryAt(lines.known[s.workspaceOf(g)], l)
	if !ok {
		return eval.Cause{}, false, nil
	}
	why, err := s.WhyNot(ctx, memory.WhyNotRequest{ID: string(m.ID), Workspace: s.workspaceOf(g), Query: g.Query, Scope: g.Scope, AsOf: asOf(g)})
	if why.Injected && m.User != "" {
		// why-not asks as the user of a memory, and eval as the owner.
		why.Reason, why.Detail = memory.ReasonUser, "only requests of the user "+m.User+" get it"
	}
	return eval.Cause{ID: m.ID, Reason: why.Reason, Detail: why.Detail}, true, err
}

// noteLost reports the golden lines without a memory.
func (a *app) noteLost(r eval.Report) {
	for _, lost := range r.NoMemory[:min(len(r.NoMemory), maxLostShown)] {
		a.note("%s", lost)
	}
	if n := len(r.NoMemory); n > 0 {
		a.note("%d relevant or allowed lines of the golden file are no memory, and count as not found; correct them", n)
	}
}

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
			a.note("the queries are answered by %s, and not by %s: %s", e.Meanwhile, e.Model, reason)
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(interval):
		}
	}
}
