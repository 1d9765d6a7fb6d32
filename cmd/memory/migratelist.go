package main

import (
	"context"

	"github.com/memory-tiered/memory"
)

// listPage is the number of memories of one request, so that a busy service answers it
// in time.
const listPage = 500

// list lists all memories of a filter, page by page.
func (m *migration) list(ctx context.Context, t *migrationTarget, f memory.Filter) (all []memory.Memory, err error) {
	bar := m.progress()
	defer bar.Done()
	limit, seen := listPage, map[memory.ID]bool{}
	for offset := 0; ; offset += limit {
		answer, err := t.List(ctx, memory.ListRequest{Workspace: t.Workspace, Filter: f, Sort: "path", Limit: &limit, Offset: offset})
		if err != nil {
			return nil, err
		}
		for _, memory := range answer.Memories {
			if !seen[memory.ID] {
				seen[memory.ID] = true
				all = append(all, memory)
			}
		}
		if len(answer.Memories) < limit {
			return all, nil
		}
		bar.Show(memory.Progress{Stage: "compare", Done: len(all), Total: answer.Total})
	}
}
