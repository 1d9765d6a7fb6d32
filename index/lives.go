package index

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index/sqlite"
)

const (
	selectLives = "SELECT id, first_seen, missing_since, tier, coalesce(tier_since, first_seen) FROM memories"

	// Rows of undo and of decisions have a tier as well, if they changed it.
	selectTierChanges = `SELECT memory_id, at, json_extract(old, '$.tier'), json_extract(new, '$.tier') FROM memory_audit
		WHERE json_extract(old, '$.tier') IS NOT NULL AND json_extract(new, '$.tier') IS NOT NULL ORDER BY at, seq`

	// The first sweep of a large index has one row for all its moves.
	selectBulkMoves = "SELECT at FROM memory_audit WHERE json_extract(new, '$.moves') > 0 ORDER BY at"
)

// Lives returns what is known of the tiers of some memories, missing ones included; nil
// means all. It adds the times at which memories were moved without a row for each in the
// audit.
func (db *DB) Lives(ctx context.Context, of map[memory.ID]bool) (lives []decay.Life, unaudited []time.Time, err error) {
	position := map[memory.ID]int{}
	err = db.sql.Snapshot(ctx, func(q sqlite.Reader) error {
		if err := q.Each(ctx, selectLives, nil, func(scan func(...any) error) error {
			var id memory.ID
			var l decay.Life
			var from, until, since sqlite.Millis
			err := scan(&id, &from, &until, &l.Tier, &since)
			if of != nil && !of[id] {
				return err
			}
			l.From, l.Until, l.TierSince = from.Time(), until.Time(), since.Time()
			position[id] = len(lives)
			lives = append(lives, l)
			return err
		}); err != nil {
			return err
		}
		if err := q.Each(ctx, selectTierChanges, nil, func(scan func(...any) error) error {
			var id memory.ID
			var at sqlite.Millis
			var c decay.Change
			err := scan(&id, &at, &c.From, &c.To)
			c.At = at.Time()
			if i, known := position[id]; known {
				lives[i].Changes = append(lives[i].Changes, c)
			}
			return err
		}); err != nil {
			return err
		}
		return q.Each(ctx, selectBulkMoves, nil, func(scan func(...any) error) error {
			var at sqlite.Millis
			err := scan(&at)
			unaudited = append(unaudited, at.Time())
			return err
		})
	})
	return lives, unaudited, sqlite.Wrap("read the tiers of the past", err)
}
