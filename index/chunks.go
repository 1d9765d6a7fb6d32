package index

import (
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// dateWords is how a date is written beside a text, so that a question's words
// find it.
const dateWords = "2 January 2006"

// writeChunks makes the chunks of every memory what they should be. Those that
// are so already are left alone, and with them the keyword index and vectors.
func (w *work) writeChunks() error {
	created := map[string]time.Time{}
	for _, f := range w.batch.Files {
		created[f.Path] = f.Declared.Created
	}
	for _, p := range w.batch.Placed { // in the order of the files, which keeps neighbours together
		r := w.rows[p.ID]
		context := contextOf(p, created[p.Path])
		sum := chunksHash(context, p)
		if r.ChunksHash == sum && !w.batch.Force {
			continue
		}
		if err := w.tx.replaceChunks(p, context, w.wasRows[p.ID] != nil); err != nil {
			return err
		}
		r.ChunksHash = sum
	}
	for _, id := range sorted(w.rows) {
		// A row without the hash of its chunks may have some: those that a rebuild kept.
		was, r := w.wasRows[id], w.rows[id]
		if r.MissingSince != 0 && (r.ChunksHash != (hash{}) || was != nil && was.MissingSince == 0) {
			if err := w.tx.dropChunks(id); err != nil {
				return err
			}
			r.ChunksHash = hash{}
		}
	}
	return nil
}

// contextOf is what stands round a text and helps to find it: headings, the
// date that somebody gave it, its file's name, triggers and tags.
func contextOf(p memory.Placement, created time.Time) string {
	b := p.Block
	at := p.DateNamed
	for _, t := range []time.Time{b.Annotations.Created, created} {
		if at.IsZero() {
			at = t
		}
	}
	parts := append([]string(nil), b.Heading...)
	if !at.IsZero() {
		parts = append(parts, at.Format(dateWords))
	}
	parts = append(parts, strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)))
	parts = append(parts, b.Triggers...)
	parts = append(parts, b.Annotations.Tags...)
	return strings.Join(parts, "\n")
}

func chunksHash(context string, p memory.Placement) (sum hash) {
	h := sha256.New()
	for _, s := range append([]string{context, p.Speaker}, texts(p.Chunks)...) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(s))))
		h.Write([]byte(s))
	}
	return hash(h.Sum(nil))
}

func texts(chunks []memory.Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		out[i] = c.Text
	}
	return out
}

func (tx *Tx) replaceChunks(p memory.Placement, context string, had bool) error {
	if had {
		if err := tx.dropChunks(p.ID); err != nil {
			return err
		}
	}
	for n, c := range p.Chunks {
		s, err := tx.stmt(`INSERT INTO chunks(memory_id, n, text, context, parts, fingerprint, speech, speaker)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		res, err := s.ExecContext(tx.ctx, p.ID, n, c.Text, context, partsOf(c.Text+"\n"+context), c.Fingerprint[:], c.Speech, p.Speaker)
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		if err := tx.embedFromCache(id, c.Fingerprint); err != nil {
			return err
		}
	}
	return nil
}

// dropChunks takes a memory out of every search. The keyword index follows by
// trigger, the vectors here.
func (tx *Tx) dropChunks(id memory.ID) error {
	serving, next, err := tx.models()
	if err != nil {
		return err
	}
	for _, m := range [2]model{serving, next} {
		if m.table == "" {
			continue
		}
		if err := tx.unpublish(id, m.table); err != nil {
			return err
		}
	}
	return tx.exec("DELETE FROM chunks WHERE memory_id = ?", id)
}

// unpublish takes a memory's vectors out of vec0, one by one: given anything
// but a single rowid, vec0 looks at every vector there is.
func (tx *Tx) unpublish(id memory.ID, table string) error {
	var chunks []int64
	err := tx.each("SELECT id FROM chunks WHERE memory_id = ?", []any{id}, func(scan func(...any) error) error {
		var chunk int64
		err := scan(&chunk)
		chunks = append(chunks, chunk)
		return err
	})
	for _, chunk := range chunks {
		if err == nil {
			err = tx.exec("DELETE FROM "+table+" WHERE rowid = ?", chunk)
		}
	}
	return err
}
