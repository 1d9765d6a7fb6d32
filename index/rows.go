package index

import (
	"reflect"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/sqlite"
)

// memoryRow is a row of the table memories. It is comparable, so that an unchanged
// row is not written.
type memoryRow struct {
	ID          memory.ID
	Text        string
	Fingerprint sqlite.Hash

	// The state that memory.Resolve returned.
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
	CreatedFrom     memory.DateSource
	ExpiresAt       sqlite.Millis

	Lang         string
	EntityRefs   sqlite.NullText
	SupersededBy sqlite.NullText
	EditedAt     sqlite.Millis
	LastAccessed sqlite.Millis
	UseCount     int
	UseDays      string

	// What the state is computed from.
	Sidecar          string
	Inherited        string
	ObservedTier     memory.Tier
	ObservedTierAt   sqlite.Millis
	ObservedReason   string
	DeclaredTier     memory.Tier
	TierSeenAt       sqlite.Millis
	FirstSeen        sqlite.Millis
	FileTime         sqlite.Millis
	DateNamed        sqlite.Millis
	CommittedAt      sqlite.Millis
	GitNote          string
	DetectedType     memory.Type
	DetectedCategory memory.Category

	// What the ageing policy reads.
	TierSince   sqlite.Millis
	HeldUntil   sqlite.Millis
	InjectedAt  sqlite.Millis
	RequestedAt sqlite.Millis
	ReturnedAt  sqlite.Millis
	TierUses    int // earned uses since TierSince
	TierUseDays int
	TierUsedOn  string // the last of these days

	// The last place of a missing memory.
	MissingSince  sqlite.Millis
	LastPath      sqlite.NullText
	LastOrdinal   int
	LastLineStart int
	LastLineEnd   int
	LastHeading   string
	LastBlockID   string

	ChunksHash sqlite.Hash
}

// rowColumns are the columns of memories in the order of [memoryRow.pointers].
var rowColumns = strings.Fields(`id text fingerprint
	tier tier_reason memory_type category scope importance importance_label trust_tier source source_kind source_ref
	tags pinned do_not_inject private created_at expires_at
	lang entity_refs superseded_by edited_at last_accessed_at use_count use_days
	sidecar inherited observed_tier observed_tier_at observed_reason declared_tier tier_seen_at first_seen file_time date_named
	committed_at git_note created_from
	detected_type detected_category
	tier_since tier_held_until injected_at requested_at returned_at tier_uses tier_use_days tier_used_on
	missing_since last_path last_ordinal last_line_start last_line_end last_heading last_block_id chunks_hash`)

// pointers returns a pointer to the value of every column, to scan into and to
// write from.
func (r *memoryRow) pointers() []any {
	return []any{&r.ID, &r.Text, &r.Fingerprint,
		&r.Tier, &r.TierReason, &r.Type, &r.Category, &r.Scope, &r.Importance, &r.ImportanceLabel, &r.Trust,
		&r.Source, &r.SourceKind, &r.SourceRef,
		&r.Tags, &r.Pinned, &r.Forgotten, &r.Private, &r.CreatedAt, &r.ExpiresAt,
		&r.Lang, &r.EntityRefs, &r.SupersededBy, &r.EditedAt, &r.LastAccessed, &r.UseCount, &r.UseDays,
		&r.Sidecar, &r.Inherited, &r.ObservedTier, &r.ObservedTierAt, &r.ObservedReason, &r.DeclaredTier, &r.TierSeenAt, &r.FirstSeen, &r.FileTime,
		&r.DateNamed, &r.CommittedAt, &r.GitNote, &r.CreatedFrom, &r.DetectedType, &r.DetectedCategory,
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

// newRow returns the row of a memory that is seen for the first time.
func newRow(id memory.ID, now sqlite.Millis) *memoryRow {
	return &memoryRow{ID: id, FirstSeen: now, UseDays: "[]", Sidecar: "{}", Inherited: "{}", Tags: "[]", LastHeading: "[]"}
}

// readRows reads memories by id. It leaves out those that the table does not have.
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

// saveRow inserts a new memory (before is nil), or updates the columns that
// differ, so that SQLite changes only the indexes on these.
func (tx *Tx) saveRow(before, after *memoryRow) error {
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

// values returns the value of every column.
func (r *memoryRow) values() []any {
	fields := r.pointers()
	for i, f := range fields {
		fields[i] = reflect.ValueOf(f).Elem().Interface()
	}
	return fields
}

// place is a row of the table places: the block that contains a memory, and what
// is written there about it. It is comparable, so that an unchanged place is not
// written.
type place struct {
	ID          memory.ID
	Path        string
	Ordinal     int
	Start, End  int
	LineStart   int
	LineEnd     int
	Heading     string
	Kind        string
	BlockID     string
	Annotations string
	Links       string
	Triggers    string
}

const placeColumns = `memory_id, path, ordinal, span_start, span_end, line_start, line_end, heading, kind, block_id,
	annotations, links, triggers`

// pointers returns a pointer to the value of every column of placeColumns.
func (p *place) pointers() []any {
	return []any{&p.ID, &p.Path, &p.Ordinal, &p.Start, &p.End, &p.LineStart, &p.LineEnd, &p.Heading, &p.Kind,
		&p.BlockID, &p.Annotations, &p.Links, &p.Triggers}
}

func newPlace(p memory.Placement) (place, error) {
	b := p.Block
	annotations, err := declared.JSON(b.Annotations)
	return place{ID: p.ID, Path: p.Path, Ordinal: p.Ordinal, Start: b.Start, End: b.End,
		LineStart: b.LineStart, LineEnd: b.LineEnd, Heading: sqlite.JSONList(b.Heading), Kind: string(b.Kind), BlockID: b.BlockID,
		Annotations: annotations, Links: sqlite.JSONList(b.Links), Triggers: sqlite.JSONList(b.Triggers)}, err
}

// readPlaces reads the places that a condition on the table selects.
func (tx *Tx) readPlaces(condition string, args ...any) (map[memory.ID]place, error) {
	found := map[memory.ID]place{}
	err := tx.sql.Each("SELECT "+placeColumns+" FROM places WHERE "+condition, args, func(scan func(...any) error) error {
		var p place
		if err := scan(p.pointers()...); err != nil {
			return err
		}
		found[p.ID] = p
		return nil
	})
	return found, err
}

var insertPlace = "INSERT OR REPLACE INTO places(" + placeColumns + ") VALUES (" +
	strings.TrimSuffix(strings.Repeat("?, ", len((&place{}).pointers())), ", ") + ")"

// writePlaces writes the places that differ, and deletes those that after lacks.
func (tx *Tx) writePlaces(before, after map[memory.ID]place) error {
	for _, id := range sortedKeys(before) {
		if _, stays := after[id]; !stays {
			if err := tx.sql.Exec("DELETE FROM places WHERE memory_id = ?", id); err != nil {
				return err
			}
		}
	}
	for _, id := range sortedKeys(after) {
		p := after[id]
		if old, known := before[id]; known && old == p {
			continue
		}
		if err := tx.sql.Exec(insertPlace, p.pointers()...); err != nil {
			return err
		}
	}
	return nil
}

// sortedKeys returns the keys of a map in order, so that the same changes always
// make the same database.
func sortedKeys[K ~string, V any](set map[K]V) []K {
	keys := make([]K, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// fingerprintList returns fingerprints as a JSON array of hexadecimal strings.
func fingerprintList(fps []memory.Fingerprint) string {
	hex := make([]string, len(fps))
	for i, f := range fps {
		hex[i] = f.String()
	}
	return sqlite.JSONList(hex)
}
