package index

import (
	"context"
	"errors"

	"github.com/memory-tiered/memory"
)

// maxRestricted is how many memories a predicate may name for each to be looked at by
// itself: beyond it, looking through everything is cheaper.
const maxRestricted = 2000

var errMatchesNothing = errors.New("the predicate lets nothing through")

// restrictToForgotten names the memories that a predicate means where it wants forgotten ones
// alone. They are few, and a lane that looks for its best through everything
// would go on to the last memory to find them. errNone: there are none.
func (db *DB) restrictToForgotten(ctx context.Context, p memory.Predicate) (memory.Predicate, error) {
	if p.Forgotten != memory.Only || len(p.IDs) > 0 {
		return p, nil
	}
	var ids []memory.ID
	err := db.sql.Read().Each(ctx, "SELECT id FROM memories WHERE do_not_inject = 1 ORDER BY id LIMIT ?", []any{maxRestricted + 1},
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
		return p, errMatchesNothing
	case len(ids) <= maxRestricted:
		p.IDs = ids
	}
	return p, nil
}

// restrictToForgotten does so on a shelf.
func (x *searchIndex) restrictToForgotten(p *memory.Predicate) {
	if p.Forgotten != memory.Only || len(p.IDs) > 0 || x.forgottenCount > maxRestricted {
		return
	}
	for at, forgotten := range x.forgotten {
		if len(p.IDs) == x.forgottenCount {
			break
		}
		if forgotten {
			p.IDs = append(p.IDs, x.docs[at].id)
		}
	}
}

// chunksWithVectors are those of some memories that have a vector.
func (x *searchIndex) chunksWithVectors(ids []memory.ID) (found []int32) {
	for _, id := range ids {
		if at, known := x.docIDs[id]; known {
			for _, l := range x.docs[at].chunks {
				if x.vectors.has[l] {
					found = append(found, l)
				}
			}
		}
	}
	return found
}
