package index

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// loader puts everything on an empty shelf. It goes through each table once, in
// the order in which its rows lie on disk: to look for each memory's rows takes
// three times as long. Another goroutine cuts the texts into words meanwhile.
type loader struct {
	index    *searchIndex
	rows     *sqlite.RawReader
	pause    func(context.Context) error // between rows
	rowsRead int                         // rows

	ordinals      []int32        // 0, 1, 2 …: what leaves' lists are cut from
	lastChunk     map[hash]int32 // what is embedded → the last leaf that holds it
	previousChunk []int32        // by leaf: the one before that holds the same, or none
	attributes    map[string]*attributeSet
	headings      map[string]heading
	tokeniser     chunkTokeniser
	batch         []chunkText
}

// heading is what the headings above a memory are.
type heading struct {
	key  string
	list memory.List[string]
}

// loadAll shelves all memories.
func (db *DB) loadAll(ctx context.Context, s *searchIndex, m model) (err error) {
	from, err := db.sql.OpenRawReader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	f := &loader{index: s, rows: from, pause: db.lanes.yielder(), lastChunk: map[hash]int32{}, attributes: map[string]*attributeSet{}, headings: map[string]heading{}}
	f.tokeniser.s = s
	if err := f.chunks(ctx); err != nil {
		return err
	}
	s.chunkTokens = f.tokeniser.tokens
	s.commitTokens()
	s.buildPostings()
	for at := range s.docs {
		m := &s.docs[at]
		if m.attributes == nil { // a chunk that belongs nowhere: nobody has counted who says it
			m.speaker = ""
		}
		if m.attributes == nil || m.path == "" {
			s.remove(m.id)
		}
	}
	for path := range s.fileDocs {
		s.linkFile(path)
	}
	if m.dim == 0 {
		return nil
	}
	return f.vectors(ctx, m)
}

// each reads rows, and gives way to questions now and then.
func (f *loader) each(ctx context.Context, query string, row func([]driver.Value) error, args ...driver.NamedValue) error {
	const now, then = 64, 0 // some 0.1 ms
	return f.rows.Each(ctx, query, args, func(v []driver.Value) error {
		if f.rowsRead++; f.rowsRead%now == then {
			if err := f.pause(ctx); err != nil {
				return err
			}
		}
		return row(v)
	})
}

// chunks reads all but the vectors: chunks first, in the order of the files, so
// that neighbours come to lie side by side, then what is to be said of their
// memories.
func (f *loader) chunks(ctx context.Context) error {
	n := 0
	if err := f.rows.Each(ctx, "SELECT count(*) FROM chunks", nil, func(v []driver.Value) error {
		n = int(numberIn(v[0]))
		return nil
	}); err != nil {
		return err
	}
	f.reserve(n)
	var cutting sync.WaitGroup
	cutting.Go(f.tokeniser.tokeniseAll)
	err := f.each(ctx, "SELECT id, memory_id, text, context, parts, speaker, fingerprint FROM chunks ORDER BY id", f.chunk)
	f.sendBatch()
	if err == nil {
		err = f.each(ctx, selectMemories, f.memory)
	}
	if err == nil {
		err = f.each(ctx, "SELECT memory_id, path, ordinal, line_start, line_end, heading FROM places", f.place)
	}
	close(f.tokeniser.texts)
	cutting.Wait()
	return err
}

// reserve makes room for so many chunks, to nearly each of which belongs a
// memory.
func (f *loader) reserve(n int) {
	s := f.index
	f.ordinals, f.previousChunk = make([]int32, n), make([]int32, 0, n)
	for i := range f.ordinals {
		f.ordinals[i] = int32(i)
	}
	s.docs, s.neighbours, s.blockOf = slices.Grow(s.docs, n), slices.Grow(s.neighbours, n), slices.Grow(s.blockOf, n)
	s.forgotten, s.attributeIDs, s.multiChunk = slices.Grow(s.forgotten, n), slices.Grow(s.attributeIDs, n), slices.Grow(s.multiChunk, n)
	s.docIDs = make(map[memory.ID]int32, n)
	s.chunkDoc, s.chunkLen, s.chunkNorm = slices.Grow(s.chunkDoc, n), slices.Grow(s.chunkLen, n), slices.Grow(s.chunkNorm, n)
	s.vectors.reserve(n)
	f.tokeniser.reserve(n)
}

// chunk gives a chunk its leaf, and the first of a memory this its slot.
func (f *loader) chunk(v []driver.Value) error {
	s, id, text := f.index, memory.ID(textIn(v[1])), textIn(v[2])
	leaf := int32(len(s.chunkDoc))
	at := int32(len(s.docs) - 1)
	if at < 0 || s.docs[at].id != id {
		var known bool
		if at, known = s.docIDs[id]; !known {
			at = s.newDoc()
			s.docIDs[id] = at
			s.docs[at] = doc{id: id, speaker: s.interned.str(textIn(v[5])), prev: none, next: none}
		}
	}
	m := &s.docs[at]
	m.isQuestion = memory.IsQuestion(text)
	m.textBytes += len(text)
	if n := len(m.chunks); n == 0 || m.chunks[0] == leaf-int32(n) { // they lie together
		m.chunks = f.ordinals[leaf-int32(n) : leaf+1 : leaf+1]
	} else {
		m.chunks = append(m.chunks, leaf)
	}
	s.chunkDoc, s.chunkLen, s.chunkNorm = append(s.chunkDoc, at), append(s.chunkLen, 0), append(s.chunkNorm, 0)
	s.vectors.grow()
	key, before := hashIn(v[6]), none
	if other, known := f.lastChunk[key]; known {
		before = other
	}
	f.lastChunk[key], f.previousChunk = leaf, append(f.previousChunk, before)
	if f.batch = append(f.batch, chunkText{text, textIn(v[3]), textIn(v[4])}); len(f.batch) == cap(f.batch) {
		f.sendBatch()
	}
	return nil
}

