package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/index/vectors"
)

// dateWords is the format of a date in a chunk's context, so that the words of a
// query find it.
const dateWords = "2 January 2006"

// searchable is a memory as the search finds it: its chunks with the words around them.
type searchable struct {
	memory.Placement
	context string
}

// newSearchable returns a memory with its context; created is declared by its file.
func newSearchable(p memory.Placement, created time.Time) searchable {
	return searchable{p, searchContext(p, created)}
}

// parts returns the words of a chunk that FTS5's tokeniser does not split off.
func (c searchable) parts(n int) string { return text.Parts(c.Chunks[n].Text + "\n" + c.context) }

// hasChunks reports whether the table already has exactly these chunks.
func (tx *Tx) hasChunks(c searchable) (same bool, err error) {
	n := 0
	same = true
	err = tx.sql.Each("SELECT text, context, parts, fingerprint, speech, speaker, topic FROM chunks WHERE memory_id = ? ORDER BY n", []any{c.ID},
		func(scan func(...any) error) error {
			var text, context, parts, speaker, topic string
			var speech int
			var f sqldb.Hash
			err := scan(&text, &context, &parts, &f, &speech, &speaker, &topic)
			same = same && n < len(c.Chunks) && text == c.Chunks[n].Text && context == c.context && parts == c.parts(n) &&
				f == sqldb.Hash(c.Chunks[n].Fingerprint) && speech == c.Chunks[n].SpeechStart && speaker == c.Speaker && topic == c.Chunks[n].Topic
			n++
			return err
		})
	return same && n == len(c.Chunks), err
}

// searchContext returns the words around a text that help to find it: headings,
// the declared date, the names of the file, triggers, tags and entities.
func searchContext(p memory.Placement, created time.Time) string {
	b := p.Block
	at := b.Annotations.Created
	for _, t := range []time.Time{created, p.NoteDate} {
		if at.IsZero() {
			at = t
		}
	}
	parts := append([]string(nil), b.Heading...)
	if !at.IsZero() {
		parts = append(parts, at.Format(dateWords))
	}
	parts = append(parts, strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)))
	parts = append(parts, p.Aliases...)
	parts = append(parts, b.Triggers...)
	parts = append(parts, b.Annotations.Tags...)
	for _, name := range p.Entities {
		if !slices.Contains(parts, name) && !slices.Contains(b.Links, name) { // a link is in the text
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, "\n")
}

// hash returns a hash of the chunks and their context.
func (c searchable) hash() (sum sqldb.Hash) {
	h := sha256.New()
	for _, s := range append([]string{c.context, c.Speaker, c.topic()}, chunkTexts(c.Chunks)...) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(s))))
		h.Write([]byte(s))
	}
	return sqldb.Hash(h.Sum(nil))
}

// topic returns the topic of the chunks, which is the same for all.
func (c searchable) topic() string {
	if len(c.Chunks) == 0 {
		return ""
	}
	return c.Chunks[0].Topic
}

func chunkTexts(chunks []memory.Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		out[i] = c.Text
	}
	return out
}

// DeleteUnusedVectors deletes the cached vectors of texts that no chunk has.
func (tx *Tx) DeleteUnusedVectors() error { return tx.vectors.DeleteUnused() }

// insertChunks inserts chunks and adds them to the keyword index and the vectors.
func (tx *Tx) insertChunks(memories []searchable) error {
	if len(memories) == 0 {
		return nil
	}
	var last int64
	if err := tx.sql.One("SELECT coalesce(max(id), 0) FROM chunks", nil, &last); err != nil {
		return err
	}
	var texts []vectors.PendingChunk
	for _, m := range memories {
		for _, c := range m.Chunks {
			texts = append(texts, vectors.NewPending(c.Fingerprint, c.Text, c.SpeechStart, c.Topic))
		}
	}
	haveVectors, err := tx.vectors.AddTexts(texts)
	if err != nil {
		return err
	}
	embedded := 0
	if haveVectors {
		embedded = 1
	}
	for _, m := range memories {
		for n, c := range m.Chunks {
			if err := tx.sql.Exec(`INSERT INTO chunks(memory_id, n, text, context, parts, fingerprint, speech, speaker, topic, embedded)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				m.ID, n, c.Text, m.context, m.parts(n), c.Fingerprint[:], c.SpeechStart, m.Speaker, c.Topic, embedded); err != nil {
				return err
			}
		}
	}
	if err := tx.IndexWords(last, math.MaxInt64); err != nil || haveVectors {
		return err
	}
	return tx.vectors.AddChunks(last)
}

// IndexWords adds the chunks with ids in (after, last] to the keyword index.
func (tx *Tx) IndexWords(after, last int64) error {
	return tx.sql.Keywords().AddWords(tx.sql, after, last)
}

// DeleteChunks deletes the chunks of memories and their rows in the keyword index.
func (tx *Tx) DeleteChunks(ids ...memory.ID) error {
	if len(ids) == 0 {
		return nil
	}
	list := sqldb.JSONList(ids)
	if err := tx.sql.Keywords().DeleteWords(tx.sql, list); err != nil {
		return err
	}
	return tx.sql.Exec("DELETE FROM chunks WHERE memory_id IN (SELECT value FROM json_each(?))", list)
}
