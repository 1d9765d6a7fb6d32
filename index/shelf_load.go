package index

import (
	"context"
	"database/sql"
	"errors"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// follower keeps the shelf of everything, once it is loaded, in step with the
// tables.
type follower struct {
	mu    sync.RWMutex
	index *searchIndex // nil: not loaded, the tables answer alone
	err   error        // why it could not be loaded, or followed

	loading  sync.Mutex // one load or follow at a time
	model    model
	revision int64 // what the shelf agrees with

	tableQueries atomic.Int32 // queries that the tables answered alone
	running      atomic.Int32 // those that they are being asked now
}

// loadAfter is after how many queries the shelf is loaded without being asked
// for: one command's query is answered sooner without it.
const loadAfter = 12

// Load reads everything that the lanes need into memory, from where it is
// followed with every [DB.Update]. Queries are answered meanwhile. Where it is
// loaded already, or never will be, there is nothing to do.
func (db *DB) Load(ctx context.Context) error {
	if db.sql.ReadOnly() || db.noInMemory {
		return nil
	}
	l := &db.lanes
	l.loading.Lock()
	defer l.loading.Unlock()
	if l.loaded() {
		return nil
	}
	return sqlite.Wrap("load index", l.load(ctx, db))
}

// InMemory says about how many bytes the lanes take in memory; 0: the tables answer
// alone, and why.
func (db *DB) InMemory() (bytes int64, why string) {
	l := &db.lanes
	l.mu.RLock()
	defer l.mu.RUnlock()
	switch {
	case l.index != nil:
		return l.index.bytes(), ""
	case db.noInMemory:
		return 0, "switched off"
	case db.sql.ReadOnly():
		return 0, "the index is read beside another process"
	case l.err != nil:
		return 0, l.err.Error()
	}
	return 0, "not loaded"
}

func (l *follower) loaded() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.index != nil
}

// load makes a shelf of everything, and lets it answer from a moment at which
// nobody writes: nothing is ever answered from a shelf that is behind.
func (l *follower) load(ctx context.Context, db *DB) (err error) {
	defer func() { l.setError(err) }()
	s, m, at, err := l.build(ctx, db)
	if err != nil {
		return err
	}
	return db.sql.WithWriter(ctx, func(sqlite.Writer) (err error) {
		l.model, l.revision = m, at
		if s, err = l.catchUp(ctx, db, s); err != nil {
			return err
		}
		l.publish(db, s)
		return nil
	})
}

func (l *follower) setError(problem error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = problem
}

// publish lets a shelf answer. Where it is another than before, much of what it
// took to make it, and the one before, is given back to the system, and what
// readers have mapped of the tables: they are hardly asked any more.
func (l *follower) publish(db *DB, s *searchIndex) {
	l.mu.Lock()
	other := l.index != s
	l.index = s
	l.mu.Unlock()
	if other {
		db.sql.UnmapIdle()
		debug.FreeOSMemory()
	}
}

// build makes a shelf of everything that there was at a revision, and of some of
// what came after it.
func (l *follower) build(ctx context.Context, db *DB) (*searchIndex, model, int64, error) {
	m, err := db.model(ctx, false)
	if err != nil {
		return nil, m, 0, err
	}
	at, err := db.Revision(ctx) // first: what changes meanwhile is read again
	if err != nil {
		return nil, m, 0, err
	}
	s := newSearchIndex(m)
	return s, m, at, db.loadAll(ctx, s, m)
}

// trackQuery says that the tables are being asked, until done is called.
func (l *follower) trackQuery() (done func()) {
	l.running.Add(1)
	return func() { l.running.Add(-1) }
}

// yielder makes the way for a load to give way to questions, which need the
// processor and the disk now: for two seconds at most in all, so that it ends
// however much is asked.
func (l *follower) yielder() func(context.Context) error {
	const most, pause = 2 * time.Second, time.Millisecond
	waited := time.Duration(0)
	return func(ctx context.Context) error {
		for ; l.running.Load() > 0 && waited < most && ctx.Err() == nil; waited += pause {
			time.Sleep(pause)
		}
		return ctx.Err()
	}
}

