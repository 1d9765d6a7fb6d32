package main

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// maxLostShown is how many lines without a memory the notes list. --json has all.
const maxLostShown = 20

// goldenLines are the lines of golden queries, and the memories of their workspaces.
type goldenLines struct {
	session *session
	known   map[string][]memory.Memory // by workspace
	eval.Locations
}

// locate compares the lines of golden queries with the memories of their workspaces.
func locate(ctx context.Context, s *session, golden []eval.Golden) (*goldenLines, error) {
	lines := &goldenLines{session: s, known: map[string][]memory.Memory{}}
	for from := 0; from < len(golden); {
		name, to := s.workspaceOf(golden[from]), from+1
		for to < len(golden) && s.workspaceOf(golden[to]) == name {
			to++
		}
		if _, listed := lines.known[name]; !listed {
			list, err := listAll(ctx, s, memory.ListRequest{Workspace: name, Filter: memory.Filter{Deep: true}})
			if err != nil {
				return nil, err
			}
			lines.known[name] = list.Memories
		}
		part := eval.Locate(golden[from:to], lines.known[name])
		lines.NoMemory, lines.Moved = append(lines.NoMemory, part.NoMemory...), append(lines.Moved, part.Moved...)
		from = to
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

// noteLocations reports the golden lines that have moved, and those without a memory.
func (a *app) noteLocations(r eval.Report) {
	for _, moved := range r.Moved {
		fmt.Fprintf(a.err, "note: %s\n", moved)
	}
	for _, lost := range r.NoMemory[:min(len(r.NoMemory), maxLostShown)] {
		fmt.Fprintf(a.err, "note: %s\n", lost)
	}
	if n := len(r.NoMemory); n > 0 {
		fmt.Fprintf(a.err, "note: %d relevant or allowed lines of the golden file are no memory, and count as not found; correct them\n", n)
	}
}
