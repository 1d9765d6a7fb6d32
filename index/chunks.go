package index

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"path"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// dateWords is how a date is written beside a text, so that a question's words
// find it.
const dateWords = "2 January 2006"

// writeChunks makes the chunks of every memory what they should be. Those that
// are so already are left alone, and with them the keyword index and vectors;
// with force, those are that hold what they should.
func (cs *changeSet) writeChunks() error {
	created := map[string]time.Time{}
	for _, f := range cs.batch.Files {
		created[f.Path] = f.Declared.Created
	}
	var due []chunkedMemory
	drop := map[memory.ID]bool{}
	for _, p := range cs.batch.Placements { // in the order of the files, which keeps neighbours together
		r, c := cs.rows[p.ID], chunkedMemory{p, searchContext(p, created[p.Path])}
		sum := chunksHash(c.context, p)
		if r.ChunksHash == sum && !cs.batch.Force {
			continue
		}
		had, same := cs.oldRows[p.ID] != nil, false
		if had {
			var err error
			if same, err = cs.tx.hasChunks(c); err != nil {
				return err
			}
		}
		if r.ChunksHash = sum; !same {
			due = append(due, c)
			drop[p.ID] = had
		}
	}
	for _, id := range sortedKeys(cs.rows) {
		// A row without the hash of its chunks may have some: those that a rebuild kept.
		was, r := cs.oldRows[id], cs.rows[id]
		if r.MissingSince != 0 && (r.ChunksHash != (sqlite.Hash{}) || was != nil && was.MissingSince == 0) {
			drop[id] = true
			r.ChunksHash = sqlite.Hash{}
		}
	}
	for id, had := range drop {
		if !had {
			delete(drop, id)
		}
	}
	if err := cs.tx.deleteChunks(sortedKeys(drop)...); err != nil {
		return err
	}
	return cs.tx.insertChunks(due)
}

// chunkedMemory is a memory whose chunks are to be written.
type chunkedMemory struct {
	memory.Placement
	context string
}

// parts are the words in a chunk that the tokeniser does not find.
func (c chunkedMemory) parts(n int) string { return indexParts(c.Chunks[n].Text + "\n" + c.context) }

// hasChunks says whether a memory's chunks are what they should be already.
func (tx *Tx) hasChunks(c chunkedMemory) (same bool, err error) {
	n := 0
	same = true
	err = tx.sql.Each("SELECT text, context, parts, fingerprint, speech, speaker FROM chunks WHERE memory_id = ? ORDER BY n", []any{c.ID},
		func(scan func(...any) error) error {
			var text, context, parts, speaker string
			var speech int
			var f sqlite.Hash
			err := scan(&text, &context, &parts, &f, &speech, &speaker)
			same = same && n < len(c.Chunks) && text == c.Chunks[n].Text && context == c.context && parts == c.parts(n) &&
				f == sqlite.Hash(c.Chunks[n].Fingerprint) && speech == c.Chunks[n].SpeechStart && speaker == c.Speaker
			n++
			return err
		})
	return same && n == len(c.Chunks), err
}

// searchContext is what stands round a text and helps to find it: headings, the
// date that somebody gave it, its file's name, triggers and tags.
func searchContext(p memory.Placement, created time.Time) string {
	b := p.Block
	at := p.NoteDate
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

func chunksHash(context string, p memory.Placement) (sum sqlite.Hash) {
	h := sha256.New()
	for _, s := range append([]string{context, p.Speaker}, chunkTexts(p.Chunks)...) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(s))))
		h.Write([]byte(s))
	}
	return sqlite.Hash(h.Sum(nil))
}

func chunkTexts(chunks []memory.Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		out[i] = c.Text
	}
	return out
}

// insertChunks lets memories be found.
func (tx *Tx) insertChunks(due []chunkedMemory) error {
	if len(due) == 0 {
		return nil
	}
	var last int64
	if err := tx.sql.One("SELECT coalesce(max(id), 0) FROM chunks", nil, &last); err != nil {
		return err
	}
	for _, of := range due {
		for n, c := range of.Chunks {
			if err := tx.sql.Exec(`INSERT INTO chunks(memory_id, n, text, context, parts, fingerprint, speech, speaker)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
				of.ID, n, c.Text, of.context, of.parts(n), c.Fingerprint[:], c.SpeechStart, of.Speaker); err != nil {
				return err
			}
		}
	}
	return errors.Join(tx.indexWords(last), tx.fillVectors(last, false), tx.fillVectors(last, true))
}

// indexWords lets the chunks after one be found by their words, all at once: a
// statement a chunk takes FTS5 twice as long.
func (tx *Tx) indexWords(after int64) error {
	return tx.sql.Exec("INSERT INTO memories_fts(rowid, text, context, parts) SELECT id, text, context, parts FROM chunks WHERE id > ? ORDER BY id", after)
}

// deleteChunks takes memories out of every search.
func (tx *Tx) deleteChunks(ids ...memory.ID) error {
	if len(ids) == 0 {
		return nil
	}
	const theirs = " FROM chunks WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY id"
	// In the order of the rows, and all before anything else is written: FTS5 goes
	// on in memory as long as the numbers rise.
	if err := tx.sql.Exec("INSERT INTO memories_fts(memories_fts, rowid, text, context, parts) SELECT 'delete', id, text, context, parts"+theirs,
		sqlite.JSONList(ids)); err != nil {
		return err
	}
	serving, next, err := tx.readModels()
	if err != nil {
		return err
	}
	for _, m := range [2]model{serving, next} {
		if m.table == "" {
			continue
		}
		if err := tx.deleteVectors(m.table, "SELECT id"+theirs, sqlite.JSONList(ids)); err != nil {
			return err
		}
	}
	return tx.sql.Exec("DELETE FROM chunks WHERE memory_id IN (SELECT value FROM json_each(?))", sqlite.JSONList(ids))
}

// deleteVectors takes vectors out of vec0, one by one: given anything but a single
// rowid, vec0 looks at every vector there is.
func (tx *Tx) deleteVectors(table, query string, args ...any) error {
	var chunks []int64
	err := tx.sql.Each(query, args, func(scan func(...any) error) error {
		var chunk int64
		err := scan(&chunk)
		chunks = append(chunks, chunk)
		return err
	})
	for _, chunk := range chunks {
		if err == nil {
			err = tx.sql.Exec("DELETE FROM "+table+" WHERE rowid = ?", chunk)
		}
	}
	return err
}
