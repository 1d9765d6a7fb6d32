package tally

import (
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// AddTo adds the numbers of memories to statistics.
func (t *Tally) AddTo(s *memory.Stats) {
	s.Tiers, s.Types = zeros(memory.Tiers), zeros(memory.Types)
	for a, g := range t.groups {
		if a.Missing {
			s.Missing += g.memories
			continue
		}
		s.Total += g.memories
		s.Tiers[a.Tier] += g.memories
		s.Types[a.Type] += g.memories
		if a.Forgotten {
			s.Forgotten += g.memories
		}
		if a.Pinned {
			s.Pinned += g.memories
		}
	}
}

// Breakdown returns the present memories by their attributes, and by their ages at now.
func (t *Tally) Breakdown(now time.Time) memory.Breakdown {
	b := memory.Breakdown{Scopes: map[memory.Scope]int{}, Categories: zeros(memory.Categories), ImportanceLabels: zeros(memory.ImportanceLabels),
		Sources: zeros(memory.Sources), TrustTiers: zeros(memory.TrustTiers), Unknown: map[string]float64{}, Ages: t.ages(now)}
	total, withLang := 0, 0
	for a, g := range t.groups {
		if a.Missing {
			continue
		}
		n := g.memories
		total += n
		b.Sizes.TextBytes += int64(g.bytes)
		b.Scopes[a.Scope] += n
		b.Categories[a.Category] += n
		b.ImportanceLabels[a.Label] += n
		b.Sources[a.Source] += n
		b.TrustTiers[a.Trust] += n
		if a.HasLang {
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
func (t *Tally) ages(now time.Time) (counts []memory.AgeCount) {
	for _, g := range ageGroups {
		counts = append(counts, memory.AgeCount{Age: g.name, Days: g.days})
	}
	hour := int64(sqlite.ToMillis(now)) / millisPerHour
	for created, n := range t.hours {
		i := 0
		for g := ageGroups[i]; g.days > 0 && hour-created >= int64(24*g.days); g = ageGroups[i] {
			i++
		}
		counts[i].Count += n
	}
	return counts
}

// zeros returns a count of 0 for each word.
func zeros[W comparable](words []W) map[W]int {
	counts := make(map[W]int, len(words))
	for _, w := range words {
		counts[w] = 0
	}
	return counts
}
