package query

import (
	"context"
	"fmt"
	"sync"

	"github.com/memory-tiered/memory"
)

// hiddenSet keeps the hidden rows of the last condition, because a question searches several
// times.
type hiddenSet struct {
	mu   sync.Mutex
	of   string // the condition with its values
	rows rowSet
}

// rowSet holds row numbers of chunks.
type rowSet map[int32]bool

// hiddenCondition returns the condition on memories m that do not exist for a predicate.
func hiddenCondition(p memory.Predicate) (condition string, args []any) {
	condition, args = HiddenBy(p.View, TableRow("m"), p.SecretRules())
	if p.Forgotten == memory.Exclude {
		condition += " OR m.do_not_inject"
	}
	return condition, args
}

// hiddenRows returns the chunks of memories that do not exist for a predicate.
func (s *Searcher) hiddenRows(ctx context.Context, p memory.Predicate) (rowSet, error) {
	condition, args := hiddenCondition(p)
	kept, err := s.hidden.Get(s.db, func() (*hiddenSet, error) { return new(hiddenSet), nil })
	if err != nil {
		return nil, err
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	of := fmt.Sprint(condition, args)
	if kept.rows != nil && kept.of == of {
		return kept.rows, nil
	}
	hidden := rowSet{}
	err = s.db.Read().Each(ctx, "SELECT c.id FROM memories m JOIN chunks c ON c.memory_id = m.id WHERE "+condition, args, func(scan func(...any) error) error {
		var row int32
		err := scan(&row)
		hidden[row] = true
		return err
	})
	if err == nil {
		kept.of, kept.rows = of, hidden
	}
	return hidden, err
}
