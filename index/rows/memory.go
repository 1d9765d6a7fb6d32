package rows

import (
	"reflect"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Memory is a row of the table memories. It is comparable, so that an unchanged
// row is not written.
type Memory struct {
	ID          memory.ID
	Text        string
	Fingerprint sqldb.Hash
	Wording     int64 // [wording.Wording.Key]

	// The state that memory.Resolve returned.
	Tier            memory.Tier
	TierReason      string
	Type            memory.Type
	Category        memory.Category
	Scope           memory.Scope
	User            string
	Importance      float64
	ImportanceLabel memory.ImportanceLabel
	Trust           memory.TrustTier
	Source          memory.Source
	SourceKind      string
	SourceRef       sqldb.NullText
	SourceHidden    string // set by [Set.Resolve]
	Tags            string
	Pinned          bool
	Forgotten       bool
	Private         bool
	CreatedAt       sqldb.Millis
	CreatedFrom     memory.DateSource
	ExpiresAt       sqldb.Millis

	Lang         string
	EntityRefs   sqldb.NullText
	SupersededBy sqldb.NullText
	EditedAt     sqldb.Millis
	LastAccessed sqldb.Millis
	UseCount     int
	UseDays      string

	// What the state is computed from.
	Sidecar          string
	Inherited        string
	Held             string // what protects it although no file declares it: another git branch does
	ObservedTier     memory.Tier
	ObservedTierAt   sqldb.Millis
	ObservedReason   string
	DeclaredTier     memory.Tier
	TierSeenAt       sqldb.Millis
	FirstSeen        sqldb.Millis
	FileTime         sqldb.Millis
	DateNamed        sqldb.Millis
	CommittedAt      sqldb.Millis
	GitNote          string
	DetectedType     memory.Type
	DetectedCategory memory.Category
	GradedImportance float64 // notGraded: none
	GradedLabel      memory.ImportanceLabel

	// What the ageing policy reads.
	TierSince   sqldb.Millis
	HeldUntil   sqldb.Millis
	InjectedAt  sqldb.Millis
	RequestedAt sqldb.Millis
	ReturnedAt  sqldb.Millis
	TierUses    int // earned uses since TierSince
	TierUseDays int
	TierUsedOn  string // the last of these days

	// The last place of a missing memory.
	MissingSince  sqldb.Millis
	LastPath      sqldb.NullText
	LastOrdinal   int
	LastLineStart int
	LastLineEnd   int
	LastHeading   string
	LastBlockID   string

	ChunksHash sqldb.Hash
}

// rowColumns are the columns of memories in the order of [Memory.pointers].
var rowColumns = strings.Fields(`id text fingerprint wording
	tier tier_reason memory_type category scope user importance importance_label trust_tier source source_kind source_ref source_hidden
	tags pinned do_not_inject private created_at expires_at
	lang entity_refs superseded_by edited_at last_accessed_at use_count use_days
	sidecar inherited held observed_tier observed_tier_at observed_reason declared_tier tier_seen_at first_seen file_time date_named
	committed_at git_note created_from
	detected_type detected_category graded_importance graded_label
	tier_since tier_held_until injected_at requested_at returned_at tier_uses tier_use_days tier_used_on
	missing_since last_path last_ordinal last_line_start last_line_end last_heading last_block_id chunks_hash`)

// pointers returns a pointer to the value of every column, to scan into and to
// write from.
func (r *Memory) pointers() []any {
	return []any{&r.ID, &r.Text, &r.Fingerprint, &r.Wording,
		&r.Tier, &r.TierReason, &r.Type, &r.Category, &r.Scope, &r.User, &r.Importance, &r.ImportanceLabel, &r.Trust,
		&r.Source, &r.SourceKind, &r.SourceRef, &r.SourceHidden,
		&r.Tags, &r.Pinned, &r.Forgotten, &r.Private, &r.CreatedAt, &r.ExpiresAt,
		&r.Lang, &r.EntityRefs, &r.SupersededBy, &r.EditedAt, &r.LastAccessed, &r.UseCount, &r.UseDays,
		&r.Sidecar, &r.Inherited, &r.Held, &r.ObservedTier, &r.ObservedTierAt, &r.ObservedReason, &r.DeclaredTier, &r.TierSeenAt, &r.FirstSeen, &r.FileTime,
		&r.DateNamed, &r.CommittedAt, &r.GitNote, &r.CreatedFrom, &r.DetectedType, &r.DetectedCategory, &r.GradedImportance, &r.GradedLabel,
		&r.TierSince, &r.HeldUntil, &r.InjectedAt, &r.RequestedAt, &r.ReturnedAt, &r.TierUses, &r.TierUseDays, &r.TierUsedOn,
		&r.MissingSince, &r.LastPath, &r.LastOrdinal, &r.LastLineStart, &r.LastLineEnd, &r.LastHeading,
		&r.LastBlockID, &r.ChunksHash}
}

var (
	selectRows = "SELECT " + strings.Join(rowColumns, ", ") +
		" FROM memories WHERE id IN (SELECT value FROM json_each(?))"
	insertRow = "INSERT INTO memories(" + strings.Join(rowColumns, ", ") + ") VALUES (" +
		strings.TrimSuffix(strings.Repeat("?, ", len(rowColumns)), ", ") + ")"
)

// NewMemory returns the row of a memory that is seen for the first time.
func NewMemory(id memory.ID, now sqldb.Millis) *Memory {
	return &Memory{ID: id, FirstSeen: now, GradedImportance: notGraded, UseDays: "[]", Sidecar: "{}", Inherited: "{}", Held: "{}", Tags: "[]", LastHeading: "[]"}
}

// ReadMemories reads memories by id. It leaves out those that the table does not have.
func (tx *Tx) ReadMemories(ids []memory.ID) (map[memory.ID]*Memory, error) {
	found := make(map[memory.ID]*Memory, len(ids))
	err := tx.sql.Each(selectRows, []any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		var r Memory
		if err := scan(r.pointers()...); err != nil {
			return err
		}
		found[r.ID] = &r
		return nil
	})
	return found, err
}

// SaveMemory inserts a new memory (before is nil), or updates the columns that
// differ, so that SQLite changes only the indexes on these.
func (tx *Tx) SaveMemory(before, after *Memory) error {
	tx.NoteSource(before, after)
	if before == nil {
		return tx.sql.Exec(insertRow, after.pointers()...)
	}
	var set []string
	var args []any
	oldValues, newValues := before.values(), after.values()
	for i, name := range rowColumns {
		if oldValues[i] != newValues[i] {
			set = append(set, name+" = ?")
			args = append(args, newValues[i])
		}
	}
	if len(set) == 0 {
		return nil
	}
	return tx.sql.Exec("UPDATE memories SET "+strings.Join(set, ", ")+" WHERE id = ?", append(args, after.ID)...)
}

// deleteMemory deletes the row of a memory.
func (tx *Tx) deleteMemory(id memory.ID) error {
	return tx.sql.Exec("DELETE FROM memories WHERE id = ?", id)
}

// values returns the value of every column.
func (r *Memory) values() []any {
	fields := r.pointers()
	for i, f := range fields {
		fields[i] = reflect.ValueOf(f).Elem().Interface()
	}
	return fields
}
