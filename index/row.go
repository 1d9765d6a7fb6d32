package index

import (
	"reflect"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// memoryRow is a line of the table memories. It is comparable, so that what did not
// change is not written.
type memoryRow struct {
	ID          memory.ID
	Text        string
	Fingerprint sqlite.Hash

	// What holds now, as memory.Resolve has it.
	Tier            memory.Tier
	TierReason      string
	Type            memory.Type
	Category        memory.Category
	Scope           memory.Scope
	Importance      float64
	ImportanceLabel memory.ImportanceLabel
	Trust           memory.TrustTier
	Source          memory.Source
	SourceKind      string
	SourceRef       sqlite.NullText
	Tags            string
	Pinned          bool
	Forgotten       bool
	Private         bool
	CreatedAt       sqlite.Millis
	ExpiresAt       sqlite.Millis

	Lang         string
	EntityRefs   sqlite.NullText
	SupersededBy sqlite.NullText
	EditedAt     sqlite.Millis
	LastAccessed sqlite.Millis
	UseCount     int
	UseDays      string

	// What it is made from.
	Sidecar          string
	Inherited        string
	ObservedTier     memory.Tier
	ObservedTierAt   sqlite.Millis
	DeclaredTier     memory.Tier
	TierSeenAt       sqlite.Millis
	FirstSeen        sqlite.Millis
	FileTime         sqlite.Millis
	DateNamed        sqlite.Millis
	DetectedType     memory.Type
	DetectedCategory memory.Category

	// Where a missing one stood last.
	MissingSince  sqlite.Millis
	LastPath      sqlite.NullText
	LastOrdinal   int
	LastLineStart int
	LastLineEnd   int
	LastHeading   string
	LastBlockID   string

	ChunksHash sqlite.Hash
}

// rowColumns are the columns of memories in the order of fields.
var rowColumns = strings.Fields(`id text fingerprint
	tier tier_reason memory_type category scope importance importance_label trust_tier source source_kind source_ref
	tags pinned do_not_inject private created_at expires_at
	lang entity_refs superseded_by edited_at last_accessed_at use_count use_days
	sidecar inherited observed_tier observed_tier_at declared_tier tier_seen_at first_seen file_time date_named
	detected_type detected_category
	missing_since last_path last_ordinal last_line_start last_line_end last_heading last_block_id chunks_hash`)

// pointers points at every column's value, to scan into and to write from.
func (r *memoryRow) pointers() []any {
	return []any{&r.ID, &r.Text, &r.Fingerprint,
		&r.Tier, &r.TierReason, &r.Type, &r.Category, &r.Scope, &r.Importance, &r.ImportanceLabel, &r.Trust,
		&r.Source, &r.SourceKind, &r.SourceRef,
		&r.Tags, &r.Pinned, &r.Forgotten, &r.Private, &r.CreatedAt, &r.ExpiresAt,
		&r.Lang, &r.EntityRefs, &r.SupersededBy, &r.EditedAt, &r.LastAccessed, &r.UseCount, &r.UseDays,
		&r.Sidecar, &r.Inherited, &r.ObservedTier, &r.ObservedTierAt, &r.DeclaredTier, &r.TierSeenAt, &r.FirstSeen, &r.FileTime,
		&r.DateNamed, &r.DetectedType, &r.DetectedCategory,
		&r.MissingSince, &r.LastPath, &r.LastOrdinal, &r.LastLineStart, &r.LastLineEnd, &r.LastHeading,
		&r.LastBlockID, &r.ChunksHash}
}

var (
	selectRows = "SELECT " + strings.Join(rowColumns, ", ") +
		" FROM memories WHERE id IN (SELECT value FROM json_each(?))"
	insertRow = "INSERT INTO memories(" + strings.Join(rowColumns, ", ") + ") VALUES (" +
		strings.TrimSuffix(strings.Repeat("?, ", len(rowColumns)), ", ") + ")"
)

// newRow is a memory that has just been seen for the first time.
func newRow(id memory.ID, now sqlite.Millis) *memoryRow {
	return &memoryRow{ID: id, FirstSeen: now, UseDays: "[]", Sidecar: "{}", Inherited: "{}", Tags: "[]", LastHeading: "[]"}
}

// readRows reads memories by id; those that are not there are left out.
func (tx *Tx) readRows(ids []memory.ID) (map[memory.ID]*memoryRow, error) {
	found := make(map[memory.ID]*memoryRow, len(ids))
	err := tx.sql.Each(selectRows, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var r memoryRow
		if err := scan(r.pointers()...); err != nil {
			return err
		}
		found[r.ID] = &r
		return nil
	})
	return found, err
}

// saveRow writes a memory: all of it if it is new (was is nil), else the columns
// that differ, so that no index is touched for nothing.
func (tx *Tx) saveRow(was, is *memoryRow) error {
	if was == nil {
		return tx.sql.Exec(insertRow, is.pointers()...)
	}
	var set []string
	var args []any
	before, after := was.values(), is.values()
	for i, name := range rowColumns {
		if before[i] != after[i] {
			set = append(set, name+" = ?")
			args = append(args, after[i])
		}
	}
	if len(set) == 0 {
		return nil
	}
	return tx.sql.Exec("UPDATE memories SET "+strings.Join(set, ", ")+" WHERE id = ?", append(args, is.ID)...)
}

// sortedKeys gives the keys of a set in order: what is written in one order gives
// the same database twice.
func sortedKeys[K ~string, V any](set map[K]V) []K {
	keys := make([]K, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// values are the columns themselves.
func (r *memoryRow) values() []any {
	fields := r.pointers()
	for i, f := range fields {
		fields[i] = reflect.ValueOf(f).Elem().Interface()
	}
	return fields
}
