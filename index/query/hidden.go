package query

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/visibility"
)

// rowSet holds row numbers of chunks.
type rowSet struct {
	rows   map[int64]bool
	tokens float64 // in all these chunks
}

func (s rowSet) has(row int64) bool { return s.rows[row] }

// hiddenCondition returns the condition on memories m that do not exist for a predicate.
func hiddenCondition(p memory.Predicate) (condition string, args []any) {
	condition, args = visibility.HiddenBy(p.View, visibility.Table("m"), p.SecretRules())
	if p.Forgotten == memory.Exclude {
		condition += " OR m.do_not_inject"
	}
	return condition, args
}

// hiddenRows returns the chunks of memories that do not exist for a predicate.
func (s *Searcher) hiddenRows(ctx context.Context, p memory.Predicate) (rowSet, error) {
	cache, err := s.hidden.Get(s.db, func() (*hiddenCache, error) { return s.newHiddenCache(ctx) })
	if err != nil {
		return rowSet{}, err
	}
	p.Now, p.AsOf = time.UnixMilli(cache.lastEnd(p)), time.Time{}
	condition, args := hiddenCondition(p)
	if condition == "false" {
		return rowSet{}, nil
	}
	return cache.get(fmt.Sprint(condition, args), func() (rowSet, error) {
		hidden := rowSet{rows: map[int64]bool{}}
		err := s.db.Read().Each(ctx, `SELECT c.id, coalesce(d.sz, '') FROM memories m JOIN chunks c ON c.memory_id = m.id
			LEFT JOIN memories_fts_docsize d ON d.id = c.id WHERE `+condition, args, func(scan func(...any) error) error {
			var row int64
			var sizes []byte // of each column
			err := scan(&row, &sizes)
			hidden.rows[row] = true
			hidden.tokens += sumOfVarints(sizes)
			return err
		})
		return hidden, err
	})
}

// hiddenCache keeps the hidden rows of some conditions until the next commit.
type hiddenCache struct {
	mu   sync.Mutex
	of   map[string]rowSet
	ends []int64 // the times at which memories expire, in milliseconds, in order
}

func (s *Searcher) newHiddenCache(ctx context.Context) (*hiddenCache, error) {
	c := &hiddenCache{of: map[string]rowSet{}}
	return c, s.db.Read().Each(ctx, "SELECT DISTINCT expires_at FROM memories WHERE expires_at IS NOT NULL ORDER BY expires_at", nil, func(scan func(...any) error) error {
		var end int64
		err := scan(&end)
		c.ends = append(c.ends, end)
		return err
	})
}

// lastEnd returns the last time at which a memory has expired for a predicate, or 0. It
// selects the same memories until the next one expires, so that their rows are kept.
func (c *hiddenCache) lastEnd(p memory.Predicate) int64 {
	by := p.At()
	n := len(c.ends) // without a time, whatever expires at all has expired
	if !by.IsZero() {
		n = sort.Search(n, func(i int) bool { return c.ends[i] > by.UnixMilli() })
	}
	if n == 0 {
		return 0
	}
	return c.ends[n-1]
}

// maxHiddenSets is the number of conditions whose rows are kept: those of the users who
// ask at the same time.
const maxHiddenSets = 4

func (c *hiddenCache) get(key string, read func() (rowSet, error)) (rowSet, error) {
	c.mu.Lock()
	rows, known := c.of[key]
	c.mu.Unlock()
	if known {
		return rows, nil
	}
	rows, err := read()
	if err != nil {
		return rows, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.of) >= maxHiddenSets {
		clear(c.of)
	}
	c.of[key] = rows
	return rows, nil
}

// visibleDocFreq returns in how many chunks a token is, without hidden chunks. docFreq is
// the number with them.
func (s *Searcher) visibleDocFreq(ctx context.Context, token string, docFreq float64, hidden rowSet) (float64, error) {
	if len(hidden.rows) == 0 || docFreq == 0 {
		return docFreq, nil
	}
	// A query would stem the token again.
	rows, err := s.rowsOf(ctx, "SELECT group_concat(DISTINCT doc) FROM memories_fts_places WHERE term = ?", token)
	for _, row := range rows {
		if hidden.has(row) {
			docFreq--
		}
	}
	return docFreq, err
}
