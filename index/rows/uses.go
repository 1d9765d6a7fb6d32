package rows

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Use is one delivery of a memory. Its day is that of At in At's own time zone.
type Use struct {
	ID      memory.ID
	User    string // who got it; empty: not known
	Session string
	Day     string // of a use on another machine, by its time zone; empty: that of At
	At      time.Time
	Kind    Kind
}

func (u Use) day() string { return cmp.Or(u.Day, u.At.Format(time.DateOnly)) }

// Kind is how a use came about. Every kind counts as a use. Only an earned one
// keeps a memory from ageing. Otherwise a memory whose tier and uses gave it a
// place would keep its tier. It would get more uses because of them.
type Kind int

// The kinds of a use, in ascending order. The table uses contains them.
const (
	Delivered Kind = iota // its tier or its uses gave it the place
	Injected              // its similarity alone was enough for the place
	Requested             // a model asked with a tool, and its similarity was enough
)

// MaxUseDays is the number of days with a use that a memory keeps, as the schema
// describes. The rows of the table uses are kept as long.
const MaxUseDays = 60

// OwnUses are the uses of a memory by one user, of the last days.
type OwnUses struct {
	Count int
	Days  []string // sorted
	Last  time.Time
}

// UsesBy returns the uses of memories by one user. Memories that this user was never given are
// not in it.
func (s *Reader) UsesBy(ctx context.Context, ids []memory.ID, names []string) (map[memory.ID]OwnUses, error) {
	own := map[memory.ID]OwnUses{}
	if len(names) == 0 || len(ids) == 0 {
		return own, nil
	}
	err := s.sql.Read().Each(ctx, `SELECT memory_id, count(*), max(at), json_group_array(DISTINCT day) FROM uses
		WHERE memory_id IN (SELECT value FROM json_each(?)) AND user IN (SELECT value FROM json_each(?)) GROUP BY memory_id`,
		[]any{sqldb.JSONList(ids), sqldb.JSONList(names)}, func(scan func(...any) error) error {
			var id memory.ID
			var o OwnUses
			var last sqldb.Millis
			var days string
			err := scan(&id, &o.Count, &last, &days)
			o.Last, o.Days = last.Time(), sqldb.ParseJSONList(days)
			slices.Sort(o.Days)
			own[id] = o
			return err
		})
	return own, sqldb.Wrap("read the uses of a user", err)
}

// AddUses counts uses, once per memory, session and day, and returns the memories whose
// counts changed. It ignores uses of unknown memories.
func (tx *Tx) AddUses(uses []Use) (changed []memory.ID, err error) {
	ids := map[memory.ID]bool{}
	for _, u := range uses {
		ids[u.ID] = true
	}
	before, err := tx.ReadMemories(slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return nil, err
	}
	after := map[memory.ID]*Memory{}
	for _, u := range uses {
		if before[u.ID] == nil {
			continue
		}
		known, err := tx.recordUse(u)
		if err != nil {
			return nil, err
		}
		if known != nil && *known >= u.Kind {
			continue
		}
		if after[u.ID] == nil {
			r := *before[u.ID]
			after[u.ID] = &r
		}
		if known == nil {
			addUse(after[u.ID], u)
		}
		addEarned(after[u.ID], u, known != nil && *known >= Injected)
	}
	changed = slices.Sorted(maps.Keys(after))
	for _, id := range changed {
		if err := tx.SaveMemory(before[id], after[id]); err != nil {
			return nil, err
		}
	}
	return changed, tx.sql.Exec("DELETE FROM uses WHERE day < ?", tx.now.AddDate(0, 0, -MaxUseDays).Format(time.DateOnly))
}

// recordUse records a use, or raises the kind of the one that the user has in the session on
// that day. It returns the kind that anybody had in the session before; nil: none was.
func (tx *Tx) recordUse(u Use) (known *Kind, err error) {
	day := u.day()
	err = tx.sql.Each("SELECT kind FROM uses WHERE memory_id = ? AND session = ? AND day = ? ORDER BY kind DESC LIMIT 1", []any{u.ID, u.Session, day},
		func(scan func(...any) error) error {
			known = new(Kind)
			return scan(known)
		})
	if err != nil {
		return nil, err
	}
	return known, tx.sql.Exec(`INSERT INTO uses(memory_id, user, session, day, at, kind) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (memory_id, user, session, day) DO UPDATE SET kind = max(uses.kind, excluded.kind)`, u.ID, u.User, u.Session, day, sqldb.ToMillis(u.At), u.Kind)
}

// InheritUses adds the uses of a younger memory to the older one that takes it over.
// A session counts once a day for both.
func (tx *Tx) InheritUses(elder, younger *Memory) (*Memory, error) {
	var added int
	err := tx.sql.One(`SELECT count(*) FROM (SELECT DISTINCT session, day FROM uses WHERE memory_id = ?
		EXCEPT SELECT session, day FROM uses WHERE memory_id = ?)`, []any{younger.ID, elder.ID}, &added)
	if err != nil {
		return nil, err
	}
	if err := tx.sql.Exec(`INSERT INTO uses(memory_id, user, session, day, at, kind)
		SELECT ?, user, session, day, at, kind FROM uses WHERE memory_id = ? ON CONFLICT DO NOTHING`, elder.ID, younger.ID); err != nil {
		return nil, err
	}
	after := *elder
	after.UseCount += added
	after.LastAccessed = max(after.LastAccessed, younger.LastAccessed)
	after.InjectedAt = max(after.InjectedAt, younger.InjectedAt)
	after.RequestedAt = max(after.RequestedAt, younger.RequestedAt)
	days := append(sqldb.ParseJSONList(after.UseDays), sqldb.ParseJSONList(younger.UseDays)...)
	slices.Sort(days)
	days = slices.Compact(days)
	after.UseDays = sqldb.JSONList(days[max(0, len(days)-MaxUseDays):])
	return &after, tx.SaveMemory(elder, &after)
}

// addUse counts a use.
func addUse(r *Memory, u Use) {
	day := u.day()
	r.UseCount++
	r.LastAccessed = max(r.LastAccessed, sqldb.ToMillis(u.At))
	days := sqldb.ParseJSONList(r.UseDays)
	if i, known := slices.BinarySearch(days, day); !known {
		days = slices.Insert(days, i, day)
	}
	r.UseDays = sqldb.JSONList(days[max(0, len(days)-MaxUseDays):])
}

// addEarned counts a use for the ageing policy, if the memory earned it. known: the
// session has an earned use on that day already, and this one is a request.
func addEarned(r *Memory, u Use, known bool) {
	switch u.Kind {
	case Delivered:
		return
	case Injected:
		r.InjectedAt = max(r.InjectedAt, sqldb.ToMillis(u.At))
	case Requested:
		r.RequestedAt = max(r.RequestedAt, sqldb.ToMillis(u.At))
	}
	if known || sqldb.ToMillis(u.At) < r.TierSince { // a use on another machine may be older
		return
	}
	r.TierUses++
	if day := u.day(); day > r.TierUsedOn {
		r.TierUseDays, r.TierUsedOn = r.TierUseDays+1, day
	}
}
