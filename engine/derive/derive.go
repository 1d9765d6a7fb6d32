// Package derive answers what is derived from memories when it is asked for: names, their
// relations, scenes, and a profile of the owner. It stores nothing and sees only what a view shows, so
// that whatever is forgotten or destroyed is gone from its answers at once.
package derive

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/knowledge"
)

// Listing is which memories of an index a request is about.
type Listing struct {
	DB        lookup.NamesSource
	Predicate memory.Predicate
	Limit     int
	Stale     bool // the index could not be updated first
}

// Answers returns which memories a request is about. Its methods answer from these.
type Answers func(context.Context, memory.ListRequest) (Listing, error)

// Entities lists the people and things that memories name, or those that one name means.
func (read Answers) Entities(ctx context.Context, r memory.ListRequest) (a knowledge.EntitiesAnswer, err error) {
	r.Properties = true
	l, err := read(ctx, r)
	if err != nil {
		return a, err
	}
	n, err := lookup.ReadNames(ctx, l.DB, l.Predicate)
	if err == nil {
		a, err = n.Entities(r.Entity, r.Offset, l.Limit)
	}
	a.Stale = l.Stale
	return a, err
}

// Graph returns what is related to the name that the request is about.
func (read Answers) Graph(ctx context.Context, r memory.ListRequest) (g knowledge.Graph, err error) {
	switch {
	case r.Entity == "":
		return g, memory.Invalid("entity", "the name is empty")
	case r.Hops < 0 || r.Hops > lookup.MaxHops:
		return g, memory.Invalid("hops", "%d hops are not possible", r.Hops).WithHint("1 or 2")
	}
	most := knowledge.DefaultEdges
	if r.Limit != nil {
		most = *r.Limit
	}
	r.Properties = true
	l, err := read(ctx, r)
	if err != nil {
		return g, err
	}
	n, err := lookup.ReadNames(ctx, l.DB, l.Predicate)
	if err != nil {
		return g, err
	}
	found := n.Find(r.Entity)
	if len(found) != 1 {
		return g, n.NotOne("entity", r.Entity)
	}
	g, _ = n.Graph(found[0].Name, max(1, r.Hops), most)
	g.Stale = l.Stale
	return g, nil
}

// Scenes lists the groups of memories that belong together, or the one with an id.
func (read Answers) Scenes(ctx context.Context, r memory.ListRequest) (a knowledge.ScenesAnswer, err error) {
	l, err := read(ctx, r)
	if err == nil {
		l.Predicate, err = lookup.About(ctx, l.Predicate, memory.Filter{Entity: r.Entity, Hops: r.Hops}, l.DB)
	}
	if err == nil {
		a, err = lookup.ReadScenes(ctx, l.DB, l.Predicate, r.Scene, r.Offset, l.Limit)
	}
	a.Stale = l.Stale
	return a, err
}
