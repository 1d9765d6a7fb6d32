package main

import (
	"context"
	"maps"
	"slices"

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
