package lookup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Selector selects memories of one index.
type Selector struct {
	DB     *index.DB
	Models *embedding.Models
	Zone   *time.Location // of times in filters
}

// Select returns the ids of the memories that a request is about, and the
// similarities of those that a query found. all is for a filter that names an owner.
func (s Selector) Select(ctx context.Context, now time.Time, who memory.View, all memory.Identities, r memory.DecideRequest) (ids []memory.ID, similarity map[memory.ID]float64, err error) {
	switch {
	case r.Missing && (len(r.IDs) > 0 || r.Query != "" || r.Filter != nil):
		return nil, nil, memory.Invalid("missing", "missing already selects all missing memories").WithHint("give either missing or ids, a query or a filter")
	case r.Missing:
		ids, err = s.missing(ctx, who)
	case len(r.IDs) > 0 && (r.Query != "" || r.Filter != nil):
		return nil, nil, memory.Invalid("ids", "memories are selected by ids, or by a query or a filter, not both")
	case len(r.IDs) > 0:
		ids, err = s.byID(ctx, who, r)
	case r.Query != "":
		hits, err := s.byQuery(ctx, now, who, all, r)
		similarity = map[memory.ID]float64{}
		for _, h := range hits {
			ids, similarity[h.ID] = append(ids, h.ID), h.Similarity
		}
		return ids, similarity, err
	case r.Filter != nil && *r.Filter != (memory.Filter{}):
		ids, err = s.byFilter(ctx, now, who, all, r)
	default:
		err = memory.Invalid("ids", "no memory is selected").WithHint("give ids, a query (--query) or filters (--tier, --path …)")
	}
	return ids, nil, err
}

// byID resolves prefixes of ids; one that is wrong fails the whole request.
func (s Selector) byID(ctx context.Context, who memory.View, r memory.DecideRequest) (ids []memory.ID, err error) {
	if r.Action == memory.ActionRestore {
		who.Model = false // a forgotten memory may not be injected until it is restored
	}
	seen := map[memory.ID]bool{}
	for _, prefix := range r.IDs {
		m, err := FindFor(ctx, s.DB, who, prefix)
		if !who.Model && r.For == memory.AudienceModel && errors.Is(err, memory.ErrConflict) {
			err = memory.Conflict("%s matches several memories", prefix).WithHint("give the whole id")
		}
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

// missing returns all memories whose text is in no file any more.
func (s Selector) missing(ctx context.Context, who memory.View) (ids []memory.ID, err error) {
	found, _, err := s.DB.List(ctx, memory.Predicate{View: who, Missing: memory.Only, Forgotten: memory.Include, Archive: true}, "path", 0, 0)
	if err == nil && len(found) == 0 {
		err = nothingFound("no memory is missing")
	}
	return memory.IDsOf(found), err
}

// predicate returns which memories an action can be about: forgotten ones for restore, others
// for all else, ARCHIVE included. A destroy of what came from somewhere leaves no text of it.
func (s Selector) predicate(ctx context.Context, who memory.View, all memory.Identities, r memory.DecideRequest, now time.Time) (memory.Predicate, error) {
	var f memory.Filter
	if r.Filter != nil {
		f = *r.Filter
	}
	p, err := PredicateOf(f, now, s.Zone, all)
	p.Archive = true
	switch {
	case r.Action == memory.ActionRestore || f.Forgotten:
		p.Forgotten = memory.Only
	case r.Action == memory.ActionDestroy && r.Query == "" && (f.Origin != "" || f.Owner != "" || f.Source != ""):
		p.Forgotten, p.Missing = memory.Include, memory.Include
	}
	if err != nil {
		return p, err
	}
	return About(ctx, Restrict(p, who), f, s.DB)
}

func (s Selector) byFilter(ctx context.Context, now time.Time, who memory.View, all memory.Identities, r memory.DecideRequest) (ids []memory.ID, err error) {
	p, err := s.predicate(ctx, who, all, r, now)
	if err != nil {
		return nil, err
	}
	found, _, err := s.DB.List(ctx, p, "path", 0, 0)
	if err == nil && len(found) == 0 {
		err = nothingFound("no memory matches")
		if p.Origin != "" {
			err = &memory.Error{Kind: memory.ErrNotFound, Field: "session", Message: "no memory matches: none of these came from the session " + p.Origin,
				Hint: "memory receipts lists the sessions"}
		}
	}
	return memory.IDsOf(found), err
}

// The best of several hits is taken if its similarity is at least sureSimilarity
// and at least clearMargin times the second's. A single word that two memories
// share reaches neither.
const (
	sureSimilarity = 0.6
	clearMargin    = 1.5
)

// minSimilarity is the similarity below which a query does not mean a memory.
const minSimilarity = 0.2

func (s Selector) byQuery(ctx context.Context, now time.Time, who memory.View, all memory.Identities, r memory.DecideRequest) ([]memory.Hit, error) {
	p, err := s.predicate(ctx, who, all, r, now)
	if err != nil {
		return nil, err
	}
	answer, err := s.Models.DecisionRecaller(ctx).Search(ctx, now, recall.SearchOptions{Text: r.Query, Predicate: p, Limit: recall.MaxLimit})
	if err != nil {
		return nil, err
	}
	var hits []memory.Hit
	for _, h := range answer.Hits {
		if h.Similarity >= minSimilarity {
			hits = append(hits, h)
		}
	}
	switch {
	case len(hits) == 0:
		return nil, nothingFound("No relevant memories found")
	case r.All:
		return hits, nil
	case r.Action == memory.ActionDestroy && !r.Preview && !isSure(hits[0], r.Query):
		return nil, ambiguousQuery(r.Query, hits) // nobody has seen what was found, and it cannot be undone
	case len(hits) == 1, hits[0].Similarity >= max(sureSimilarity, clearMargin*hits[1].Similarity), hasText(hits[0], r.Query) && !hasText(hits[1], r.Query):
		return hits[:1], nil
	}
	return nil, ambiguousQuery(r.Query, hits)
}

func hasText(h memory.Hit, query string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(h.Text), " "), strings.Join(strings.Fields(query), " "))
}

