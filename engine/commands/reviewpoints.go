package commands

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/workspace"
)

const (
	capturedWithin = 14 * 24 * time.Hour // how long a captured memory waits for a person's look
	ageingWithin   = 7 * 24 * time.Hour  // how early the loss of a tier is announced
)

// reviewer collects what a person should look at.
type reviewer struct {
	*Points
	now      time.Time
	reviewed map[index.ReviewMark]bool
	memories []memory.Memory // the visible ones, newest first
	byID     map[memory.ID]memory.Memory
	points   []memory.ReviewItem
}

// Points finds what a person should look at in one index.
type Points struct {
	db   *index.DB
	zone *time.Location // of the days in reasons

	mu    sync.Mutex
	pairs *memoryPairs // of the last review; nil: none
}

// NewPoints returns the points of an index.
func NewPoints(db *index.DB, zone *time.Location) *Points { return &Points{db: db, zone: zone} }

// Find returns the points that nobody has settled, by kind.
func (p *Points) Find(ctx context.Context, now time.Time, limits decay.Thresholds) ([]memory.ReviewItem, error) {
	v := reviewer{Points: p, now: now, byID: map[memory.ID]memory.Memory{}}
	var err error
	if v.reviewed, err = p.db.Reviewed(ctx); err != nil {
		return nil, err
	}
	if v.memories, _, err = p.db.List(ctx, memory.Predicate{Archive: true}, "created_at", 0, 0); err != nil {
		return nil, err
	}
	for _, m := range v.memories {
		v.byID[m.ID] = m
	}
	v.addTrust()
	v.addExpired()
	for _, add := range []func(context.Context) error{v.addPairs, v.addStaleQuotes} {
		if err := add(ctx); err != nil {
			return nil, err
		}
	}
	if err := v.addAgeing(ctx, limits); err != nil {
		return nil, err
	}
	order := func(i memory.ReviewItem) int { return slices.Index(memory.ReviewKinds, i.Kind) }
	slices.SortStableFunc(v.points, func(a, b memory.ReviewItem) int { return cmp.Compare(order(a), order(b)) })
	return v.points, nil
}

// add adds a point, unless a person has settled it.
func (v *reviewer) add(kind memory.ReviewKind, m memory.Memory, other *memory.Memory, reason string, args ...any) {
	if !v.reviewed[reviewMark(kind, m, other)] {
		v.points = append(v.points, memory.ReviewItem{Kind: kind, Memory: m, Other: other, Reason: fmt.Sprintf(reason, args...)})
	}
}

// reviewMark returns the mark of a settled point. The order of a pair does not matter.
func reviewMark(kind memory.ReviewKind, m memory.Memory, other *memory.Memory) index.ReviewMark {
	if other == nil {
		return index.ReviewMark{ID: m.ID, Kind: kind, Texts: index.ReviewTexts(m.Fingerprint)}
	}
	first, second := m, *other
	if second.ID < first.ID {
		first, second = second, first
	}
	return index.ReviewMark{ID: first.ID, Other: second.ID, Kind: kind, Texts: index.ReviewTexts(first.Fingerprint, second.Fingerprint)}
}

// isInForce reports whether a memory may reach a model as far as its tier and its
// versions are concerned.
func (v *reviewer) isInForce(m memory.Memory) bool {
	return m.Tier != memory.TierArchive && m.SupersededBy == nil && !v.hasExpired(m)
}

func (v *reviewer) hasExpired(m memory.Memory) bool {
	return m.ExpiresAt != nil && !m.ExpiresAt.After(v.now)
}

// addTrust adds what others said and what was captured lately, each memory once.
func (v *reviewer) addTrust() {
	for _, m := range v.memories {
		captured := m.Source == memory.SourceAutoCapture || m.Source == memory.SourceTool
		switch {
		case !v.isInForce(m):
		case m.Trust == memory.TrustQuarantined:
			v.add(memory.ReviewQuarantined, m, nil, "quarantined: no model sees it until you trust it")
		case m.Trust == memory.TrustUntrusted:
			v.add(memory.ReviewUntrusted, m, nil, "these are not the owner's words (source: %s)", m.Source)
		case captured && v.now.Sub(m.CreatedAt) < capturedWithin:
			v.add(memory.ReviewCaptured, m, nil, "kept on %s (source: %s)", v.day(m.CreatedAt), m.Source)
		}
	}
}

