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

// Used is what the index has of the uses of one memory.
type Used struct {
	Counted bool // in the session and on the day that were asked for
	Count   int
	Days    []string // sorted
}

// Uses returns the uses of memories, and whether they were used in a session on a day.
func (db *DB) Uses(ctx context.Context, ids []memory.ID, session, day string) (map[memory.ID]Used, error) {
	used := map[memory.ID]Used{}
	err := db.sql.Read().Each(ctx, `SELECT id, use_count, use_days,
		EXISTS (SELECT 1 FROM uses WHERE memory_id = memories.id AND session = ? AND day = ?)
		FROM memories WHERE id IN (SELECT value FROM json_each(?))`, []any{session, day, sqlite.JSONList(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var u Used
			var days string
			err := scan(&id, &u.Count, &days, &u.Counted)
			u.Days = sqlite.ParseJSONList(days)
			used[id] = u
			return err
		})
	return used, sqlite.Wrap("read uses", err)
}

// AddUses counts uses, once per memory, session and day. A use of a
// memory that another one took over counts for that one. Uses of other deleted
// memories are ignored.
func (db *DB) AddUses(ctx context.Context, now time.Time, uses []Use) error {
	if len(uses) == 0 {
		return nil
	}
	return db.Update(ctx, now, func(tx *Tx) error { return tx.AddUses(uses) })
}

// AddUses is [DB.AddUses] as part of a larger transaction.
func (tx *Tx) AddUses(uses []Use) error {
	uses, err := tx.usesOfHeirs(uses)
	if err != nil {
		return err
	}
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

// maxHeirs bounds how often a memory is followed to the one that took it over. Each
// takeover needs two saves of a file, and uses wait a second.
const maxHeirs = 8

// usesOfHeirs replaces each memory that was taken over by the one that took it over.
func (tx *Tx) usesOfHeirs(uses []Use) ([]Use, error) {
	uses = slices.Clone(uses)
	for i := range uses {
		for range maxHeirs {
			heir, gone := tx.db.heirs.Load(uses[i].ID)
			if !gone {
				break
			}
			exists, err := tx.readRows([]memory.ID{uses[i].ID})
			if err != nil {
				return nil, err
			}
			if exists[uses[i].ID] != nil {
				break // another text got the id since
			}
			uses[i].ID, _ = heir.(memory.ID)
		}
	}
	return uses, nil
}

// inheritUses adds the uses of a younger memory to the older one that takes it over.
// A session counts once a day for both.
func (tx *Tx) inheritUses(elder, younger *memoryRow) (*memoryRow, error) {
	added, err := tx.sql.Count(`INSERT OR IGNORE INTO uses(memory_id, session, day, at)
		SELECT ?, session, day, at FROM uses WHERE memory_id = ?`, elder.ID, younger.ID)
	if err != nil {
		return nil, err
	}
	after := *elder
	after.UseCount += int(added)
	after.LastAccessed = max(after.LastAccessed, younger.LastAccessed)
	days := append(sqlite.ParseJSONList(after.UseDays), sqlite.ParseJSONList(younger.UseDays)...)
	slices.Sort(days)
	days = slices.Compact(days)
	after.UseDays = sqlite.JSONList(days[max(0, len(days)-maxUseDays):])
	return &after, tx.saveRow(elder, &after)
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
