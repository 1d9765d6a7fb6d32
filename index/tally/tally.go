// Package tally counts memories by their attributes. A tally of all memories can follow
// changes: it adds what a change adds, and takes away what it takes away.
package tally

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Attributes are what memories are counted by.
type Attributes struct {
	Tier      memory.Tier
	Type      memory.Type
	Category  memory.Category
	Scope     memory.Scope
	Label     memory.ImportanceLabel
	Source    memory.Source
	Trust     memory.TrustTier
	HasLang   bool
	Forgotten bool
	Pinned    bool
	Missing   bool
}

// columns selects the columns that [scanRow] reads.
const columns = `SELECT tier, memory_type, category, scope, importance_label, source, trust_tier, lang <> '', do_not_inject, pinned,
	missing_since IS NOT NULL, octet_length(text), created_at FROM memories WHERE true`

func scanRow(scan func(...any) error) (a Attributes, bytes int, created sqlite.Millis, err error) {
	err = scan(&a.Tier, &a.Type, &a.Category, &a.Scope, &a.Label, &a.Source, &a.Trust, &a.HasLang, &a.Forgotten, &a.Pinned, &a.Missing, &bytes, &created)
	return a, bytes, created, err
}

// Tally counts memories by their attributes, and the present ones by the hour of their
// date. A difference between two tallies has negative counts too.
type Tally struct {
	groups map[Attributes]group
	hours  map[int64]int // since 1970
}

type group struct {
	memories int
	bytes    int // of their texts
}

const millisPerHour = 3_600_000

// Add counts n memories. -1 takes one away.
func (t *Tally) Add(a Attributes, bytes int, created sqlite.Millis, n int) {
	if t.groups == nil {
		t.groups, t.hours = map[Attributes]group{}, map[int64]int{}
	}
	t.addGroup(a, group{n, n * bytes})
	if !a.Missing {
		t.addHour(int64(created)/millisPerHour, n)
	}
}

func (t *Tally) addGroup(a Attributes, g group) {
	sum := t.groups[a]
	sum.memories, sum.bytes = sum.memories+g.memories, sum.bytes+g.bytes
	if t.groups[a] = sum; sum == (group{}) {
		delete(t.groups, a)
	}
}

func (t *Tally) addHour(hour int64, n int) {
	if t.hours[hour] += n; t.hours[hour] == 0 {
		delete(t.hours, hour)
	}
}

// Merge adds the counts of another tally.
func (t *Tally) Merge(other *Tally) {
	for a, g := range other.groups {
		t.addGroup(a, g)
	}
	for hour, n := range other.hours {
		t.addHour(hour, n)
	}
}

// Read counts the memories that pass conditions, which begin with AND.
func Read(ctx context.Context, q sqlite.Reader, conditions string, args []any) (*Tally, error) {
	t := &Tally{groups: map[Attributes]group{}, hours: map[int64]int{}}
	err := q.Each(ctx, columns+conditions, args, func(scan func(...any) error) error {
		a, bytes, created, err := scanRow(scan)
		if err == nil {
			t.Add(a, bytes, created, 1)
		}
		return err
	})
	return t, err
}