// follow brings the shelf up to the tables, where there is one, before whoever
// wrote is told that it is done. If it cannot, the tables answer alone.
func (l *follower) follow(ctx context.Context, db *DB) {
	if !l.loaded() {
		return
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	s, err := l.catchUp(ctx, db, l.index)
	if err != nil {
		s = nil
	}
	l.publish(db, s)
	l.setError(err)
}

// maxIncremental is how many changed memories are read anew one by one; beyond it
// everything is, on another shelf.
const maxIncremental = 5000

func (l *follower) catchUp(ctx context.Context, db *DB, s *searchIndex) (*searchIndex, error) {
	m, err := db.model(ctx, false)
	if err != nil {
		return nil, err
	}
	changed, at, err := db.ChangesSince(ctx, l.revision)
	switch {
	case err != nil:
		return nil, err
	case m.name != l.model.name || m.dim != l.model.dim || len(changed) > maxIncremental:
		s, l.model, l.revision, err = l.build(ctx, db)
		return s, err
	case len(changed) == 0:
		return s, nil
	}
	fresh, err := db.readDocs(ctx, s, m, changed)
	if err != nil {
		return nil, err
	}
	for i := range fresh {
		s.prepare(&fresh[i])
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.replace(changed, fresh)
	l.model, l.revision = m, at
	return s, nil
}

// replace takes over what some memories have become.
func (x *searchIndex) replace(changed []memory.ID, fresh []inputDoc) {
	there, files := map[memory.ID]bool{}, map[string]bool{}
	for _, m := range fresh {
		there[m.id], files[m.path] = true, true
	}
	for _, id := range changed {
		if at, known := x.docIDs[id]; known {
			files[x.docs[at].path] = true
			if !there[id] {
				x.remove(id)
			}
		}
	}
	for _, m := range fresh {
		x.add(m)
	}
	for path := range files {
		x.linkFile(path)
	}
}

func (db *DB) readDocs(ctx context.Context, s *searchIndex, m model, ids []memory.ID) (all []inputDoc, err error) {
	err = db.eachDoc(ctx, s, m, ids, func(one inputDoc) { all = append(all, one) })
	return all, err
}

// selectDocs reads chunks with their memories, those of one together.
var selectDocs = "SELECT v." + strings.Join(strings.FieldsFunc(memoryColumns, func(r rune) bool {
	return r == ',' || unicode.IsSpace(r)
}), ", v.") + `, v.ordinal, m.chunks_hash, c.speaker, c.text, c.context, c.parts, e.vector
	FROM chunks c CROSS JOIN visible v ON v.id = c.memory_id CROSS JOIN memories m ON m.id = c.memory_id
	LEFT JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
	WHERE c.memory_id IN (SELECT value FROM json_each(?)) ORDER BY c.memory_id, c.n`

// eachDoc reads some memories with their chunks; all are read by [loader].
func (db *DB) eachDoc(ctx context.Context, s *searchIndex, m model, ids []memory.ID, give func(inputDoc)) error {
	var one inputDoc
	err := db.sql.Read().Each(ctx, selectDocs, []any{m.name, list(ids)}, func(scan func(...any) error) error {
		var next inputDoc
		var c inputChunk
		var vector sql.RawBytes
		row, err := scanMemory(func(to ...any) error {
			return scan(append(to, &next.ordinal, &next.contentHash, &next.speaker, &c.text, &c.context, &c.parts, &vector)...)
		})
		if err != nil {
			return err
		}
		c.vector = decodeVector(vector)
		if row.ID != one.id {
			if one.id != "" {
				give(one)
			}
			next.setFields(row, &s.interned)
			one = next
		}
		one.addChunk(c)
		return nil
	})
	if err == nil && one.id != "" {
		give(one)
	}
	return errors.Join(err, ctx.Err())
}

func (m *inputDoc) addChunk(c inputChunk) {
	m.isQuestion = memory.IsQuestion(c.text)
	m.textBytes += len(c.text)
	m.chunks = append(m.chunks, c)
}

// setFields keeps what the view says of a memory.
func (m *inputDoc) setFields(row memory.Memory, shared *interner) {
	m.docFields, m.id, m.forgotten = shared.fields(&row), row.ID, row.Forgotten
	m.path, m.speaker, m.heading = shared.str(row.Path), shared.str(m.speaker), shared.str(list(row.Heading))
}
