package query

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// attributes are what memories are counted by.
type attributes struct {
	tier                       memory.Tier
	memoryType                 memory.Type
	forgotten, pinned, missing bool
}

// counts has the number of memories with the same attributes.
type counts map[attributes]int

// read adds the memories that pass conditions, which begin with AND.
func (c counts) read(ctx context.Context, q sqldb.Reader, conditions string, args []any) error {
	return q.Each(ctx, `SELECT tier, memory_type, do_not_inject, pinned, missing_since IS NOT NULL AS missing, count(*)
		FROM memories WHERE true`+conditions+" GROUP BY tier, memory_type, do_not_inject, pinned, missing", args, func(scan func(...any) error) error {
		var a attributes
		var n int
		err := scan(&a.tier, &a.memoryType, &a.forgotten, &a.pinned, &a.missing, &n)
		c[a] += n
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
	c := counts{}
	if of.isAll() {
		return c, c.read(ctx, s.db.Read(), "", nil)
	}
	where, args := of.where()
	missing, missingArgs := of.whereUser()
	return c, s.db.Snapshot(ctx, func(q sqldb.Reader) error {
		if err := c.read(ctx, q, " AND missing_since IS NULL"+where, args); err != nil || of.Model {
			return err
		}
		return c.read(ctx, q, " AND missing_since IS NOT NULL"+missing, missingArgs)
	})
}

// addTo adds the numbers of memories to statistics.
func (c counts) addTo(s *memory.Stats) {
	s.Tiers, s.Types = zeros(memory.Tiers), zeros(memory.Types)
	for a, n := range c {
		if a.missing {
			s.Missing += n
			continue
		}
		s.Total += n
		s.Tiers[a.tier] += n
		s.Types[a.memoryType] += n
		if a.forgotten {
			s.Forgotten += n
		}
		if a.pinned {
			s.Pinned += n
		}
	}
}

// zeros returns a count of 0 for each word.
func zeros[W comparable](words []W) map[W]int {
	zero := make(map[W]int, len(words))
	for _, w := range words {
		zero[w] = 0
	}
	return zero
}
