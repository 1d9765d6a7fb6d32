package query

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/vectors"
)

// loader fills an empty index with all memories, or with some of them. It reads each table
// once, and all of its rows in the order in which they lie on disk. Looking up the rows of
// each memory takes three times as long. A second goroutine tokenizes meanwhile.
type loader struct {
	*search.Loader
	rows     *sqlite.RawReader
	only     driver.Value                // a JSON list of the memories to read; nil: all
	yield    func(context.Context) error // waits for queries
	rowsRead int

	batch   []search.ChunkText
	batches chan []search.ChunkText

	attributes map[string]memory.Memory // by their JSON: many memories have the same
	headings   map[string][]string      // likewise
}

// maxBatches is the number of batches that may wait to be tokenized. It is few, so
// that the tokenizer soon rests too when the load waits for queries.
const maxBatches = 4

// batchSize is the number of chunks in a batch: some milliseconds of work.
const batchSize = 256

// loadAll adds all visible memories to an empty index.
func (s *Searcher) loadAll(ctx context.Context, x *search.Index, of models) (err error) {
	rows, err := s.db.OpenRawReader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	l := newLoader(rows)
	l.yield = s.yielder()
	return l.load(ctx, x, of)
}

func newLoader(rows *sqlite.RawReader) *loader {
	return &loader{rows: rows, batches: make(chan []search.ChunkText, maxBatches),
		attributes: map[string]memory.Memory{}, headings: map[string][]string{}}
}

