package index

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// What a person writes into front matter is a decision like a command's. Here
// it gets what a command's has besides: that a forgetting covers every copy of
// the text, and a row in the audit.

// branchKey is where the branch is noted on which a file was read whose lines
// forget something.
func branchKey(path string) string { return "branch:" + path }

// compareBranch compares the branch that a file's lines were read on with the one that
// they are gone on. Where nothing was noted there was no git.
func (cs *changeSet) compareBranch(path string) error {
	was, err := cs.tx.Meta(branchKey(path))
	cs.otherBranch[path] = was != "" && was != cs.batch.Branch
	return err
}

// SetBranch says on which branch all files have been seen as they are indexed.
func (tx *Tx) SetBranch(branch string) error {
	if err := tx.SetMeta("branch", branch); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT OR REPLACE INTO meta(key, value) SELECT DISTINCT 'branch:' || path, ? FROM entries
		WHERE json_extract(declared, '$.forgotten')`, branch)
}

// updateMarks makes what lines forget forgotten in every copy, and what a person took
// off a line no longer so.
func (cs *changeSet) updateMarks() error {
	entries, err := cs.tx.readEntries(sortedKeys(cs.rows))
	if err != nil {
		return err
	}
	var forget, restore []memory.ID
	for _, id := range sortedKeys(cs.rows) {
		said := mergeEntries(slices.Clone(entries[id]), "")
		switch {
		case said.Forgotten != nil && *said.Forgotten && !said.Only:
			forget = append(forget, id)
		case said.Forgotten == nil && cs.restoredByEdit(id):
			restore = append(restore, id)
		}
	}
	if len(forget)+len(restore) == 0 {
		return nil
	}
	changed, err := cs.deleteUnlessForgotten(restore)
	if err != nil {
		return err
	}
	marks, err := cs.tx.computeMarks(cs.selectRows(forget), cs.places)
	if err != nil {
		return err
	}
	for _, id := range forget {
		n, err := cs.tx.sql.Count("INSERT OR IGNORE INTO forgotten(mark, at) VALUES (?, ?)", marks[id], cs.now)
		if err != nil {
			return err
		}
		if n > 0 {
			cs.tx.marksChanged = true
			changed = append(changed, id)
		}
	}
	return cs.loadCopies(changed)
}

// restoredByEdit says whether somebody took the word forgotten off a memory's line: the
// file is still there and holds the memory, and is not another branch's.
func (cs *changeSet) restoredByEdit(id memory.ID) bool {
	at, stands := cs.places[id]
	return stands && slices.ContainsFunc(cs.removedEntries[id], func(e entry) bool {
		return cs.removedByEdit(e.path, at) && !cs.otherBranch[e.path] &&
			e.declared.Forgotten != nil && *e.declared.Forgotten && !e.declared.Only
	})
}

// removedByEdit says that a line which is gone from a file was taken out of it: the
// file is still there, and holds the memory or is the one for decisions, which
// may also have been deleted by a commit.
func (cs *changeSet) removedByEdit(path string, at place) bool {
	if path == memory.DecisionsFile {
		return !cs.isRemoved(path) || cs.batch.DecisionsRemovalCommitted
	}
	return path == at.Path && !cs.isRemoved(path)
}

// deleteUnlessForgotten takes marks away, unless another copy's line still forgets the text.
func (cs *changeSet) deleteUnlessForgotten(restore []memory.ID) (lifted []memory.ID, err error) {
	for _, id := range restore {
		var others int
		if err := cs.tx.sql.One(`SELECT count(*) FROM memories a JOIN memories b ON b.fingerprint = a.fingerprint AND b.id <> a.id
			JOIN entries e ON e.about = b.id WHERE a.id = ? AND json_extract(e.declared, '$.forgotten')
			AND NOT coalesce(json_extract(e.declared, '$.only'), 0)`, []any{id}, &others); err != nil {
			return nil, err
		}
		if others > 0 {
			continue
		}
		if err := cs.tx.deleteMarks(cs.selectRows([]memory.ID{id}), cs.places); err != nil {
			return nil, err
		}
		lifted = append(lifted, id)
	}
	return lifted, nil
}

func (cs *changeSet) selectRows(ids []memory.ID) map[memory.ID]*memoryRow {
	rows := map[memory.ID]*memoryRow{}
	for _, id := range ids {
		if r := cs.rows[id]; r != nil {
			rows[id] = r
		}
	}
	return rows
}

// loadCopies takes up the memories that say what these say.
func (cs *changeSet) loadCopies(ids []memory.ID) error {
	var more []memory.ID
	for _, id := range ids {
		err := cs.tx.sql.Each("SELECT id FROM memories WHERE fingerprint = ?", []any{cs.rows[id].Fingerprint}, func(scan func(...any) error) error {
			var copied memory.ID
			err := scan(&copied)
			if cs.rows[copied] == nil && !slices.Contains(more, copied) {
				more = append(more, copied)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(more) == 0 {
		return nil
	}
	rows, err := cs.tx.readRows(more)
	if err != nil {
		return err
	}
	places, err := cs.tx.readPlaces("memory_id IN (SELECT value FROM json_each(?))", sqlite.JSONList(more))
	if err != nil {
		return err
	}
	for id, r := range rows {
		now := *r
		cs.oldRows[id], cs.rows[id] = r, &now
	}
	for id, p := range places {
		cs.oldPlaces[id], cs.places[id] = p, p
	}
	return nil
}

// auditEdits notes what files changed about memories that were known before. What a
// command is writing is the command's.
func (cs *changeSet) auditEdits() error {
	commanded, err := cs.tx.intentMemories()
	if err != nil {
		return err
	}
	batch, err := newBatchID()
	if err != nil {
		return err
	}
	var rows []memory.AuditRow
	for _, id := range sortedKeys(cs.rows) {
		was, is := cs.oldRows[id], cs.rows[id]
		if was == nil || commanded[id] {
			continue
		}
		rows = append(rows, cs.auditRows(batch, was, is)...)
	}
	return cs.tx.Audit(rows...)
}

func (cs *changeSet) auditRows(batch string, was, is *memoryRow) (rows []memory.AuditRow) {
	row := func(action memory.Action, word string, before, after any) {
		rows = append(rows, memory.AuditRow{Action: string(action), ID: is.ID, Source: "file", Batch: batch,
			Old: map[string]any{word: before}, New: map[string]any{word: after}})
	}
	if was.Forgotten != is.Forgotten {
		row(pick(is.Forgotten, memory.ActionForget, memory.ActionRestore), "forgotten", was.Forgotten, is.Forgotten)
	}
	if was.Pinned != is.Pinned {
		row(pick(is.Pinned, memory.ActionPin, memory.ActionUnpin), "pinned", was.Pinned, is.Pinned)
	}
	_, gone := cs.removedEntries[is.ID]
	if said := gone || cs.addedEntries[is.ID]; said && was.Tier != is.Tier && was.DeclaredTier != is.DeclaredTier {
		up := slices.Index(memory.Tiers, is.Tier) < slices.Index(memory.Tiers, was.Tier)
		action := pick(up, memory.ActionPromote, memory.ActionDemote)
		row(pick(is.Tier == memory.TierArchive, memory.ActionArchive, action), "tier", was.Tier, is.Tier)
	}
	return rows
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

func newBatchID() (string, error) {
	b := make([]byte, 8)
	_, err := rand.Read(b)
	return hex.EncodeToString(b), err
}

// deleteMarks takes every mark of some memories away, those of texts that they had
// before among them: of these nobody knows how many words they had.
func (tx *Tx) deleteMarks(rows map[memory.ID]*memoryRow, places map[memory.ID]place) error {
	tx.marksChanged = true
	key, err := tx.forgetKey()
	if err != nil {
		return err
	}
	for _, id := range sortedKeys(rows) {
		r := rows[id]
		heading := r.LastHeading
		if at, stands := places[id]; stands {
			heading = at.Heading
		}
		prints := []sqlite.Hash{r.Fingerprint}
		err := tx.sql.Each("SELECT fingerprint FROM fingerprints WHERE memory_id = ?", []any{id}, func(scan func(...any) error) error {
			var f sqlite.Hash
			err := scan(&f)
			prints = append(prints, f)
			return err
		})
		for _, f := range prints {
			err = errors.Join(err,
				tx.sql.Exec("DELETE FROM forgotten WHERE mark = ?", computeMark(key, f, "", false)),
				tx.sql.Exec("DELETE FROM forgotten WHERE mark = ?", computeMark(key, f, heading, true)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
