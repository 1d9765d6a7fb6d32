package index

import (
	"crypto/rand"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
)

// An edit of front matter is a decision, like a command. This file gives it the
// same effects: forgetting covers every copy of the text, and the audit has a row.

// branchKey is the meta key of the git branch on which all files were read.
const branchKey = "branch"

// unsureBranch is the value of branchKey after files were read while no branch was sure. They
// may have had lines of a merge that is then aborted.
const unsureBranch = "unsure"

// compareBranch notes whether the batch was read on another git branch than the files
// before it. Without a noted branch there was no git.
func (cs *change) compareBranch() error {
	branch, err := cs.tx.Meta(branchKey)
	if err != nil {
		return err
	}
	cs.Files.Elsewhere = branch != "" && (branch != cs.batch.Branch || cs.batch.BranchUnsure)
	switch {
	case cs.batch.BranchUnsure:
		return cs.tx.SetMeta(branchKey, unsureBranch)
	case branch == "" && cs.batch.Branch != "":
		return cs.tx.SetMeta(branchKey, cs.batch.Branch)
	}
	return nil
}

// SetBranch notes that all files were read on a git branch, as they are indexed.
func (tx *Tx) SetBranch(branch string) error { return tx.SetMeta(branchKey, branch) }

// updateMarks marks the texts that entries forget, in every copy, and deletes the
// marks of texts whose entry a person removed.
func (cs *change) updateMarks() error {
	entries, err := cs.Entries()
	if err != nil {
		return err
	}
	var forget, restore []memory.ID
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		d := rows.Merge(slices.Clone(entries[id]), "")
		switch {
		case d.Forgets() && !d.Only:
			forget = append(forget, id)
		case d.Forgotten == nil:
			sidecar, err := rows.ParseDeclared(cs.Rows[id].Sidecar)
			if err != nil {
				return err
			}
			if cs.restoredByEdit(id, sidecar) {
				restore = append(restore, id)
			}
		}
	}
	if len(forget)+len(restore) == 0 {
		return nil
	}
	if err := cs.RestoreTexts(restore); err != nil {
		return err
	}
	changed := restore
	for _, id := range forget {
		added, err := cs.AddMarks(id)
		if err != nil {
			return err
		}
		if added {
			changed = append(changed, id)
		}
	}
	return cs.LoadCopies(changed)
}

// restoredByEdit reports whether a person removed a forgetting entry about a
// memory. The file still exists, still has the memory, and is of the same branch. An entry that
// the sidecar revokes may still be there.
func (cs *change) restoredByEdit(id memory.ID, sidecar memory.Declared) bool {
	at, hasPlace := cs.Places[id]
	return hasPlace && slices.ContainsFunc(cs.removedEntries[id], func(e rows.Entry) bool {
		return cs.removedByEdit(e.Path, at) && !cs.Files.Elsewhere && rows.WithoutRevoked(e.Declared, sidecar).Forgets() && !e.Declared.Only
	})
}

// keptEntries returns the removed entries about a memory that nobody has revoked: their
// file was deleted, or does not contain the memory any more. What else protects a
// memory is kept by [changes.Files.Elsewhere].
func (cs *change) keptEntries(id memory.ID) (kept []rows.Entry) {
	for _, removed := range cs.removedEntries[id] {
		if at, hasPlace := cs.Places[id]; hasPlace && cs.removedByEdit(removed.Path, at) {
			// Pins and tiers follow the git branch. A memory that one branch forgets
			// stays forgotten on every branch.
			d := removed.Declared
			if !cs.Files.Elsewhere || !d.Forgets() {
				continue
			}
			removed.Declared = memory.Declared{Forgotten: d.Forgotten, ForgottenAt: d.ForgottenAt, Only: d.Only}
		}
		kept = append(kept, removed)
	}
	return kept
}

// removedByEdit reports whether a person removed an entry from a file: the file
// still exists, and has the memory or is the decisions file.
func (cs *change) removedByEdit(path string, at rows.Place) bool {
	if path == memory.DecisionsFile {
		return !cs.batch.DecisionsLost
	}
	return path == at.Path && !cs.isRemoved(path)
}