// sendBatch lets the other goroutine cut what was read.
func (f *loader) sendBatch() {
	const many = 256 // chunks: some milliseconds' work
	if len(f.batch) > 0 {
		f.tokeniser.texts <- f.batch
	}
	f.batch = make([]chunkText, 0, many)
}

// selectMemories read what the view of what is visible has of a memory, but for its
// place. What most have alike is one value, and an empty list is none.
const selectMemories = `SELECT id, text, json_array(tier, memory_type, category, scope, importance_label, trust_tier, source,
	source_kind, lang, tier_reason, pinned || '', do_not_inject || '', private || '',
	(superseded_by IS NOT NULL OR expires_at IS NOT NULL) || ''),
	nullif(tags, '[]'), nullif(use_days, '[]'), source_ref, superseded_by, importance, use_count,
	created_at, edited_at, last_accessed_at, expires_at, fingerprint, chunks_hash
	FROM memories WHERE missing_since IS NULL`

func (f *loader) memory(v []driver.Value) error {
	s := f.index
	at, known := s.docIDs[memory.ID(textIn(v[0]))]
	if !known {
		return nil // nothing of it is indexed
	}
	alike, err := f.attributeSet(textIn(v[2]))
	if err != nil {
		return err
	}
	m := &s.docs[at]
	m.docFields = docFields{text: textIn(v[1]), attributes: alike,
		tags: s.interned.list(parseList(textIn(v[3]))), useDays: s.interned.list(parseList(textIn(v[4]))), useCount: int(numberIn(v[8])),
		createdAt: millis(numberIn(v[9])), editedAt: millis(numberIn(v[10])), lastAccessedAt: millis(numberIn(v[11])), expiresAt: millis(numberIn(v[12])),
		fingerprint: memory.Fingerprint(hashIn(v[13]))}
	m.importance, _ = v[7].(float64)
	if ref, ok := v[5].(string); ok && ref != "" {
		m.sourceRef = &ref
	}
	if by, ok := v[6].(string); ok && by != "" {
		id := memory.ID(by)
		m.supersededBy = &id
	}
	m.contentHash = hashIn(v[14])
	s.attributeIDs[at], s.maxAttributeID, s.multiChunk[at] = alike.id, max(s.maxAttributeID, alike.id), len(m.chunks) > 1
	s.setForgotten(at, alike.forgotten)
	if m.speaker != "" {
		s.speakers[m.speaker]++
	}
	return nil
}

// attributeSet reads what many memories have alike.
func (f *loader) attributeSet(as string) (*attributeSet, error) {
	if have := f.attributes[as]; have != nil {
		return have, nil
	}
	var v [14]string
	if err := json.Unmarshal([]byte(as), &v); err != nil {
		return nil, err
	}
	have := f.index.interned.attributeSet(attributes{memory.Tier(v[0]), memory.Type(v[1]), memory.Category(v[2]), memory.Scope(v[3]),
		memory.ImportanceLabel(v[4]), memory.TrustTier(v[5]), memory.Source(v[6]), v[7], v[8], v[9], v[10] == "1", v[11] == "1", v[12] == "1", v[13] == "1"})
	f.attributes[as] = have
	return have, nil
}

func (f *loader) place(v []driver.Value) error {
	s := f.index
	at, known := s.docIDs[memory.ID(textIn(v[0]))]
	if !known || s.docs[at].attributes == nil {
		return nil
	}
	m, raw := &s.docs[at], textIn(v[5])
	h, known := f.headings[raw]
	if !known {
		all := parseList(raw)
		h = heading{s.interned.str(list(all)), s.interned.list(all)}
		f.headings[raw] = h
	}
	m.heading, m.headings = h.key, h.list
	m.path, m.ordinal = s.interned.str(textIn(v[1])), int(numberIn(v[2]))
	m.lineStart, m.lineEnd = int32(numberIn(v[3])), int32(numberIn(v[4]))
	s.fileDocs[m.path] = append(s.fileDocs[m.path], at)
	return nil
}

// vectors reads those of one model, some of which are of texts that are gone.
func (f *loader) vectors(ctx context.Context, m model) error {
	var numbers []float32
	return f.each(ctx, "SELECT fingerprint, vector FROM embeddings WHERE model = ?", func(v []driver.Value) error {
		leaf, known := f.lastChunk[hashIn(v[0])]
		if !known {
			return nil
		}
		stored, _ := v[1].([]byte)
		numbers = appendVector(numbers[:0], stored)
		for ; leaf != none; leaf = f.previousChunk[leaf] {
			if f.index.chunkDoc[leaf] != none {
				f.index.vectors.set(leaf, quantise(numbers, m.dim))
			}
		}
		return nil
	}, driver.NamedValue{Ordinal: 1, Value: m.name})
}