// load reads the memories with the vectors of the models.
func (l *loader) load(ctx context.Context, x *search.Index, of models) error {
	n, err := l.countChunks(ctx)
	if err != nil {
		return err
	}
	l.Loader = x.Loader(n)
	if err := l.readMemories(ctx); err != nil {
		return err
	}
	l.Build()
	for _, m := range [...]vectors.Model{of.serving, of.kept} {
		if m.Dim == 0 {
			continue
		}
		if err := l.readVectors(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// each reads the rows of a query, and waits for queries now and then.
func (l *loader) each(ctx context.Context, query string, row func([]driver.Value) error, args ...driver.NamedValue) error {
	const interval = 64 // rows, some 0.1 ms
	return l.rows.Each(ctx, query, args, func(v []driver.Value) error {
		if l.rowsRead++; l.rowsRead%interval == 0 {
			if err := l.yield(ctx); err != nil {
				return err
			}
		}
		return row(v)
	})
}

// where returns the condition on a column with ids that selects the memories to read.
func (l *loader) where(id string) string {
	if l.only == nil {
		return " WHERE true"
	}
	return " WHERE " + id + " IN (SELECT value FROM json_each(?1))"
}

func (l *loader) args() []driver.NamedValue {
	if l.only == nil {
		return nil
	}
	return []driver.NamedValue{{Ordinal: 1, Value: l.only}}
}

func (l *loader) countChunks(ctx context.Context) (n int, err error) {
	err = l.rows.Each(ctx, "SELECT count(*) FROM chunks"+l.where("memory_id"), l.args(), func(v []driver.Value) error {
		n = int(intOf(v[0]))
		return nil
	})
	return n, err
}

// readMemories reads all tables but that of vectors. It reads chunks by id, which is
// their order in the files, so that neighbours have adjacent numbers.
func (l *loader) readMemories(ctx context.Context) error {
	var tokenizing sync.WaitGroup
	tokenizing.Go(func() {
		for batch := range l.batches {
			l.Tokenize(batch)
		}
	})
	err := l.each(ctx, "SELECT memory_id, speaker, text, context, parts, fingerprint FROM chunks"+l.where("memory_id")+" ORDER BY id", l.readChunk, l.args()...)
	l.sendBatch()
	if err == nil {
		err = l.each(ctx, selectMemories+l.where("id")+" AND missing_since IS NULL", l.readMemory, l.args()...)
	}
	if err == nil {
		err = l.each(ctx, "SELECT memory_id, path, ordinal, line_start, line_end, heading FROM places"+l.where("memory_id"), l.readPlace, l.args()...)
	}
	close(l.batches)
	tokenizing.Wait()
	return err
}

func (l *loader) readChunk(v []driver.Value) error {
	text := stringOf(v[2])
	l.AddChunk(memory.ID(stringOf(v[0])), stringOf(v[1]), text, hashOf(v[5]))
	if l.batch = append(l.batch, search.ChunkText{Text: text, Context: stringOf(v[3]), Parts: stringOf(v[4])}); len(l.batch) == batchSize {
		l.sendBatch()
	}
	return nil
}

func (l *loader) sendBatch() {
	if len(l.batch) > 0 {
		l.batches <- l.batch
	}
	l.batch = make([]search.ChunkText, 0, batchSize)
}

// selectMemories reads what the view "visible" has of a memory, but for its place. The
// columns with few different values are one JSON array, and an empty list is NULL.
const selectMemories = `SELECT id, text, json_array(tier, memory_type, category, scope, user, importance_label, trust_tier, source,
	source_kind, lang, tier_reason, pinned || '', do_not_inject || '', private || ''),
	nullif(tags, '[]'), nullif(use_days, '[]'), source_ref,
	CASE WHEN superseded_by IS NOT NULL THEN (SELECT v.superseded_by FROM visible v WHERE v.id = memories.id) END, importance, use_count,
	created_at, edited_at, last_accessed_at, expires_at, fingerprint, chunks_hash, entity_refs
	FROM memories`

func (l *loader) readMemory(v []driver.Value) error {
	m, err := l.attributesOf(stringOf(v[2]))
	if err != nil {
		return err
	}
	m.ID, m.Text = memory.ID(stringOf(v[0])), stringOf(v[1])
	m.Tags, m.UseDays = sqlite.ParseJSONList(stringOf(v[3])), sqlite.ParseJSONList(stringOf(v[4]))
	if ref := stringOf(v[5]); ref != "" {
		m.SourceRef = &ref
	}
	if by := memory.ID(stringOf(v[6])); by != "" {
		m.SupersededBy = &by
	}
	m.Importance, _ = v[7].(float64)
	m.UseCount = int(intOf(v[8]))
	m.CreatedAt, m.EditedAt = sqlite.Millis(intOf(v[9])).Time(), sqlite.Millis(intOf(v[10])).Pointer()
	m.LastAccessedAt, m.ExpiresAt = sqlite.Millis(intOf(v[11])).Pointer(), sqlite.Millis(intOf(v[12])).Pointer()
	m.Fingerprint, m.Entities = hashOf(v[13]), sqlite.ParseJSONList(stringOf(v[15]))
	l.AddMemory(&m, hashOf(v[14]))
	return nil
}

// attributesOf returns a memory with the attributes of a JSON array alone.
func (l *loader) attributesOf(array string) (memory.Memory, error) {
	m, known := l.attributes[array]
	if known {
		return m, nil
	}
	var v [14]string
	if err := json.Unmarshal([]byte(array), &v); err != nil {
		return m, err
	}
	m = memory.Memory{Tier: memory.Tier(v[0]), Type: memory.Type(v[1]), Category: memory.Category(v[2]), Scope: memory.Scope(v[3]),
		User: v[4], ImportanceLabel: memory.ImportanceLabel(v[5]), Trust: memory.TrustTier(v[6]), Source: memory.Source(v[7]),
		SourceKind: v[8], Lang: v[9], TierReason: v[10], Pinned: v[11] == "1", Forgotten: v[12] == "1", Private: v[13] == "1"}
	l.attributes[array] = m
	return m, nil
}

func (l *loader) readPlace(v []driver.Value) error {
	array := stringOf(v[5])
	heading, known := l.headings[array]
	if !known {
		heading = sqlite.ParseJSONList(array)
		l.headings[array] = heading
	}
	l.AddPlace(memory.ID(stringOf(v[0])), search.Place{Path: stringOf(v[1]), Ordinal: int(intOf(v[2])),
		LineStart: int(intOf(v[3])), LineEnd: int(intOf(v[4])), Heading: heading})
	return nil
}

// readVectors reads those of one model. Some are of texts that are gone.
func (l *loader) readVectors(ctx context.Context, m vectors.Model) error {
	var numbers []float32
	of := "SELECT fingerprint, vector FROM embeddings WHERE model = ?2"
	if l.only != nil {
		of += " AND fingerprint IN (SELECT fingerprint FROM chunks" + l.where("memory_id") + ")"
	}
	return l.each(ctx, of, func(v []driver.Value) error {
		vector, _ := v[1].([]byte)
		numbers = vectors.Append(numbers[:0], vector)
		l.AddVector(m.Name, hashOf(v[0]), numbers)
		return nil
	}, driver.NamedValue{Ordinal: 1, Value: l.only}, driver.NamedValue{Ordinal: 2, Value: m.Key()})
}

// The values of a row; NULL is the zero value.

func stringOf(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func intOf(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func hashOf(v driver.Value) (h [32]byte) {
	b, _ := v.([]byte)
	copy(h[:], b)
	return h
}
