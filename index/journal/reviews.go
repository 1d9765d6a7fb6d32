package journal

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// ReviewMark notes that a person settled one point of a review: a memory, or two
// memories, for one reason.
type ReviewMark struct {
	ID, Other memory.ID // Other is empty, or the second memory of a pair
	Kind      memory.ReviewKind
	Texts     memory.Hash // of both texts, as they were then; see [ReviewTexts]
}

// ReviewTexts returns the hash that a mark has of the texts of one or two memories.
func ReviewTexts(texts ...memory.Fingerprint) memory.Hash {
	h := sha256.New()
	for _, f := range texts {
		h.Write(f[:])
	}
	return memory.Hash(h.Sum(nil))
}

// Reviewed returns all marks. A mark counts as long as its texts are the present ones.
func (j *Journal) Reviewed(ctx context.Context) (map[ReviewMark]bool, error) {
	marks := map[ReviewMark]bool{}
	err := j.sql.Read().Each(ctx, "SELECT memory_id, other_id, kind, texts FROM reviewed", nil, func(scan func(...any) error) error {
		var m ReviewMark
		var texts sqldb.Hash
		err := scan(&m.ID, &m.Other, &m.Kind, &texts)
		m.Texts = memory.Hash(texts)
		marks[m] = true
		return err
	})
	return marks, sqldb.Wrap("read reviews", err)
}

// AddReviewed stores the marks of one step of a review.
func (w *Writer) AddReviewed(batch string, marks []ReviewMark) error {
	for _, m := range marks {
		if err := w.sql.Exec(`INSERT INTO reviewed(memory_id, other_id, kind, texts, batch, at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (memory_id, other_id, kind) DO UPDATE SET texts = excluded.texts, batch = excluded.batch, at = excluded.at`,
			m.ID, m.Other, string(m.Kind), sqldb.Hash(m.Texts), batch, w.now); err != nil {
			return fmt.Errorf("note the review: %w", err)
		}
	}
	return nil
}

// DeleteReviewed deletes the marks of one step, so that its points come up again.
func (w *Writer) DeleteReviewed(batch string) error {
	return w.sql.Exec("DELETE FROM reviewed WHERE batch = ?", batch)
}
