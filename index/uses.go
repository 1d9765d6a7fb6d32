package index

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Use is one delivery of a memory. Its day is that of At in At's own time zone.
type Use struct {
	ID      memory.ID
	Session string
	At      time.Time
}

// maxUseDays is the number of days with a use that a memory keeps, as the schema
// describes. The rows of the table uses are kept as long.
const maxUseDays = 60

// AddUses counts uses, once per memory, session and day. It ignores uses of deleted
// memories.
func (db *DB) AddUses(ctx context.Context, now time.Time, uses []Use) error {
	if len(uses) == 0 {
		return nil
	}
	return db.Update(ctx, now, func(tx *Tx) error { return tx.AddUses(uses) })
}

// AddUses is [DB.AddUses] as part of a larger transaction.
func (tx *Tx) AddUses(uses []Use) error {
	ids := map[memory.ID]bool{}
	for _, u := range uses {
		ids[u.ID] = true
	}
	before, err := tx.readRows(sortedKeys(ids))
	if err != nil {
		return err
	}
	after := map[memory.ID]*memoryRow{}
	for _, u := range uses {
		if before[u.ID] == nil {
			continue
		}
		day := u.At.Format(time.DateOnly)
		added, err := tx.sql.Count("INSERT OR IGNORE INTO uses(memory_id, session, day, at) VALUES (?, ?, ?, ?)",
			u.ID, u.Session, day, sqlite.ToMillis(u.At))
		if err != nil {
			return err
		}
		if added == 0 {
			continue
		}
		if after[u.ID] == nil {
			r := *before[u.ID]
			after[u.ID] = &r
		}
		after[u.ID].addUse(day, sqlite.ToMillis(u.At))
	}
	for _, id := range sortedKeys(after) {
		if err := tx.saveRow(before[id], after[id]); err != nil {
			return err
		}
	}
	if err := tx.noteChanged(sortedKeys(after)...); err != nil {
		return err
	}
	return tx.sql.Exec("DELETE FROM uses WHERE day < ?", tx.Now.AddDate(0, 0, -maxUseDays).Format(time.DateOnly))
}

func (r *memoryRow) addUse(day string, at sqlite.Millis) {
	r.UseCount++
	r.LastAccessed = max(r.LastAccessed, at)
	days := sqlite.ParseJSONList(r.UseDays)
	if i, known := slices.BinarySearch(days, day); !known {
		days = slices.Insert(days, i, day)
	}
	r.UseDays = sqlite.JSONList(days[max(0, len(days)-maxUseDays):])
}
