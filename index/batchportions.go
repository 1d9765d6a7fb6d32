package index

import (
	"maps"
	"math"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
)

// portionSize is how many memories a transaction holds in memory at a time, at about
// 5 KB each. A batch with fewer is one portion.
const portionSize = 2000

// portion is a part of a batch: the memories that it places, and others whose state
// may change.
type portion struct {
	placements []memory.Placement
	others     []memory.ID
}

// findGone finds the memories whose text is gone. These are the memories that the
// batch reports missing, and those that were in one of its files and are not placed
// any more.
func (cs *change) findGone() error {
	kept := make(map[memory.ID]bool, len(cs.batch.Placements)+len(cs.batch.Later))
	for _, p := range cs.batch.Placements {
		kept[p.ID] = true
	}
	for _, id := range cs.batch.Later {
		kept[id] = true
	}
	cs.gone = map[memory.ID]bool{}
	for _, id := range cs.batch.Missing {
		cs.gone[id] = !kept[id]
	}
	for _, u := range cs.unshifted() {
		placed, err := cs.tx.changes.IDs("SELECT memory_id FROM places WHERE path = ? AND ordinal >= ? AND ordinal < ?", u.Path, u.From, u.To)
		if err != nil {
			return err
		}
		for _, id := range placed {
			if !kept[id] {
				cs.gone[id] = true
			}
		}
	}
	return nil
}

// unshifted returns which blocks of the batch's files it has no shifts of.
func (cs *change) unshifted() (rest []memory.Shift) {
	shifts := map[string][]memory.Shift{}
	for _, s := range cs.batch.Shifts {
		shifts[s.Path] = append(shifts[s.Path], s)
	}
	for _, path := range cs.batchPaths() {
		from := math.MinInt32
		for _, s := range shifts[path] {
			rest = append(rest, memory.Shift{Path: path, From: from, To: s.From})
			from = s.To
		}
		rest = append(rest, memory.Shift{Path: path, From: from, To: math.MaxInt32})
	}
	return rest
}

// applyPortions changes and writes the memories of the batch, portion by portion.
func (cs *change) applyPortions() error {
	for _, p := range cs.portions() {
		cs.Files.Placements = p.placements
		for _, step := range []func() error{p.loadInto(cs.Set), cs.applyPlacements, cs.NoteFormerTexts, cs.markMissing, cs.updateMarks, cs.Resolve, cs.spareEdited, cs.auditEdits, cs.writeWithSuperseded} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadInto loads the memories of the portion.
func (p portion) loadInto(set *rows.Set) func() error {
	ids := slices.Clone(p.others)
	for _, one := range p.placements {
		ids = append(ids, one.ID)
	}
	slices.Sort(ids)
	return func() error { return set.Load(slices.Compact(ids)) }
}

// portions divides the batch. The first portion contains all memories that entries
// of the batch are about, and the copies of their texts. A decision counts for all
// of them at once. The other memories depend on none but themselves.
func (cs *change) portions() []portion {
	texts := map[memory.Fingerprint]bool{}
	for _, p := range cs.batch.Placements {
		if cs.touched[p.ID] {
			texts[p.Block.Fingerprint] = true
		}
	}
	first := portion{others: slices.Sorted(maps.Keys(cs.touched))}
	var rest []memory.Placement
	placed := map[memory.ID]bool{}
	for _, p := range cs.batch.Placements {
		placed[p.ID] = true
		if texts[p.Block.Fingerprint] {
			first.placements = append(first.placements, p)
		} else {
			rest = append(rest, p)
		}
	}
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(cs.gone)), func(id memory.ID) bool { return placed[id] || cs.touched[id] || !cs.gone[id] })
	others = append(others, slices.DeleteFunc(slices.Sorted(maps.Keys(cs.rematched)), func(id memory.ID) bool { return placed[id] || cs.touched[id] || cs.gone[id] })...)

	room := max(0, portionSize-len(first.placements)-len(first.others))
	n := min(room, len(rest))
	first.placements, rest = append(first.placements, rest[:n]...), rest[n:]
	n = min(room-n, len(others))
	first.others, others = append(first.others, others[:n]...), others[n:]
	all := []portion{first}
	for part := range slices.Chunk(rest, portionSize) {
		all = append(all, portion{placements: part})
	}
	for part := range slices.Chunk(others, portionSize) {
		all = append(all, portion{others: part})
	}
	return all
}