func (v *reviewer) day(at time.Time) string { return at.In(v.zone).Format(time.DateOnly) }

func (v *reviewer) addExpired() {
	for _, m := range v.memories {
		if v.hasExpired(m) {
			v.add(memory.ReviewExpired, m, nil, "it expired on %s", v.day(*m.ExpiresAt))
		}
	}
}

// addAgeing adds the memories that leave WARM, or a prompt altogether, within a week.
// HOT memories are left out: nearly all of them become COLD after three days.
func (v *reviewer) addAgeing(ctx context.Context, limits decay.Thresholds) error {
	moved, err := ageing.MovesAt(ctx, v.db, limits, v.now, v.now.Add(ageingWithin))
	for _, move := range moved.Sorted() {
		m, visible := v.byID[move.ID]
		if visible && !v.hasExpired(m) && m.SupersededBy == nil && (m.Tier == memory.TierWarm && move.To == memory.TierCold || move.To == memory.TierArchive) {
			v.add(memory.ReviewAgeing, m, nil, "it becomes %s within a week: %s", move.To, move.Reason)
		}
	}
	return err
}

func (v *reviewer) addStaleQuotes(ctx context.Context) error {
	hidden, err := v.db.Hidden(ctx, memory.View{})
	if err != nil {
		return err
	}
	return v.db.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if m, visible := v.byID[q.About]; visible && plan.IsStale(q.Quote, q.Text) {
			v.add(memory.ReviewStaleQuote, m, nil, "a decision in %s quotes it as %q", q.Path, hidden.Field(q.Quote, nil))
		}
	})
}

// memoryPairs are the pairs of an index at a revision.
type memoryPairs struct {
	revision                   int64
	contradictions, duplicates [][2]memory.ID
}

// addPairs adds contradictions and near-duplicates. Superseded memories are settled.
func (v *reviewer) addPairs(ctx context.Context) error {
	revision, err := v.db.Revision(ctx)
	if err != nil {
		return err
	}
	v.mu.Lock()
	found := v.pairs
	v.mu.Unlock()
	if found == nil || found.revision != revision {
		found = v.findPairs()
		found.revision = revision
		v.mu.Lock()
		v.pairs = found
		v.mu.Unlock()
	}
	for _, kind := range []struct {
		kind   memory.ReviewKind
		pairs  [][2]memory.ID
		reason string
	}{{memory.ReviewContradiction, found.contradictions, "they give different values, of %s and of %s"}, {memory.ReviewNearDuplicate, found.duplicates, "they say the same, on %s and on %s"}} {
		for _, pair := range kind.pairs {
			m, known := v.byID[pair[0]]
			other, otherKnown := v.byID[pair[1]]
			if known && otherKnown && v.isInForce(m) && v.isInForce(other) {
				v.add(kind.kind, m, &other, kind.reason, v.day(m.CreatedAt), v.day(other.CreatedAt))
			}
		}
	}
	return nil
}

// findPairs compares the memories of each user that are in force. A merge of two users'
// memories would take one away from its user.
func (v *reviewer) findPairs() *memoryPairs {
	ofUser := map[string][]memory.Memory{}
	for _, m := range v.memories {
		if v.isInForce(m) && m.Trust != memory.TrustQuarantined {
			ofUser[m.User] = append(ofUser[m.User], m)
		}
	}
	var found memoryPairs
	for _, user := range slices.Sorted(maps.Keys(ofUser)) {
		list := ofUser[user]
		found.contradictions = append(found.contradictions, idsOfPairs(list, alignment.Contradictions(v.saidIn(list)))...)
		slices.SortStableFunc(list, store.ComparePreference)
		found.duplicates = append(found.duplicates, idsOfPairs(list, alignment.NearDuplicates(memory.TextsOf(list)))...)
	}
	return &found
}

// saidIn returns what is compared of some memories.
func (v *reviewer) saidIn(list []memory.Memory) []alignment.Said {
	said := make([]alignment.Said, len(list))
	for i, m := range list {
		_, dated := workspace.DateOf(m.Path, v.zone)
		said[i] = alignment.Said{Text: m.Text, Topic: strings.Join(chunker.Topics(m.Heading), " "), Dated: dated}
	}
	return said
}

func idsOfPairs(list []memory.Memory, pairs []alignment.Pair) (ids [][2]memory.ID) {
	for _, p := range pairs {
		ids = append(ids, [2]memory.ID{list[p.First].ID, list[p.Second].ID})
	}
	return ids
}
