package journal

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Destroy deletes the memories of an intent and every copy of their texts from all
// tables. Those stay whose text a file still contains. The audit keeps the ids, and
// a keyed hash keeps each text forgotten if it comes back. The intent stays open,
// with the memories that stay; Destroy returns it. contains reports whether a text
// contains one of the destroyed texts; such a current context is deleted too, and such feedback and edits.
func (tx *Writer) Destroy(in Intent, stay map[memory.ID]bool, contains func(string) bool) (left Intent, err error) {
	ids, err := tx.withCopies(in.Destroy)
	if err != nil {
		return in, err
	}
	if err := tx.ForgetText(ids...); err != nil {
		return in, err
	}
	gone := slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool { return stay[id] })
	if err := tx.noteDestroyed(gone, stay); err != nil {
		return in, err
	}
	for _, step := range []func([]memory.ID, Intent) error{tx.deleteMemories, tx.deleteCachedVectors, tx.deleteTraces} {
		if err := step(gone, in); err != nil {
			return in, fmt.Errorf("destroy: %w", err)
		}
	}
	if err := errors.Join(tx.DeleteContexts(contains), tx.DeleteTexts(contains)); err != nil {
		return in, err
	}
	if err := tx.Audit(rowsAbout(in.Rows, gone)...); err != nil {
		return in, err
	}
	left = in
	left.ForgetTexts, left.Destroy, left.TextsRemoved = nil, slices.Sorted(maps.Keys(stay)), in.TextsRemoved || len(gone) > 0
	left.Rows = rowsAbout(in.Rows, left.Destroy)
	if len(stay) == 0 {
		left.Paths, left.TextsRemoved = nil, true
	}
	return left, tx.saveIntent(left, in.At)
}

// noteDestroyed notes that the texts of memories are destroyed, unless a memory that stays
// has the same text.
func (tx *Writer) noteDestroyed(gone []memory.ID, stay map[memory.ID]bool) error {
	cs, err := tx.changes.SelectIDs(slices.Concat(gone, slices.Collect(maps.Keys(stay))))
	if err != nil {
		return err
	}
	staying, err := tx.changes.Marks.Exact(cs.TextsOf(slices.Collect(maps.Keys(stay))))
	if err != nil {
		return err
	}
	kept := map[sqldb.Hash]bool{}
	for _, mark := range staying {
		kept[mark] = true
	}
	for id, text := range cs.TextsOf(gone) {
		if err := tx.changes.Marks.AddDestroyed(id, text, kept); err != nil {
			return err
		}
	}
	return nil
}

func rowsAbout(rows []memory.AuditRow, ids []memory.ID) (found []memory.AuditRow) {
	wanted := map[memory.ID]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for _, row := range rows {
		if wanted[row.ID] {
			found = append(found, row)
		}
	}
	return found
}

// Spare takes memories whose texts were edited out of the intents that destroy them:
// nobody decided to destroy the new text. It stays forgotten. batch names the edits in
// the audit.
func (tx *Writer) Spare(edited map[memory.ID]bool, batch string) error {
	open, err := tx.openIntents()
	if err != nil {
		return err
	}
	for _, in := range open {
		var spared []memory.AuditRow
		in.Destroy = slices.DeleteFunc(in.Destroy, func(id memory.ID) bool {
			if edited[id] {
				spared = append(spared, memory.AuditRow{Action: string(memory.ActionForget), ID: id, Source: "file", Batch: batch,
					Old: map[string]any{}, New: map[string]any{"forgotten": true, "reason": "its text was edited before it could be destroyed"}})
			}
			return edited[id]
		})
		if len(spared) == 0 {
			continue
		}
		in.TextsRemoved = in.TextsRemoved || len(in.Destroy) == 0
		in.Rows = rowsAbout(in.Rows, in.Destroy)
		if err := errors.Join(tx.saveIntent(in, in.At), tx.Audit(spared...)); err != nil {
			return err
		}
	}
	return nil
}

// withCopies returns memories and all exact copies of their texts.
func (tx *Writer) withCopies(ids []memory.ID) ([]memory.ID, error) {
	cs, err := tx.changes.Select(rows.SelectCopies, sqldb.JSONList(ids))
	if err != nil {
		return nil, err
	}
	marks, err := tx.changes.Marks.Exact(cs.Texts())
	if err != nil {
		return nil, err
	}
	wanted := map[sqldb.Hash]bool{}
	for _, id := range ids {
		if m, known := marks[id]; known {
			wanted[m] = true
		}
	}
	var all []memory.ID
	for _, id := range slices.Sorted(maps.Keys(marks)) {
		if wanted[marks[id]] {
			all = append(all, id)
		}
	}
	return all, nil
}

func (tx *Writer) deleteMemories(ids []memory.ID, _ Intent) error {
	for _, id := range ids {
		if err := tx.changes.Delete(id, ""); err != nil {
			return err
		}
	}
	return nil
}

// deleteCachedVectors deletes the cached vectors that no present memory needs. A destroyed
// text may have had other headings once, or have been a heading itself, so the keys of
// its vectors are not known.
func (tx *Writer) deleteCachedVectors([]memory.ID, Intent) error {
	return tx.changes.DeleteUnusedVectors()
}

// MetaFormerLines, with a path after it, is the meta key of the lines that decisions changed.
const MetaFormerLines = "former_lines:"

// deleteTraces deletes what other rows contain about the memories: references to their
// ids, the words of earlier decisions, and receipts that list them. Former lists have quotes.
func (tx *Writer) deleteTraces(ids []memory.ID, _ Intent) error {
	for _, statement := range []string{
		`UPDATE memories SET superseded_by = NULL, sidecar = json_remove(sidecar, '$.superseded_by'),
			inherited = json_remove(inherited, '$.superseded_by') WHERE superseded_by IN (SELECT value FROM json_each(?))`,
		`UPDATE memories SET parent_id = NULL WHERE parent_id IN (SELECT value FROM json_each(?))`,
	} {
		if err := tx.sql.Exec(statement, sqldb.JSONList(ids)); err != nil {
			return err
		}
	}
	return errors.Join(tx.sql.Exec("DELETE FROM meta WHERE substr(key, 1, length(?1)) = ?1", MetaFormerLines), tx.DeleteTraces(ids))
}

// FinishDestroy ends the intent of a destroy, or keeps it open for the memories that
// stay.
func (tx *Writer) FinishDestroy(in Intent) error {
	if len(in.Destroy) == 0 {
		return tx.deleteIntent(in)
	}
	in.TextsRemoved = false
	return tx.saveIntent(in, in.At)
}
