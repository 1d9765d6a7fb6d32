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
	Kind    UseKind
}

// UseKind is how a use came about. Every kind counts as a use. Only an earned one
// keeps a memory from ageing: a memory whose tier and uses gave it a place would
// otherwise keep its tier and get more uses because of them.
type UseKind int

// The kinds of a use, in ascending order. The table uses contains them.
const (
	UseDelivered UseKind = iota // its tier or its uses gave it the place
	UseInjected                 // its similarity alone was enough for the place
	UseRequested                // a model asked with a tool, and its similarity was enough
)

// maxUseDays is the number of days with a use that a memory keeps, as the schema
// describes. The rows of the table uses are kept as long.
const maxUseDays = 60

// Used is what the index has of the uses of one memory.
type Used struct {
	Counted bool    // in the session and on the day that were asked for
	Kind    UseKind // of the counted use
	Count   int
	Days    []string // sorted
}

// Uses returns the uses of memories, and whether they were used in a session on a day.
func (db *DB) Uses(ctx context.Context, ids []memory.ID, session, day string) (map[memory.ID]Used, error) {
	used := map[memory.ID]Used{}
	err := db.sql.Read().Each(ctx, `SELECT m.id, m.use_count, m.use_days, u.kind IS NOT NULL, coalesce(u.kind, 0)
		FROM memories m LEFT JOIN uses u ON u.memory_id = m.id AND u.session = ? AND u.day = ?
		WHERE m.id IN (SELECT value FROM json_each(?))`, []any{session, day, sqlite.JSONList(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var u Used
			var days string
			err := scan(&id, &u.Count, &days, &u.Counted, &u.Kind)
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
		known, err := tx.recordUse(u)
		if err != nil {
			return err
		}
		if known != nil && *known >= u.Kind {
			continue
		}
		if after[u.ID] == nil {
			r := *before[u.ID]
			after[u.ID] = &r
		}
		if known == nil {
			after[u.ID].addUse(u)
		}
		after[u.ID].addEarned(u, known != nil && *known >= UseInjected)
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

// recordUse records a use, or raises the kind of the one that the session has on
// that day. It returns the kind that was recorded before; nil: none was.
func (tx *Tx) recordUse(u Use) (known *UseKind, err error) {
	day := u.At.Format(time.DateOnly)
	err = tx.sql.Each("SELECT kind FROM uses WHERE memory_id = ? AND session = ? AND day = ?", []any{u.ID, u.Session, day},
		func(scan func(...any) error) error {
			known = new(UseKind)
			return scan(known)
		})
	if err != nil {
		return nil, err
	}
	return known, tx.sql.Exec(`INSERT INTO uses(memory_id, session, day, at, kind) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET kind = max(kind, excluded.kind)`, u.ID, u.Session, day, sqlite.ToMillis(u.At), u.Kind)
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
	added, err := tx.sql.Count(`INSERT OR IGNORE INTO uses(memory_id, session, day, at, kind)
		SELECT ?, session, day, at, kind FROM uses WHERE memory_id = ?`, elder.ID, younger.ID)
	if err != nil {
		return nil, err
	}
	after := *elder
	after.UseCount += int(added)
	after.LastAccessed = max(after.LastAccessed, younger.LastAccessed)
	after.InjectedAt = max(after.InjectedAt, younger.InjectedAt)
	after.RequestedAt = max(after.RequestedAt, younger.RequestedAt)
	days := append(sqlite.ParseJSONList(after.UseDays), sqlite.ParseJSONList(younger.UseDays)...)
	slices.Sort(days)
	days = slices.Compact(days)
	after.UseDays = sqlite.JSONList(days[max(0, len(days)-maxUseDays):])
	return &after, tx.saveRow(elder, &after)
}

func (r *memoryRow) addUse(u Use) {
	day := u.At.Format(time.DateOnly)
	r.UseCount++
	r.LastAccessed = max(r.LastAccessed, sqlite.ToMillis(u.At))
	days := sqlite.ParseJSONList(r.UseDays)
	if i, known := slices.BinarySearch(days, day); !known {
		days = slices.Insert(days, i, day)
	}
	r.UseDays = sqlite.JSONList(days[max(0, len(days)-maxUseDays):])
}

// addEarned counts a use for the ageing policy, if the memory earned it. known: the
// session has an earned use on that day already, and this one is a request.
func (r *memoryRow) addEarned(u Use, known bool) {
	switch u.Kind {
	case UseDelivered:
		return
	case UseInjected:
		r.InjectedAt = max(r.InjectedAt, sqlite.ToMillis(u.At))
	case UseRequested:
		r.RequestedAt = max(r.RequestedAt, sqlite.ToMillis(u.At))
	}
	if known {
		return
	}
	r.TierUses++
	if day := u.At.Format(time.DateOnly); day > r.TierUsedOn {
		r.TierUseDays, r.TierUsedOn = r.TierUseDays+1, day
	}
}
