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

// nearestOf compares the query with each of a few memories.
func (db *DB) nearestOf(ctx context.Context, m model, vec []float32, ids []memory.ID, f *filter, k int) ([]memory.Candidate, error) {
	var all []memory.Candidate
	err := db.sql.Read().Each(ctx, `SELECT c.memory_id, e.vector FROM chunks c
		JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
		WHERE c.memory_id IN (SELECT value FROM json_each(?))`, []any{m.name, list(ids)},
		func(scan func(...any) error) error {
			var c memory.Candidate
			var b []byte
			if err := scan(&c.ID, &b); err != nil || len(b) != 4*m.dim {
				return err
			}
			for i, x := range vectorOf(b) {
				c.Raw += float64(x) * float64(vec[i])
			}
			all = append(all, c)
			return nil
		})
	if err != nil {
		return nil, err
	}
	return db.letThrough(ctx, all, f, k)
}
