package query

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
)

// liveIndex is the in-memory index of all memories, once it is loaded.
type liveIndex struct {
	mu    sync.RWMutex
	index *search.Index // nil: not loaded, so the tables answer
	ids   []memory.ID   // of all memories, sorted; replaced, never changed
	err   error         // why it could not be loaded or brought up to date

	loading  sync.Mutex // one load or update at a time; guards the fields below
	models   models
	revision int64 // of the tables that the index equals

	tableQueries atomic.Int32 // answered from the tables since the last load
	running      atomic.Int32 // being answered from the tables now
}

func (l *liveIndex) loaded() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.index != nil
}

func (l *liveIndex) setError(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

// Load loads the in-memory index. From then on it follows every commit. The tables
// answer queries meanwhile. It does nothing where the index is loaded already, is
// switched off, or the database is read-only.
func (s *Searcher) Load(ctx context.Context) error {
	if s.db.ReadOnly() || s.noInMemory {
		return nil
	}
	s.live.loading.Lock()
	defer s.live.loading.Unlock()
	if s.live.loaded() {
		return nil
	}
	return sqldb.Wrap("load index", s.load(ctx))
}

// InMemory returns about how many bytes the in-memory index takes. For 0 it returns
// the reason.
func (s *Searcher) InMemory() (bytes int64, reason string) {
	l := &s.live
	l.mu.RLock()
	defer l.mu.RUnlock()
	switch {
	case l.index != nil:
		return l.index.Bytes(), ""
	case s.noInMemory:
		return 0, "switched off"
	case s.db.ReadOnly():
		return 0, "the index is read beside another process"
	case l.err != nil:
		return 0, l.err.Error()
	}
	return 0, "not loaded"
}

// loadAfter is the number of queries after which the in-memory index is loaded
// without a call of [Searcher.Load]. The one query of a command is answered sooner
// from the tables.
const loadAfter = 12

// withIndex calls answer with the in-memory index. It reports false where that is not
// loaded, or answer returns false. After many queries from the tables it loads it.
func (s *Searcher) withIndex(ctx context.Context, answer func(*search.Index) bool) (done bool) {
	if !s.ensureLoaded(ctx) {
		return false
	}
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	return s.live.index != nil && answer(s.live.index)
}

func (s *Searcher) ensureLoaded(ctx context.Context) bool {
	l := &s.live
	if l.loaded() {
		return true
	}
	if l.tableQueries.Add(1) < loadAfter || s.db.ReadOnly() || s.noInMemory || !l.loading.TryLock() { // another query loads it
		return false
	}
	defer l.loading.Unlock()
	l.tableQueries.Store(0)
	return l.loaded() || s.load(ctx) == nil
}

// load reads all memories, catches up while nobody can write, and lets the index
// answer. The index never answers with an older state than that of the tables.
func (s *Searcher) load(ctx context.Context) (err error) {
	defer func() { s.live.setError(err) }()
	x, err := s.build(ctx)
	if err != nil {
		return err
	}
	return s.db.WithWriter(ctx, func(sqldb.Writer) error {
		x, err := s.catchUp(ctx, x)
		if err != nil {
			return err
		}
		s.publish(x)
		return nil
	})
}

// publish lets an index answer; nil lets the tables answer. A new index leaves much
// garbage, the old index included, and readers that are hardly used any more: this
// memory goes back to the system.
func (s *Searcher) publish(x *search.Index) {
	s.live.mu.Lock()
	changed := s.live.index != x
	s.live.index = x
	s.live.mu.Unlock()
	if changed {
		s.db.FreeMemory()
	}
}

// build reads all memories into a new index, and notes its models and revision. Changes
// during the read may be in it or not.
func (s *Searcher) build(ctx context.Context) (*search.Index, error) {
	m, err := s.readModels(ctx)
	if err != nil {
		return nil, err
	}
	revision, err := s.Revision(ctx) // before the read: changes during it are read again
	if err != nil {
		return nil, err
	}
	x := m.newIndex()
	ids, err := s.readIDs(ctx)
	if err != nil {
		return nil, err
	}
	inFiles, err := sqldb.Column[memory.ID](ctx, s.db.Read(), "SELECT memory_id FROM places ORDER BY path, ordinal")
	if err != nil {
		return nil, err
	}
	x.Reserve(len(inFiles))
	if err := s.fill(ctx, x, m, inFiles, s.yielder()); err != nil {
		return nil, err
	}
	x.Compact()
	x.ShareIDs(ids)
	s.live.models, s.live.revision = m, revision
	s.live.mu.Lock()
	s.live.ids = ids
	s.live.mu.Unlock()
	return x, nil
}

// fillBatch is the number of memories that are read together: some 10 ms of work.
const fillBatch = 500

// fill adds memories to an index, in the order of their files. It calls yield between its
// parts.
func (s *Searcher) fill(ctx context.Context, x *search.Index, of models, ids []memory.ID, yield func(context.Context) error) error {
	for part := range slices.Chunk(ids, fillBatch) {
		docs, err := s.readDocuments(ctx, of, part)
		if err == nil {
			err = yield(ctx)
		}
		if err != nil {
			return err
		}
		x.Prepare(docs)
		x.Replace(part, docs)
	}
	return nil
}

// trackQuery counts a query that the tables answer, until done is called.
func (s *Searcher) trackQuery() (done func()) {
	s.live.running.Add(1)
	return func() { s.live.running.Add(-1) }
}

// yielder returns a function that waits while queries need the processor and the disk.
// It waits two seconds at most in all, so that a load ends however many there are.
func (s *Searcher) yielder() func(context.Context) error {
	const limit, pause = 2 * time.Second, time.Millisecond
	waited := time.Duration(0)
	return func(ctx context.Context) error {
		for ; s.live.running.Load() > 0 && waited < limit && ctx.Err() == nil; waited += pause {
			time.Sleep(pause)
		}
		return ctx.Err()
	}
}

// Follow brings the in-memory index up to date, if it is loaded. The database calls it
// after each commit, before the writer learns of it. If it fails, the tables answer.
func (s *Searcher) Follow(ctx context.Context) {
	if !s.live.loaded() {
		return
	}
	s.live.loading.Lock()
	defer s.live.loading.Unlock()
	x, err := s.catchUp(ctx, s.live.index)
	if err != nil {
		x = nil
	}
	s.publish(x)
	s.live.setError(err)
}

// FollowVectors is [Searcher.Follow] for a commit that only added vectors of a model. It
// sets these, and reads no memory again.
func (s *Searcher) FollowVectors(ctx context.Context, revision int64, model string, added []vectors.ChunkVector) {
	if !s.setVectors(revision, model, added) {
		s.Follow(ctx)
	}
}

// setVectors reports false if the in-memory index is not loaded, lacks an earlier commit,
// or has no vectors of the model.
func (s *Searcher) setVectors(revision int64, model string, added []vectors.ChunkVector) bool {
	l := &s.live
	if !l.loaded() {
		return false
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.index == nil || revision != l.revision+1 || !l.index.HasModel(model, len(added[0].Vector)) {
		return false
	}
	for _, v := range added {
		l.index.SetVector(model, v.ID, v.N, v.Vector)
	}
	l.revision = revision
	return true
}

// Reload loads the in-memory index again, if it is loaded: an index that only follows
// remembers the words of removed memories.
func (s *Searcher) Reload(ctx context.Context) error {
	s.live.loading.Lock()
	defer s.live.loading.Unlock()
	if !s.live.loaded() {
		return nil
	}
	// A commit meanwhile waits for this before it follows, and its writer with it.
	x, err := s.build(ctx)
	if err != nil {
		x = nil
	}
	s.publish(x)
	s.live.setError(err)
	return err
}

// A new index is built if more than minRebuild memories changed, and more than one in
// maxChangedShare of those that it has. Reading a changed memory takes three times as
// long as reading one of all. While a large workspace grows in slices, the builds
// together take a time that is linear in its size.
const minRebuild, maxChangedShare = 5000, 3

// catchUp applies the changes since the revision of an index. It returns that index,
// or a new one.
func (s *Searcher) catchUp(ctx context.Context, x *search.Index) (*search.Index, error) {
	l := &s.live
	m, err := s.readModels(ctx)
	if err != nil {
		return nil, err
	}
	changed, revision, err := s.changesSince(ctx, l.revision)
	if err != nil {
		return nil, err
	}
	places, shiftedTo, err := s.shiftedSince(ctx, l.revision)
	switch {
	case err != nil:
		return nil, err
	case !m.same(l.models) || len(changed) > max(minRebuild, x.Len()/maxChangedShare):
		return s.build(ctx)
	case len(changed)+len(places) == 0:
		return x, nil
	}
	docs, err := s.readDocuments(ctx, m, changed)
	if err != nil {
		return nil, err
	}
	ids, err := s.changedIDs(ctx, l.ids, changed)
	if err != nil {
		return nil, err
	}
	x.Prepare(docs)
	l.mu.Lock()
	defer l.mu.Unlock()
	x.Move(places, changed)
	x.Replace(changed, docs)
	l.models, l.revision, l.ids = m, max(revision, shiftedTo), ids
	return x, nil
}

// shiftedSince reads where the memories of the files are in which memories moved together
// after a revision. It returns the revision that it reaches.
func (s *Searcher) shiftedSince(ctx context.Context, revision int64) (places []search.Position, current int64, err error) {
	current = revision
	err = s.db.Read().Each(ctx, `SELECT p.memory_id, p.ordinal, p.line_start, p.line_end, f.shifted FROM files f CROSS JOIN places p ON p.path = f.path
		WHERE f.shifted > 0 AND f.shifted > ?1 ORDER BY f.shifted`, []any{revision}, func(scan func(...any) error) error {
		var p search.Position
		err := scan(&p.ID, &p.Ordinal, &p.LineStart, &p.LineEnd, &current)
		places = append(places, p)
		return err
	})
	return places, current, err
}

// selectDocuments reads visible memories with their chunks, in the order of both. The row of a
// memory's first chunk alone has its text: a text of 10 MB has hundreds of chunks, and all rows
// are sorted.
var selectDocuments = "SELECT " + strings.Replace("v."+strings.Join(strings.FieldsFunc(MemoryColumns, func(r rune) bool {
	return r == ',' || unicode.IsSpace(r)
}), ", v."), "v.text", "iif(c.n = 0, v.text, '')", 1) + `, v.ordinal, m.chunks_hash, c.speaker, c.text, c.context, c.parts, e.vector, k.vector
	FROM chunks c CROSS JOIN visible v ON v.id = c.memory_id CROSS JOIN memories m ON m.id = c.memory_id
	LEFT JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
	LEFT JOIN embeddings k ON k.fingerprint = c.fingerprint AND k.model = ?
	WHERE c.memory_id IN (SELECT value FROM json_each(?)) ORDER BY c.memory_id, c.n`

// readDocuments reads those of some memories that are visible.
func (s *Searcher) readDocuments(ctx context.Context, of models, ids []memory.ID) (docs []search.Document, err error) {
	err = s.db.Read().Each(ctx, selectDocuments, []any{of.serving.Key(), of.kept.Key(), sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		var d search.Document
		var c search.Chunk
		var hash sqldb.Hash
		var vector, kept sql.RawBytes
		m, err := ScanMemory(func(to ...any) error {
			return scan(append(to, &d.Ordinal, &hash, &d.Speaker, &c.Text, &c.Context, &c.Parts, &vector, &kept)...)
		})
		if err != nil {
			return err
		}
		d.Memory = m
		c.Vector, c.Second = vectors.Decode(vector), vectors.Decode(kept)
		if n := len(docs); n == 0 || docs[n-1].Memory.ID != d.Memory.ID {
			d.ContentHash = hash
			docs = append(docs, d)
		}
		last := &docs[len(docs)-1]
		last.Chunks = append(last.Chunks, c)
		return nil
	})
	return docs, errors.Join(err, ctx.Err())
}