// spareEdited takes memories out of the intents that destroy them if their texts were
// edited since.
func (cs *change) spareEdited() error {
	edited := map[memory.ID]bool{}
	for id, r := range cs.Rows {
		if before := cs.OldRows[id]; before != nil && before.Fingerprint != r.Fingerprint {
			edited[id] = true
		}
	}
	if len(edited) == 0 {
		return nil
	}
	batch, err := cs.editsBatch()
	if err != nil {
		return err
	}
	return cs.tx.Spare(edited, batch)
}

// auditEdits writes audit rows for what files changed about known memories. A
// command in progress writes the rows for its own changes.
func (cs *change) auditEdits() error {
	commanded, err := cs.tx.IntentMemories()
	if err != nil {
		return err
	}
	batch, err := cs.editsBatch()
	if err != nil {
		return err
	}
	var rows []memory.AuditRow
	for _, id := range slices.Sorted(maps.Keys(cs.Rows)) {
		before, after := cs.OldRows[id], cs.Rows[id]
		if before == nil && after.Forgotten && slices.ContainsFunc(cs.batch.Parts, func(p memory.Part) bool { return p.Memory == id }) {
			visible := *after
			visible.Forgotten, before = false, &visible
		}
		if before == nil {
			continue
		}
		if cs.OldRows[id] != nil {
			was, is, err := cs.EditHashes(id)
			if err != nil {
				return err
			}
			if was != is {
				rows = append(rows, memory.AuditRow{Action: memory.AuditEdit, ID: id, Source: "file", Batch: batch,
					Old: map[string]any{"text_hash": was}, New: map[string]any{"text_hash": is}})
			}
		}
		if !commanded[id] {
			rows = append(rows, cs.auditRows(batch, before, after)...)
		}
	}
	return cs.tx.Audit(rows...)
}

// editsBatch returns the batch of all audit rows about edits of files.
func (cs *change) editsBatch() (_ string, err error) {
	if cs.auditBatch == "" {
		cs.auditBatch, err = newBatchID()
	}
	return cs.auditBatch, err
}

func (cs *change) auditRows(batch string, before, after *rows.Memory) (rows []memory.AuditRow) {
	add := func(action memory.Action, field string, from, to any) {
		rows = append(rows, memory.AuditRow{Action: string(action), ID: after.ID, Source: "file", Batch: batch,
			Old: map[string]any{field: from}, New: map[string]any{field: to}})
	}
	if before.Forgotten != after.Forgotten {
		add(pick(after.Forgotten, memory.ActionForget, memory.ActionRestore), "forgotten", before.Forgotten, after.Forgotten)
		if file := cs.forgettingFile(after.ID); file != "" && !after.Forgotten {
			rows[len(rows)-1].New["file"] = file
		}
	}
	if before.Pinned != after.Pinned {
		add(pick(after.Pinned, memory.ActionPin, memory.ActionUnpin), "pinned", before.Pinned, after.Pinned)
	}
	if before.Tier == after.Tier {
		return rows
	}
	_, removed := cs.removedEntries[after.ID]
	edited := (removed || cs.addedEntries[after.ID]) && before.DeclaredTier != after.DeclaredTier
	isArchive := before.Tier == memory.TierArchive || after.Tier == memory.TierArchive
	expiryEdited := isArchive && before.ExpiresAt != after.ExpiresAt
	if edited || expiryEdited {
		up := slices.Index(memory.Tiers, after.Tier) < slices.Index(memory.Tiers, before.Tier)
		action := pick(up, memory.ActionPromote, memory.ActionDemote)
		add(pick(after.Tier == memory.TierArchive, memory.ActionArchive, action), "tier", before.Tier, after.Tier)
	}
	if expiryEdited && !edited {
		rows[len(rows)-1].New["reason"] = "its expiry date was changed"
	}
	return rows
}

// forgettingFile returns the file of the batch that had a line that forgot a memory.
func (cs *change) forgettingFile(id memory.ID) string {
	for _, e := range cs.removedEntries[id] {
		if e.Declared.Forgets() {
			return e.Path
		}
	}
	return ""
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