// isSure reports whether a hit fits a query well enough to destroy it unseen.
func isSure(h memory.Hit, query string) bool {
	return h.Similarity >= sureSimilarity || hasText(h, query)
}

func nothingFound(message string) error {
	return &memory.Error{Kind: memory.ErrNotFound, Field: "query", Message: message,
		Hint: "memory search and memory list show memories (--forgotten: forgotten ones)"}
}

// ambiguousQuery returns the error for a query that matches several memories, which
// it lists.
func ambiguousQuery(query string, found []memory.Hit) error {
	const shown = 5 // enough to choose from without filling the screen
	var candidates []string
	for _, h := range found[:min(shown, len(found))] {
		candidates = append(candidates, fmt.Sprintf("%s (%.0f%%) %s", h.ID.Short(), 100*h.Similarity, firstLine(h.Text, 50)))
	}
	if len(found) > shown {
		candidates = append(candidates, fmt.Sprintf("and %d more", len(found)-shown))
	}
	count := fmt.Sprintf("%d memories", len(found))
	if len(found) == 1 {
		count = "one memory, but not surely"
	}
	err := memory.Conflict("%q matches %s", query, count).
		WithHint("choose one by its id, or all with --all: %s", strings.Join(candidates, " · "))
	err.Field = "query"
	return err
}

// WeakHitNotices reports that destroy takes a memory that fits the query badly by its
// id only.
func WeakHitNotices(r memory.DecideRequest, ids []memory.ID, similarity map[memory.ID]float64) (notices []string) {
	if r.Action != memory.ActionDestroy || r.All || len(ids) != 1 {
		return nil
	}
	if found, byQuery := similarity[ids[0]]; byQuery && found < sureSimilarity {
		notices = append(notices, fmt.Sprintf("the query fits this memory by %.0f%% only; to destroy it, name its id: %s", 100*found, ids[0].Short()))
	}
	return notices
}

// OthersHaveCopies reports whether a memory that the view does not show has one of the
// texts. A decision for one user never changes what another user has.
func (s Selector) OthersHaveCopies(ctx context.Context, who memory.View, ids []memory.ID) (bool, error) {
	if who.Users == nil {
		return false, nil
	}
	declarations, err := s.DB.DeclarationsOfCopies(ctx, ids)
	return slices.ContainsFunc(declarations, func(d index.Declarations) bool { return !who.Reads(d.Memory.User) }), err
}

// AddOwnCopies adds the copies of some memories that the view shows, and whose state
// the action changes. A user's decision covers these copies alone: another user may keep
// the same text, or write it later.
func (s Selector) AddOwnCopies(ctx context.Context, who memory.View, action memory.Action, ids []memory.ID) ([]memory.ID, error) {
	declarations, err := s.DB.DeclarationsOfCopies(ctx, ids)
	all := slices.Clone(ids)
	for _, d := range declarations {
		isChanged := d.InDoubt || d.Memory.Forgotten == (action == memory.ActionRestore)
		if isChanged && who.Reads(d.Memory.User) && !slices.Contains(all, d.Memory.ID) {
			all = append(all, d.Memory.ID)
		}
	}
	return all, err
}
