// Package everywhere answers a question about several workspaces at once. It asks each of them
// and merges the answers.
package everywhere

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// Backend searches, lists, shows and indexes the memories of several workspaces. Requests need
// not name one. Everything else is for a request that names its workspace.
type Backend struct {
	api.Backend
	names []string                          // of the workspaces, not empty
	warn  func(workspace string, err error) // about a workspace that is not in the answer
}

// New returns a backend for some workspaces. warn is told about a workspace that is not in an
// answer.
func New(b api.Backend, known []memory.WorkspaceInfo, warn func(workspace string, err error)) Backend {
	all := Backend{Backend: b, warn: warn}
	for _, w := range known {
		all.names = append(all.names, w.Name)
	}
	return all
}

// forEach calls ask for each workspace. Where only some fail, the answers of the others count.
func (b Backend) forEach(ask func(workspace string) error) error {
	var failed []error
	for _, name := range b.names {
		failed = append(failed, ask(name))
	}
	if !slices.Contains(failed, nil) {
		return failed[0]
	}
	for i, err := range failed {
		if err != nil {
			b.warn(b.names[i], err)
		}
	}
	return nil
}

// Search returns the best hits of all workspaces. Those of one workspace keep their order, and
// the better score comes first.
func (b Backend) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	all := memory.SearchAnswer{Query: r.Query, Hits: []memory.Hit{}, Lanes: map[memory.Lane]string{}}
	err := b.forEach(func(name string) error {
		r.Workspace = name
		answer, err := b.Backend.Search(ctx, r)
		for i := range answer.Hits {
			answer.Hits[i].Workspace = name
		}
		all.Hits = merge(all.Hits, answer.Hits)
		for lane, state := range answer.Lanes {
			if old, known := all.Lanes[lane]; !known || old == "ok" {
				all.Lanes[lane] = state
			}
		}
		for _, notice := range answer.Notices {
			all.Notices = append(all.Notices, name+": "+notice)
		}
		all.ForgottenMatches += answer.ForgottenMatches
		all.LeftOutByDate += answer.LeftOutByDate
		all.TookMS += answer.TookMS
		all.Stale = all.Stale || answer.Stale
		all.Indexing = cmp.Or(all.Indexing, answer.Indexing)
		return err
	})
	if r.Limit != nil {
		all.Hits = all.Hits[:min(len(all.Hits), *r.Limit)]
	}
	return all, err
}

// merge returns the hits of two answers, each in its order.
func merge(x, y []memory.Hit) []memory.Hit {
	merged := make([]memory.Hit, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		if y[0].Score > x[0].Score {
			x, y = y, x
		}
		merged, x = append(merged, x[0]), x[1:]
	}
	return append(append(merged, x...), y...)
}

// List returns the memories of one workspace after those of another one.
func (b Backend) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	all := memory.ListAnswer{Memories: memory.List[memory.Memory]{}, Tiers: map[memory.Tier]int{}}
	offset, limit := r.Offset, *cmp.Or(r.Limit, new(int))
	err := b.forEach(func(name string) error {
		room := limit - len(all.Memories)
		one := max(1, room) // an answer without memories still counts them
		r.Workspace, r.Offset, r.Limit = name, max(0, offset-all.Total), &one
		answer, err := b.Backend.List(ctx, r)
		for _, m := range answer.Memories[:min(len(answer.Memories), room)] {
			m.Workspace = name
			all.Memories = append(all.Memories, m)
		}
		for tier, n := range answer.Tiers {
			all.Tiers[tier] += n
		}
		all.Total += answer.Total
		all.LeftOutByDate += answer.LeftOutByDate
		all.Stale = all.Stale || answer.Stale
		all.Indexing = cmp.Or(all.Indexing, answer.Indexing)
		return err
	})
	return all, err
}

// Show returns the memory of the workspace that has it. An id of several is a conflict.
func (b Backend) Show(ctx context.Context, r memory.ShowRequest) (found memory.ShowAnswer, err error) {
	var in []string
	for _, name := range b.names {
		r.Workspace = name
		answer, failed := b.Backend.Show(ctx, r)
		switch {
		case failed == nil:
			found, found.Workspace = answer, name
			in = append(in, name)
		case errors.Is(failed, memory.ErrConflict):
			return found, failed
		case err == nil || !errors.Is(failed, memory.ErrNotFound):
			err = failed
		}
	}
	switch len(in) {
	case 0:
		return found, err
	case 1:
		return found, nil
	}
	return found, memory.Conflict("%s is in several workspaces: %s", r.ID, strings.Join(in, ", ")).WithHint("name one of them with -w")
}

// Index brings the indexes of all workspaces up to date.
func (b Backend) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (last memory.IndexAnswer, err error) {
	err = b.forEach(func(name string) error {
		r.Workspace = name
		last, err = b.Backend.Index(ctx, r, progress)
		return err
	})
	return last, err
}
