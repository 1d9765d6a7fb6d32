package query

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// attributes are what memories are counted by.
type attributes struct {
	tier                                memory.Tier
	memoryType                          memory.Type
	category                            memory.Category
	scope                               memory.Scope
	label                               memory.ImportanceLabel
	source                              memory.Source
	trust                               memory.TrustTier
	hasLang, forgotten, pinned, missing bool
}

// counts counts memories by their attributes, and the present ones by the hour of their date.
type counts struct {
	groups map[attributes]group
	hours  map[int64]int // since 1970
}

type group struct {
	memories int
	bytes    int // of their texts
}

const millisPerHour = 3_600_000

// read adds the memories that pass conditions, which begin with AND.
func (c *counts) read(ctx context.Context, q sqlite.Reader, conditions string, args []any) error {
	return q.Each(ctx, `SELECT tier, memory_type, category, scope, importance_label, source, trust_tier, lang <> '', do_not_inject, pinned,
		missing_since IS NOT NULL, octet_length(text), created_at FROM memories WHERE true`+conditions, args, func(scan func(...any) error) error {
		var a attributes
		var bytes int
		var created sqlite.Millis
		err := scan(&a.tier, &a.memoryType, &a.category, &a.scope, &a.label, &a.source, &a.trust, &a.hasLang, &a.forgotten, &a.pinned, &a.missing, &bytes, &created)
		g := c.groups[a]
		c.groups[a] = group{g.memories + 1, g.bytes + bytes}
		if !a.missing {
			c.hours[int64(created)/millisPerHour]++
		}
		return err
	})
}

// countMemories counts the memories that are counted. It counts all of them once between two
// commits.
func (s *Searcher) countMemories(ctx context.Context, of Counted) (counts, error) {
	if of.isAll() {
		return s.counts.Get(s.db, func() (counts, error) { return s.readCounts(ctx, of) })
	}
	return s.readCounts(ctx, of)
}

func (s *Searcher) readCounts(ctx context.Context, of Counted) (counts, error) {
	c := counts{map[attributes]group{}, map[int64]int{}}
	if of.isAll() {
		return c, c.read(ctx, s.db.Read(), "", nil)
	}
	where, args := of.where()
	missing, missingArgs := of.whereUser()
	return c, s.db.Snapshot(ctx, func(q sqlite.Reader) error {
		if err := c.read(ctx, q, " AND missing_since IS NULL"+where, args); err != nil || of.Model {
			return err
		}
		return c.read(ctx, q, " AND missing_since IS NOT NULL"+missing, missingArgs)
	})
}

// addTo adds the numbers of memories to statistics.
func (c counts) addTo(s *memory.Stats) {
	s.Tiers, s.Types = zeros(memory.Tiers), zeros(memory.Types)
	for a, g := range c.groups {
		if a.missing {
			s.Missing += g.memories
			continue
		}
		s.Total += g.memories
		s.Tiers[a.tier] += g.memories
		s.Types[a.memoryType] += g.memories
		if a.forgotten {
			s.Forgotten += g.memories
		}
		if a.pinned {
			s.Pinned += g.memories
		}
	}
}

// breakdown returns the present memories by their attributes, and by their ages at now.
func (c counts) breakdown(now time.Time) memory.Breakdown {
	b := memory.Breakdown{Scopes: map[memory.Scope]int{}, Categories: zeros(memory.Categories), ImportanceLabels: zeros(memory.ImportanceLabels),
		Sources: zeros(memory.Sources), TrustTiers: zeros(memory.TrustTiers), Unknown: map[string]float64{}, Ages: c.ages(now)}
	total, withLang := 0, 0
	for a, g := range c.groups {
		if a.missing {
			continue
		}
		n := g.memories
		total += n
		b.Sizes.TextBytes += int64(g.bytes)
		b.Scopes[a.scope] += n
		b.Categories[a.category] += n
		b.ImportanceLabels[a.label] += n
		b.Sources[a.source] += n
		b.TrustTiers[a.trust] += n
		if a.hasLang {
			withLang += n
		}
	}
	for name, n := range map[string]int{"scope": b.Scopes[""], "category": b.Categories[memory.CategoryOther],
		"importance_label": b.ImportanceLabels[memory.ImportanceUnknown], "lang": total - withLang} {
		b.Unknown[name] = float64(n) / float64(max(1, total))
	}
	delete(b.Scopes, "") // memories without a scope
	return b
}

// ageGroups are the groups of a breakdown by age, in days. The last one has no end.
var ageGroups = []struct {
	name string
	days int
}{{"day", 1}, {"week", 7}, {"month", 30}, {"quarter", 91}, {"year", 365}, {"older", 0}}

// ages counts the present memories by age at now, to the hour. A date in the future is young.
func (c counts) ages(now time.Time) (list []memory.AgeCount) {
	for _, g := range ageGroups {
		list = append(list, memory.AgeCount{Age: g.name, Days: g.days})
	}
	hour := int64(sqlite.ToMillis(now)) / millisPerHour
	for created, n := range c.hours {
		i := 0
		for g := ageGroups[i]; g.days > 0 && hour-created >= int64(24*g.days); g = ageGroups[i] {
			i++
		}
		list[i].Count += n
	}
	return list
}

// zeros returns a count of 0 for each word.
func zeros[W comparable](words []W) map[W]int {
	zero := make(map[W]int, len(words))
	for _, w := range words {
		zero[w] = 0
	}
	return zero
}
