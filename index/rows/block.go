package rows

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/wording"
)

// SetBlock takes over the content of a block. A different fingerprint is an edit;
// white space does not change the fingerprint.
func (r *Memory) SetBlock(p memory.Placement, now sqldb.Millis) {
	if r.Fingerprint != (sqldb.Hash{}) && r.Fingerprint != sqldb.Hash(p.Block.Fingerprint) {
		r.EditedAt = now
	}
	if r.Text != p.Block.Text || r.Wording == 0 {
		r.Wording = WordingKey(p.Block.Text)
	}
	r.Text, r.Fingerprint = p.Block.Text, sqldb.Hash(p.Block.Fingerprint)
	r.Lang, r.EntityRefs = p.Lang, ""
	if len(p.Entities) > 0 {
		r.EntityRefs = sqldb.NullText(sqldb.JSONList(p.Entities))
	}
	r.DetectedType, r.DetectedCategory = p.DetectedType, p.DetectedCategory
	r.DateNamed = sqldb.ToMillis(p.NoteDate)
	r.ClearMissing()
}

// WordingKey returns the key of a text's wording.
func WordingKey(text string) int64 { return wording.Of(text).Key() }

// ClearMissing clears the last place of a memory that is no longer missing.
func (r *Memory) ClearMissing() {
	r.MissingSince, r.LastPath, r.LastOrdinal, r.LastLineStart, r.LastLineEnd = 0, "", 0, 0, 0
	r.LastHeading, r.LastBlockID = "[]", ""
}
