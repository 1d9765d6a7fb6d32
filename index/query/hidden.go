package query

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// rowSet holds row numbers of chunks.
type rowSet map[int64]bool

func (s rowSet) has(row int64) bool { return s[row] }

// hiddenCondition returns the condition on memories m that do not exist for a predicate.
// The in-memory index hides the same: there, attributes.hiddenFrom says which.
func hiddenCondition(p memory.Predicate) (condition string, args []any) {
	conditions := []string{"false"}
	if p.Forgotten == memory.Exclude || p.Injectable {
		conditions = append(conditions, "m.do_not_inject = 1")
	}
	if p.Injectable {
		conditions = append(conditions, "m.private", "m.trust_tier = 'quarantined'", "m.importance_label = 'ignore'")
	}
	if len(p.Users) > 0 {
		conditions = append(conditions, "m.user NOT IN (SELECT value FROM json_each(?))")
		args = append(args, sqlite.JSONList(p.Users))
	}
	return strings.Join(conditions, " OR "), args
}

// hiddenRows returns the chunks of memories that do not exist for a predicate.
func (s *Searcher) hiddenRows(ctx context.Context, p memory.Predicate) (rowSet, error) {
	condition, args := hiddenCondition(p)
	if condition == "false" {
		return nil, nil
	}
	cache, err := s.hidden.Get(s.db, func() (*hiddenCache, error) { return &hiddenCache{of: map[string]rowSet{}}, nil })
	if err != nil {
		return nil, err
	}
	return cache.get(fmt.Sprint(condition, args), func() (rowSet, error) {
		rows := rowSet{}
		err := s.db.Read().Each(ctx, "SELECT c.id FROM memories m JOIN chunks c ON c.memory_id = m.id WHERE "+condition, args,
			func(scan func(...any) error) error {
				var row int64
				err := scan(&row)
				rows[row] = true
				return err
			})
		return rows, err
	})
}

// hiddenCache keeps the hidden rows of some conditions until the next commit.
type hiddenCache struct {
	mu sync.Mutex
	of map[string]rowSet
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
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.of) >= maxHiddenSets {
		clear(c.of)
	}
	c.of[key] = rows
	return rows, nil
}

// maxCounted is the number of chunks up to which the hidden ones are counted, as in
// the in-memory index.
const maxCounted = 1000

// visibleDocFreq returns the document frequency of a token without hidden chunks.
func (s *Searcher) visibleDocFreq(ctx context.Context, token string, docFreq float64, hidden rowSet) (float64, error) {
	if len(hidden) == 0 || docFreq == 0 || docFreq > maxCounted {
		return docFreq, nil
	}
	// A query would stem the token again.
	err := s.db.Read().Each(ctx, "SELECT DISTINCT doc FROM memories_fts_places WHERE term = ?", []any{token}, func(scan func(...any) error) error {
		var row int64
		err := scan(&row)
		if hidden.has(row) {
			docFreq--
		}
		return err
	})
	return docFreq, err
}
