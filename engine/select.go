package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// selected names the memories that a request is about.
func (e *Engine) selected(ctx context.Context, s *space, now time.Time, r memory.DecideRequest) ([]memory.ID, error) {
	switch {
	case r.Missing && (len(r.IDs) > 0 || r.Query != "" || r.Filter != nil):
		return nil, memory.Invalid("missing", "what is missing is meant as a whole").WithHint("name ids, or say missing, not both")
	case r.Missing:
		return s.missing(ctx)
	case len(r.IDs) > 0 && (r.Query != "" || r.Filter != nil):
		return nil, memory.Invalid("ids", "memories are named by ids, or found by a query or a filter, not both")
	case len(r.IDs) > 0:
		return s.named(ctx, r.IDs)
	case r.Query != "":
		return s.asked(ctx, now, r)
	case r.Filter != nil && *r.Filter != (memory.Filter{}):
		return s.filtered(ctx, r)
	}
	return nil, memory.Invalid("ids", "no memory is named").WithHint("name ids, a query (--query), or filters (--tier, --path …)")
}

// named finds each memory by a prefix of its id; one that is wrong and nothing
// is decided.
func (s *space) named(ctx context.Context, prefixes []string) (ids []memory.ID, err error) {
	seen := map[memory.ID]bool{}
	for _, prefix := range prefixes {
		m, err := s.memory(ctx, prefix)
		if err != nil {
			return nil, err
		}
		if !seen[m.ID] {
			seen[m.ID] = true
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// missing are all memories whose text is in no file any more.
func (s *space) missing(ctx context.Context) (ids []memory.ID, err error) {
	found, _, err := s.db.List(ctx, memory.Predicate{Missing: memory.Only, Forgotten: memory.Include, Archive: true}, "path", 0, 0)
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	if err == nil && len(ids) == 0 {
		err = nothingFound("no memory is missing")
	}
	return ids, err
}

// scope is what an action can be about: restore looks among what is forgotten,
// everything else among what is not, ARCHIVE included.
func scopeOf(r memory.DecideRequest, s *space) (memory.Predicate, error) {
	var f memory.Filter
	if r.Filter != nil {
		f = *r.Filter
	}
	p, err := predicate(f, s.Zone)
	p.Archive = true
	if r.Action == memory.ActionRestore || f.Forgotten {
		p.Forgotten = memory.Only
	}
	return p, err
}

func (s *space) filtered(ctx context.Context, r memory.DecideRequest) (ids []memory.ID, err error) {
	p, err := scopeOf(r, s)
	if err != nil {
		return nil, err
	}
	found, _, err := s.db.List(ctx, p, "path", 0, 0)
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	if err == nil && len(ids) == 0 {
		err = nothingFound("no memory matches")
	}
	return ids, err
}

// The best of several hits is taken without asking where it is surely about the
// question, and half as similar again as the next: a lone word that two memories
// share is neither.
const (
	surely  = 0.6
	clearly = 1.5
)

// meant is the similarity from which a memory is meant by a query at all.
const meant = 0.2

func (s *space) asked(ctx context.Context, now time.Time, r memory.DecideRequest) ([]memory.ID, error) {
	p, err := scopeOf(r, s)
	if err != nil {
		return nil, err
	}
	answer, err := s.chooser().Search(ctx, now, recall.SearchOptions{Text: r.Query, Predicate: p, Limit: recall.MaxLimit})
	if err != nil {
		return nil, err
	}
	var over []memory.Hit
	for _, h := range answer.Hits {
		if h.Similarity >= meant {
			over = append(over, h)
		}
	}
	switch {
	case len(over) == 0:
		return nil, nothingFound("No relevant memories found")
	case r.All:
		return idsOf(over), nil
	case len(over) == 1, over[0].Similarity >= max(surely, clearly*over[1].Similarity), says(over[0], r.Query) && !says(over[1], r.Query):
		return idsOf(over[:1]), nil
	}
	return nil, unclear(r.Query, over)
}

func says(h memory.Hit, query string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(h.Text), " "), strings.Join(strings.Fields(query), " "))
}

func idsOf(hits []memory.Hit) (ids []memory.ID) {
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func nothingFound(message string) error {
	return &memory.Error{Kind: memory.ErrNotFound, Field: "query", Message: message,
		Hint: "memory search and memory list show what there is (--forgotten: what is forgotten)"}
}

// unclear lists what a query could mean.
func unclear(query string, found []memory.Hit) error {
	const shown = 5 // enough to choose from without filling the screen
	var could []string
	for _, h := range found[:min(shown, len(found))] {
		could = append(could, fmt.Sprintf("%s (%.0f%%) %s", h.ID.Short(), 100*h.Similarity, firstLine(h.Text, 50)))
	}
	if len(found) > shown {
		could = append(could, fmt.Sprintf("and %d more", len(found)-shown))
	}
	err := memory.Conflict("%q could mean %d memories", query, len(found)).
		WithHint("name one by its id, or take all with --all: %s", strings.Join(could, " · "))
	err.Field = "query"
	return err
}
