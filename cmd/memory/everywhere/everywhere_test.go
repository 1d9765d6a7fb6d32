package everywhere_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/everywhere"
)

// vaults answers for workspaces by their names. Everything else panics.
type vaults struct {
	api.Backend
	memories map[string][]memory.Memory
	broken   string // the name of a workspace that fails
}

var errBroken = memory.Unavailable(nil, "its folder is away")

func (v vaults) Search(_ context.Context, r memory.SearchRequest) (answer memory.SearchAnswer, err error) {
	for _, m := range v.memories[r.Workspace] {
		answer.Hits = append(answer.Hits, memory.Hit{Memory: m, Score: m.Importance})
	}
	return answer, v.failure(r.Workspace)
}

func (v vaults) List(_ context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	all := v.memories[r.Workspace]
	shown := all[min(r.Offset, len(all)):]
	return memory.ListAnswer{Memories: shown[:min(*r.Limit, len(shown))], Total: len(all), Tiers: map[memory.Tier]int{memory.TierHot: len(all)}}, v.failure(r.Workspace)
}

func (v vaults) Show(_ context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	for _, m := range v.memories[r.Workspace] {
		if string(m.ID) == r.ID {
			return memory.ShowAnswer{Memory: m}, nil
		}
	}
	if err := v.failure(r.Workspace); err != nil {
		return memory.ShowAnswer{}, err
	}
	return memory.ShowAnswer{}, memory.NotFound(r.ID)
}

func (v vaults) failure(name string) error {
	if name == v.broken {
		return errBroken
	}
	return nil
}

func newVaults(broken string) (b everywhere.Backend, warned func() []string) {
	var names []string
	v := vaults{broken: broken, memories: map[string][]memory.Memory{
		"garden": {{ID: "b", Importance: 0.9}, {ID: "a", Importance: 0.3}, {ID: "twice", Importance: 0.4}},
		"empty":  {},
		"work":   {{ID: "c", Importance: 0.5}, {ID: "twice"}},
	}}
	delete(v.memories, broken)
	known := []memory.WorkspaceInfo{{Name: "garden"}, {Name: "empty"}, {Name: "work"}}
	return everywhere.New(v, known, func(name string, _ error) { names = append(names, name) }), func() []string { return names }
}

func TestSearchMergesAnswersInTheirOrder(t *testing.T) {
	b, _ := newVaults("")
	answer, err := b.Search(t.Context(), memory.SearchRequest{Limit: new(4)})
	var got []string
	for _, h := range answer.Hits {
		got = append(got, h.Workspace+"/"+string(h.ID))
	}
	if want := []string{"garden/b", "work/c", "garden/a", "garden/twice"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("found %v, %v, want %v", got, err, want)
	}
}

// TestListPagesOverWorkspaces lists each window of all memories.
func TestListPagesOverWorkspaces(t *testing.T) {
	b, _ := newVaults("")
	all := []string{"garden/b", "garden/a", "garden/twice", "work/c", "work/twice"}
	for offset := range 7 {
		for limit := 1; limit < 7; limit++ {
			answer, err := b.List(t.Context(), memory.ListRequest{Offset: offset, Limit: &limit})
			var got []string
			for _, m := range answer.Memories {
				got = append(got, m.Workspace+"/"+string(m.ID))
			}
			from := min(offset, len(all))
			if want := all[from:min(from+limit, len(all))]; err != nil || !slices.Equal(got, want) || answer.Total != 5 || answer.Tiers[memory.TierHot] != 5 {
				t.Errorf("%d from %d: %v of %d, %v, want %v", limit, offset, got, answer.Total, err, want)
			}
		}
	}
}

func TestShowFindsTheOneWorkspaceOfAnID(t *testing.T) {
	b, _ := newVaults("")
	for id, want := range map[string]struct {
		workspace string
		err       error
	}{"b": {"garden", nil}, "c": {"work", nil}, "twice": {"", memory.ErrConflict}, "d": {"", memory.ErrNotFound}} {
		answer, err := b.Show(t.Context(), memory.ShowRequest{ID: id})
		if !errors.Is(err, want.err) || err == nil && answer.Workspace != want.workspace {
			t.Errorf("%s is in %q, %v, want %v", id, answer.Workspace, err, want)
		}
	}
}

// TestWorkspaceThatFailsIsReported asks while the folder of a workspace is away.
func TestWorkspaceThatFailsIsReported(t *testing.T) {
	b, warned := newVaults("garden")
	if answer, err := b.Search(t.Context(), memory.SearchRequest{}); err != nil || len(answer.Hits) != 2 || !slices.Equal(warned(), []string{"garden"}) {
		t.Errorf("found %v, %v; reported %v", answer.Hits, err, warned())
	}
	if answer, err := b.Show(t.Context(), memory.ShowRequest{ID: "c"}); err != nil || answer.Workspace != "work" {
		t.Errorf("c is in %q, %v", answer.Workspace, err)
	}
	if _, err := b.Show(t.Context(), memory.ShowRequest{ID: "b"}); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("b, which may be in the folder: %v", err)
	}
}
