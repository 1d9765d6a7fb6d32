package vectors

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// PendingChunk is a text that needs a vector, without its speaker.
type PendingChunk struct {
	Fingerprint memory.Fingerprint
	Text        string
	Topic       string // to be mixed into the vector; empty: nothing
	Private     bool   // of a private memory: must not leave this machine
}

// NewPending returns a text that needs a vector, without the speaker before byte speech.
func NewPending(f memory.Fingerprint, text string, speech int, topic string) PendingChunk {
	return PendingChunk{Fingerprint: f, Text: text[min(speech, len(text)):], Topic: topic}
}

// Store reads pending texts and cached vectors.
type Store struct {
	db       *sqldb.DB
	complete sqldb.Cache[completeness]
}

// completeness is whether a model has the vector of each text.
type completeness struct {
	model    string
	private  bool
	complete bool
}

// New returns the vectors of a database.
func New(db *sqldb.DB) *Store { return &Store{db: db} }

// HasAllVectors reports whether the serving model is this one and has the vector of each
// text. private includes those of private and forgotten memories. It is fast enough for each query.
func (s *Store) HasAllVectors(ctx context.Context, model string, private bool) (bool, error) {
	read := func() (c completeness, err error) {
		var incomplete bool
		err = s.db.Read().One(ctx, `SELECT coalesce((SELECT value FROM meta WHERE key = 'model'), ''),
			EXISTS (SELECT 1 FROM chunks c JOIN memories m ON m.id = c.memory_id WHERE c.embedded = 0 AND (? OR NOT `+localOnly+"))", []any{private}, &c.model, &incomplete)
		c.complete, c.private = !incomplete, private
		return c, err
	}
	c, err := s.complete.Get(s.db, read)
	if err == nil && c.private != private {
		c, err = read()
	}
	return c.complete && c.model == model, sqldb.Wrap("count pending texts", err)
}

// localOnly is the condition that the texts of a memory m must not leave this machine:
// it is private or forgotten. A restored memory is embedded later.
const localOnly = "(m.private OR m.do_not_inject OR m.source_hidden <> '')"

// lacking is the condition that the model with the key ?1 has made no vector of a chunk c.
const lacking = "NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.fingerprint = c.fingerprint AND e.model = ?1)"

// selectPending selects texts to embed, with their memories.
const selectPending = "SELECT c.fingerprint, c.text, c.speech, c.topic, m.private FROM chunks c JOIN memories m ON m.id = c.memory_id WHERE "

// Pending returns up to limit texts without a vector of the model, each once, in the order in
// which they were indexed. Only the serving model has pending texts. private includes the
// texts of private and forgotten memories, which must not leave this machine.
func (s *Store) Pending(ctx context.Context, model string, limit int, private bool) ([]PendingChunk, error) {
	// The partial index on chunks without a vector is ordered by id. Few texts are equal.
	return s.pending(ctx, "c.embedded = 0 AND ?1 = (SELECT value FROM meta WHERE key = 'model') AND (?3 OR NOT "+localOnly+") ORDER BY c.id LIMIT ?2", model, limit, private)
}

// pending returns the texts that a condition selects, each once.
func (s *Store) pending(ctx context.Context, condition string, args ...any) (out []PendingChunk, err error) {
	seen := map[sqldb.Hash]bool{}
	err = s.db.Read().Each(ctx, selectPending+condition, args, func(scan func(...any) error) error {
		var f sqldb.Hash
		var text, topic string
		var speech int
		var private bool
		if err := scan(&f, &text, &speech, &topic, &private); err != nil || seen[f] {
			return err
		}
		seen[f] = true
		c := NewPending(memory.Fingerprint(f), text, speech, topic)
		c.Private = private
		out = append(out, c)
		return nil
	})
	return out, sqldb.Wrap("read pending texts", err)
}

// Sample returns up to limit texts that have a vector of the serving model, at random. private
// includes those of private and forgotten memories.
func (s *Store) Sample(ctx context.Context, model string, limit int, private bool) ([]PendingChunk, error) {
	return s.pending(ctx, "c.embedded = 1 AND ?1 = (SELECT value FROM meta WHERE key = 'model') AND (?3 OR NOT "+localOnly+") ORDER BY random() LIMIT ?2", model, limit, private)
}

// PendingCount returns the number of chunks without a vector of the model. private includes
// those of private and forgotten memories.
func (s *Store) PendingCount(ctx context.Context, model string, private bool) (n int, err error) {
	err = s.db.Read().One(ctx, `SELECT count(*) FROM chunks c JOIN memories m ON m.id = c.memory_id WHERE c.embedded = 0
		AND ? = (SELECT value FROM meta WHERE key = 'model') AND (? OR NOT `+localOnly+")", []any{model, private}, &n)
	return n, sqldb.Wrap("count pending texts", err)
}

// ChunkCount returns the number of chunks.
func (s *Store) ChunkCount(ctx context.Context) (n int, err error) {
	err = s.db.Read().One(ctx, "SELECT count(*) FROM chunks", nil, &n)
	return n, sqldb.Wrap("count chunks", err)
}

// LacksVector reports whether a memory has a chunk without a vector.
func (s *Store) LacksVector(ctx context.Context, id memory.ID) (lacks bool, err error) {
	err = s.db.Read().One(ctx, "SELECT EXISTS (SELECT 1 FROM chunks WHERE memory_id = ? AND embedded = 0)", []any{id}, &lacks)
	return lacks, sqldb.Wrap("read chunks", err)
}

// LackingKept returns up to limit texts without a vector of the kept model, each once.
// With onlyPending it looks only at texts that also lack a vector of the serving model,
// which is fast: a new text lacks both. private includes those of private and forgotten memories.
func (s *Store) LackingKept(ctx context.Context, model string, onlyPending bool, limit int, private bool) ([]PendingChunk, error) {
	return s.pending(ctx, "(NOT ?2 OR c.embedded = 0) AND "+lacking+" AND (?4 OR NOT "+localOnly+") LIMIT ?3", Key(model), onlyPending, limit, private)
}

// EmbeddedCount returns how many of some memories have a text of which a model made a vector.
func (s *Store) EmbeddedCount(ctx context.Context, model string, ids []memory.ID) (n int, err error) {
	err = s.db.Read().One(ctx, `SELECT count(DISTINCT c.memory_id) FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
		WHERE c.memory_id IN (SELECT value FROM json_each(?))`, []any{Key(model), sqldb.JSONList(ids)}, &n)
	return n, sqldb.Wrap("count embedded texts", err)
}

// Vectors returns the cached vectors of texts by a model. It leaves out texts
// without one.
func (s *Store) Vectors(ctx context.Context, model string, of []memory.Fingerprint) (map[memory.Fingerprint][]float32, error) {
	found := make(map[memory.Fingerprint][]float32, len(of))
	err := s.db.Read().Each(ctx, `SELECT fingerprint, vector FROM embeddings
		WHERE model = ? AND fingerprint IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{Key(model), hexList(of)}, func(scan func(...any) error) error {
			var f sqldb.Hash
			var b []byte
			err := scan(&f, &b)
			found[memory.Fingerprint(f)] = Decode(b)
			return err
		})
	return found, sqldb.Wrap("read vectors", err)
}
