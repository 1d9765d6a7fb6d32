package index

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
)

// few is how many memories a predicate may name for each to be looked at by
// itself: beyond it, looking through everything is cheaper.
const few = 2000

var errNone = errors.New("the predicate lets nothing through")

// narrow names the memories that a predicate means where it wants forgotten ones
// alone. They are few, and a lane that looks for its best through everything
// would go on to the last memory to find them. errNone: there are none.
func (db *DB) narrow(ctx context.Context, p memory.Predicate) (memory.Predicate, error) {
	if p.Forgotten != memory.Only || len(p.IDs) > 0 {
		return p, nil
	}
	var ids []memory.ID
	err := db.sql.Read().Each(ctx, "SELECT id FROM memories WHERE do_not_inject = 1 ORDER BY id LIMIT ?", []any{few + 1},
		func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	switch {
	case err != nil:
		return p, err
	case len(ids) == 0:
		return p, errNone
	case len(ids) <= few:
		p.IDs = ids
	}
	return p, nil
}

// narrow does so on a shelf.
func (s *shelf) narrow(p *memory.Predicate) {
	if p.Forgotten != memory.Only || len(p.IDs) > 0 || s.hidden > few {
		return
	}
	for at, forgotten := range s.forgotten {
		if len(p.IDs) == s.hidden {
			break
		}
		if forgotten {
			p.IDs = append(p.IDs, s.memories[at].id)
		}
	}
}

// leavesOf are those of some memories that have a vector.
func (s *shelf) leavesOf(ids []memory.ID) (found []int32) {
	for _, id := range ids {
		if at, known := s.slots[id]; known {
			for _, l := range s.memories[at].leaves {
				if s.vectors.known[l] {
					found = append(found, l)
				}
			}
		}
	}
	return found
}
