package index

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// place is where a memory stands, and what is written there about it. It is
// comparable, so that what did not move is not written.
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

func (p *place) pointers() []any {
	return []any{&p.ID, &p.Path, &p.Ordinal, &p.Start, &p.End, &p.LineStart, &p.LineEnd, &p.Heading, &p.Kind,
		&p.BlockID, &p.Annotations, &p.Links, &p.Triggers}
}

func newPlace(p memory.Placement) (place, error) {
	b := p.Block
	annotations, err := toJSON(b.Annotations)
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

// writePlaces makes the table say what now says of these memories.
func (tx *Tx) writePlaces(was, now map[memory.ID]place) error {
	for _, id := range sortedKeys(was) {
		if _, stays := now[id]; !stays {
			if err := tx.sql.Exec("DELETE FROM places WHERE memory_id = ?", id); err != nil {
				return err
			}
		}
	}
	for _, id := range sortedKeys(now) {
		p := now[id]
		if old, known := was[id]; known && old == p {
			continue
		}
		if err := tx.sql.Exec(insertPlace, p.pointers()...); err != nil {
			return err
		}
	}
	return nil
}
