package index

import (
	"context"
	"math"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// PendingChunk is a text that needs a vector, without its speaker.
type PendingChunk struct {
	Fingerprint memory.Fingerprint
	Text        string
	Private     bool // must not leave this machine
}

// Pending returns up to limit texts without a vector of the model, each once, in the
// order in which they were indexed. Only the serving model has pending texts.
func (db *DB) Pending(ctx context.Context, model string, limit int) ([]PendingChunk, error) {
	return db.pending(ctx, model, limit, "")
}

// PendingPublic is [DB.Pending] without private and forgotten texts, for an embedder
// on another machine.
func (db *DB) PendingPublic(ctx context.Context, model string, limit int) ([]PendingChunk, error) {
	return db.pending(ctx, model, limit, " AND NOT "+stays)
}

// stays is the condition that the text of a memory m stays on this machine: it is
// private or forgotten. A restored text is embedded then.
const stays = "(m.private OR m.do_not_inject)"

func (db *DB) pending(ctx context.Context, model string, limit int, condition string) (out []PendingChunk, err error) {
	seen := map[sqlite.Hash]bool{}
	// The partial index on chunks without a vector is ordered by id. Few texts are equal.
	err = db.sql.Read().Each(ctx, `SELECT c.fingerprint, c.text, c.speech, m.private FROM chunks c JOIN memories m ON m.id = c.memory_id
		WHERE c.embedded = 0 AND ? = (SELECT value FROM meta WHERE key = 'model')`+condition+` ORDER BY c.id LIMIT ?`,
		[]any{model, limit}, func(scan func(...any) error) error {
			var f sqlite.Hash
			var c PendingChunk
			var speech int
			if err := scan(&f, &c.Text, &speech, &c.Private); err != nil || seen[f] {
				return err
			}
			seen[f] = true
			c.Fingerprint, c.Text = memory.Fingerprint(f), c.Text[min(speech, len(c.Text)):]
			out = append(out, c)
			return nil
		})
	return out, sqlite.Wrap("read pending texts", err)
}

// PendingCount returns the number of chunks without a vector of the model, including
// private ones.
func (db *DB) PendingCount(ctx context.Context, model string) (n int, err error) {
	err = db.sql.Read().One(ctx, `SELECT count(*) FROM chunks WHERE embedded = 0
		AND ? = (SELECT value FROM meta WHERE key = 'model')`, []any{model}, &n)
	return n, sqlite.Wrap("count pending texts", err)
}

// PendingPublicCount is [DB.PendingCount] without the chunks of private and forgotten memories.
func (db *DB) PendingPublicCount(ctx context.Context, model string) (n int, err error) {
	err = db.sql.Read().One(ctx, `SELECT count(*) FROM chunks c JOIN memories m ON m.id = c.memory_id WHERE c.embedded = 0
		AND NOT `+stays+` AND ? = (SELECT value FROM meta WHERE key = 'model')`, []any{model}, &n)
	return n, sqlite.Wrap("count pending texts", err)
}

// LacksVector reports whether a memory has a chunk without a vector.
func (db *DB) LacksVector(ctx context.Context, id memory.ID) (lacks bool, err error) {
	err = db.sql.Read().One(ctx, "SELECT EXISTS (SELECT 1 FROM chunks WHERE memory_id = ? AND embedded = 0)", []any{id}, &lacks)
	return lacks, sqlite.Wrap("read chunks", err)
}

// PutVectors caches the vectors that a model made of texts, and makes indexed texts
// searchable by them at once. Vectors have unit length and the model's dimension.
// A vector of zeros means that the model knows nothing about a text: it is cached,
// and no search finds it. Any other vector is [memory.ErrInvalid], and nothing is
// cached.
func (db *DB) PutVectors(ctx context.Context, model string, vectors map[memory.Fingerprint][]float32) error {
	return db.putVectors(ctx, model, vectors, false)
}

// PutPending is [DB.PutVectors] for texts that [DB.Pending] returned. It ignores a
// text that is no longer indexed, because it may have been destroyed meanwhile.
func (db *DB) PutPending(ctx context.Context, model string, vectors map[memory.Fingerprint][]float32) error {
	return db.putVectors(ctx, model, vectors, true)
}

func (db *DB) putVectors(ctx context.Context, model string, vectors map[memory.Fingerprint][]float32, onlyIndexed bool) error {
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		m, err := tx.modelNamed(model)
		if err != nil {
			return err
		}
		var changed []memory.ID
		for f, v := range vectors {
			if err := validateVector(v, m, model); err != nil {
				return err
			}
			if err := tx.sql.Exec(`INSERT INTO embeddings(fingerprint, model, vector, code)
				SELECT ?1, ?2, ?3, ?4 WHERE NOT ?5 OR EXISTS (SELECT 1 FROM chunks WHERE fingerprint = ?1)
				ON CONFLICT(fingerprint, model) DO UPDATE SET vector = excluded.vector, code = excluded.code`,
				f[:], model, sqlite.EncodeVector(v), signBits(v), onlyIndexed); err != nil {
				return err
			}
			if m.Name == "" {
				continue
			}
			ids, err := tx.publishVector(f, v, m)
			if err != nil {
				return err
			}
			if !m.staged { // no query reads the staged table
				changed = append(changed, ids...)
			}
		}
		return tx.noteChanged(changed...)
	})
}

func validateVector(v []float32, m model, name string) error {
	if len(v) == 0 || len(v) > maxDim || name == m.Name && len(v) != m.Dim {
		return memory.Invalid("embedding.dimensions", "the model %s gave a vector of %d numbers, not %d", name, len(v), m.Dim)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	// Squared float32 norms of unit vectors differ from 1 by less than a thousandth.
	if sum != 0 && !(math.Abs(sum-1) < 1e-3) {
		return memory.Invalid("embedding.model", "the model %s gave a vector of length %g, not 1", name, math.Sqrt(sum))
	}
	return nil
}

// Vectors returns the cached vectors of texts by a model. It leaves out texts
// without one.
func (db *DB) Vectors(ctx context.Context, model string, of []memory.Fingerprint) (map[memory.Fingerprint][]float32, error) {
	found := make(map[memory.Fingerprint][]float32, len(of))
	err := db.sql.Read().Each(ctx, `SELECT fingerprint, vector FROM embeddings
		WHERE model = ? AND fingerprint IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{model, fingerprintList(of)}, func(scan func(...any) error) error {
			var f sqlite.Hash
			var b []byte
			err := scan(&f, &b)
			found[memory.Fingerprint(f)] = sqlite.DecodeVector(b)
			return err
		})
	return found, sqlite.Wrap("read vectors", err)
}

// signBits returns one bit per dimension, set if the number is positive.
func signBits(v []float32) []byte {
	b := make([]byte, (len(v)+7)/8)
	for i, x := range v {
		if x > 0 {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return b
}
