package lookup

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/entity"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/scene"
	"github.com/memory-tiered/memory/workspace"
)

// scenes returns the scenes of the memories.
func (n Names) scenes() *scene.Scenes {
	names := map[string][]int{}
	for _, found := range n.Gazetteer.Entities() {
		for _, i := range found.At {
			if _, isDaily := workspace.DateOf(n.Memories[i].Path, time.UTC); isDaily {
				names[found.Name] = append(names[found.Name], i)
			}
		}
	}
	return scene.New(n.Memories, names)
}

// ScenesOf returns the scenes of some memories alone, whatever the owner decided about names.
func ScenesOf(memories []memory.Memory) *scene.Scenes {
	return Names{entity.New(entity.Notes{Memories: memories, OnlyFound: true}), memories}.scenes()
}

// scenesWith returns the scenes that an id means. The empty one means none.
func (n Names) scenesWith(id string) []*scene.Scene {
	if id == "" {
		return nil
	}
	return n.scenes().Find(id)
}

// ReadScenes returns the scenes of a view with a memory that passes a predicate, the newest
// first, or those that an id means. Memories that do not pass belong to them too.
func ReadScenes(ctx context.Context, db NamesSource, p memory.Predicate, id string, offset, limit int) (a knowledge.ScenesAnswer, err error) {
	n, err := ReadNames(ctx, db, memory.Predicate{View: p.View, Archive: true})
	if err != nil {
		return a, err
	}
	passing, _, err := db.List(ctx, p, "path", 0, 0)
	if err != nil {
		return a, err
	}
	passes := map[memory.ID]bool{}
	for i := range passing {
		passes[passing[i].ID] = true
	}
	all := n.scenes()
	found := all.Listed()
	if id != "" {
		if found = all.Find(id); len(found) == 0 {
			return a, &memory.Error{Kind: memory.ErrNotFound, Field: "scene", Message: "no scene has the id " + id, Hint: "memory scenes list shows the ids"}
		}
	}
	found = slices.DeleteFunc(found, func(s *scene.Scene) bool {
		return !slices.ContainsFunc(s.At, func(i int) bool { return passes[n.Memories[i].ID] })
	})
	slices.SortStableFunc(found, func(a, b *scene.Scene) int {
		return n.Memories[b.At[len(b.At)-1]].CreatedAt.Compare(n.Memories[a.At[len(a.At)-1]].CreatedAt)
	})
	a.Total = len(found)
	found = found[min(offset, len(found)):]
	for _, s := range found[:min(limit, len(found))] {
		a.Scenes = append(a.Scenes, all.Describe(s))
	}
	return a, nil
}
