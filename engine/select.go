package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// selectMemories names the memories that a request is about.
func (e *Engine) selectMemories(ctx context.Context, s *workspaceState, now time.Time, r memory.DecideRequest) ([]memory.ID, error) {
	switch {
	case r.Missing && (len(r.IDs) > 0 || r.Query != "" || r.Filter != nil):
		return nil, memory.Invalid("missing", "what is missing is meant as a whole").WithHint("name ids, or say missing, not both")
	case r.Missing:
		return s.selectMissing(ctx)
	case len(r.IDs) > 0 && (r.Query != "" || r.Filter != nil):
		return nil, memory.Invalid("ids", "memories are named by ids, or found by a query or a filter, not both")
	case len(r.IDs) > 0:
		return s.selectByID(ctx, r.IDs)
	case r.Query != "":
		return s.selectByQuery(ctx, now, r)
	case r.Filter != nil && *r.Filter != (memory.Filter{}):
		return s.selectByFilter(ctx, r)
	}
	return nil, memory.Invalid("ids", "no memory is named").WithHint("name ids, a query (--query), or filters (--tier, --path …)")
}

// selectByID finds each memory by a prefix of its id; one that is wrong and nothing
// is decided.
func (s *workspaceState) selectByID(ctx context.Context, prefixes []string) (ids []memory.ID, err error) {
	seen := map[memory.ID]bool{}
	for _, prefix := range prefixes {
		m, err := s.findMemory(ctx, prefix)
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

// selectMissing are all memories whose text is in no file any more.
func (s *workspaceState) selectMissing(ctx context.Context) (ids []memory.ID, err error) {
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
func selectionPredicate(r memory.DecideRequest, s *workspaceState) (memory.Predicate, error) {
	var f memory.Filter
	if r.Filter != nil {
		f = *r.Filter
	}
	p, err := resolveFilter(f, s.Zone)
	p.Archive = true
	if r.Action == memory.ActionRestore || f.Forgotten {
		p.Forgotten = memory.Only
	}
	return p, err
}

func (s *workspaceState) selectByFilter(ctx context.Context, r memory.DecideRequest) (ids []memory.ID, err error) {
	p, err := selectionPredicate(r, s)
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
	sureSimilarity = 0.6
	clearMargin    = 1.5
)

// minSimilarity is the similarity from which a memory is meant by a query at all.
const minSimilarity = 0.2

func (s *workspaceState) selectByQuery(ctx context.Context, now time.Time, r memory.DecideRequest) ([]memory.ID, error) {
	p, err := selectionPredicate(r, s)
	if err != nil {
		return nil, err
	}
	answer, err := s.decisionRecaller().Search(ctx, now, recall.SearchOptions{Text: r.Query, Predicate: p, Limit: recall.MaxLimit})
	if err != nil {
		return nil, err
	}
	var over []memory.Hit
	for _, h := range answer.Hits {
		if h.Similarity >= minSimilarity {
			over = append(over, h)
		}
	}
	switch {
	case len(over) == 0:
		return nil, nothingFound("No relevant memories found")
	case r.All:
		return idsOf(over), nil
	case len(over) == 1, over[0].Similarity >= max(sureSimilarity, clearMargin*over[1].Similarity), hasText(over[0], r.Query) && !hasText(over[1], r.Query):
		return idsOf(over[:1]), nil
	}
	return nil, ambiguousQuery(r.Query, over)
}

func hasText(h memory.Hit, query string) bool {
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

// ambiguousQuery lists what a query could mean.
func ambiguousQuery(query string, found []memory.Hit) error {
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
