package rows

import (
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Place is a row of the table places: the block that contains a memory, and what
// is written there about it. It is comparable, so that an unchanged place is not
// written.
type Place struct {
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
	Hash        int64 // [memory.Placement.Hash]
}

const placeColumns = `memory_id, path, ordinal, span_start, span_end, line_start, line_end, heading, kind, block_id,
	annotations, links, triggers, hash`

// pointers returns a pointer to the value of every column of placeColumns.
func (p *Place) pointers() []any {
	return []any{&p.ID, &p.Path, &p.Ordinal, &p.Start, &p.End, &p.LineStart, &p.LineEnd, &p.Heading, &p.Kind,
		&p.BlockID, &p.Annotations, &p.Links, &p.Triggers, &p.Hash}
}

// NewPlace returns the place of a block.
func NewPlace(p memory.Placement) (Place, error) {
	b := p.Block
	annotations, err := EncodeJSON(b.Annotations)
	return Place{ID: p.ID, Path: p.Path, Ordinal: p.Ordinal, Start: b.Start, End: b.End,
		LineStart: b.LineStart, LineEnd: b.LineEnd, Heading: sqldb.JSONList(b.Heading), Kind: string(b.Kind), BlockID: b.BlockID,
		Annotations: annotations, Links: sqldb.JSONList(b.Links), Triggers: sqldb.JSONList(b.Triggers), Hash: p.Hash}, err
}

// readPlaces reads the places that a condition on the table selects.
func (tx *Tx) readPlaces(condition string, args ...any) (map[memory.ID]Place, error) {
	found := map[memory.ID]Place{}
	err := tx.sql.Each("SELECT "+placeColumns+" FROM places WHERE "+condition, args, func(scan func(...any) error) error {
		var p Place
		if err := scan(p.pointers()...); err != nil {
			return err
		}
		found[p.ID] = p
		return nil
	})
	return found, err
}

var insertPlace = "INSERT INTO places(" + placeColumns + ") VALUES (" +
	strings.TrimSuffix(strings.Repeat("?, ", len((&Place{}).pointers())), ", ") + ") ON CONFLICT (memory_id) DO UPDATE SET " +
	sqldb.Excluded(placeColumns)

// writePlaces writes the places that differ, and deletes those that after lacks.
func (tx *Tx) writePlaces(before, after map[memory.ID]Place) error {
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if _, stays := after[id]; !stays {
			if err := tx.sql.Exec("DELETE FROM places WHERE memory_id = ?", id); err != nil {
				return err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(after)) {
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

// shiftPlaces moves the places of the blocks of a shift.
func (tx *Tx) shiftPlaces(s memory.Shift) error {
	ordinals, args := "", []any{s.Path, s.From, s.To, s.Bytes, s.Lines}
	if s.Blocks != 0 { // an index has them: to write them takes twice as long
		ordinals, args = "ordinal = ordinal + ?6, ", append(args, s.Blocks)
	}
	return tx.sql.Exec("UPDATE places SET "+ordinals+`span_start = span_start + ?4, span_end = span_end + ?4,
		line_start = line_start + ?5, line_end = line_end + ?5 WHERE path = ?1 AND ordinal >= ?2 AND ordinal < ?3`, args...)
}

const (
	insertPastPlace  = "INSERT INTO past_places(memory_id, path, fingerprint, ordinal, left_at) "
	replacePastPlace = ` ON CONFLICT (memory_id, path, fingerprint) DO UPDATE
		SET ordinal = excluded.ordinal, left_at = excluded.left_at`
)

// notePastPlace notes the place that a memory left with its text: it moved, was edited,
// or returned in another file. before may be nil, and places may be empty.
func (tx *Tx) notePastPlace(before, after *Memory, was, at Place, now sqldb.Millis) error {
	if before == nil || at.Path == "" {
		return nil
	}
	if before.MissingSince != 0 {
		was = Place{Path: string(before.LastPath), Ordinal: before.LastOrdinal}
	}
	if was.Path == "" || was.Path == at.Path && before.Fingerprint == after.Fingerprint {
		return nil
	}
	return tx.sql.Exec(insertPastPlace+"VALUES (?, ?, ?, ?, ?)"+replacePastPlace, before.ID, was.Path, before.Fingerprint, was.Ordinal, now)
}

// NoteLeftPlace notes the place of a memory that is about to get another one.
func (tx *Tx) NoteLeftPlace(r *Memory, now sqldb.Millis) error {
	return tx.sql.Exec(insertPastPlace+"SELECT memory_id, path, ?, ordinal, ? FROM places WHERE memory_id = ?"+replacePastPlace,
		r.Fingerprint, now, r.ID)
}
