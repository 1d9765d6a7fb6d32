package index

import (
	"context"
	"errors"
	"sync"

	"github.com/memory-tiered/memory"
)

// lanes keeps the shelf of everything, once it is loaded, in step with the
// tables.
type lanes struct {
	mu    sync.RWMutex
	shelf *shelf // nil: not loaded, the tables answer alone
	model model

	loading  sync.Mutex // one load or follow at a time
	revision int64      // what the shelf agrees with
	slow     int        // queries that the tables answered alone
}

// worthLoading is after how many queries the shelf is loaded without being asked
// for: one command's query is answered sooner without it.
const worthLoading = 12

// Load reads everything that the lanes need into memory, from where it is
// followed with every [DB.Update]. Queries are answered meanwhile.
func (db *DB) Load(ctx context.Context) error {
	if db.readOnly || db.lean {
		return nil
	}
	db.lanes.loading.Lock()
	defer db.lanes.loading.Unlock()
	db.lanes.mu.RLock()
	loaded := db.lanes.shelf != nil
	db.lanes.mu.RUnlock()
	if loaded {
		return nil
	}
	return failed("load index", db.lanes.load(ctx, db))
}

// Loaded says how many bytes the lanes take in memory, about; 0: the tables
// answer alone.
func (db *DB) Loaded() (bytes int64) {
	db.lanes.mu.RLock()
	defer db.lanes.mu.RUnlock()
	s := db.lanes.shelf
	if s == nil {
		return 0
	}
	const memoryBytes, leafBytes, postBytes = 240, 48, 8
	bytes = int64(len(s.memories)*memoryBytes + len(s.leaves)*leafBytes + 4*cap(s.vectors) + 8*cap(s.codes))
	for i, list := range s.lists {
		bytes += int64(postBytes*cap(list) + len(s.words[i]))
	}
	return bytes + 4*int64(s.tokens)
}

// load makes a shelf of everything and follows what changed while it did.
func (l *lanes) load(ctx context.Context, db *DB) error {
	m, err := db.model(ctx, false)
	if err != nil {
		return err
	}
	at, err := db.Revision(ctx) // first: what changes meanwhile is read again
	if err != nil {
		return err
	}
	s := newShelf(m)
	if err := db.fill(ctx, s, m, nil); err != nil {
		return err
	}
	l.mu.Lock()
	l.shelf, l.model, l.revision = s, m, at
	l.mu.Unlock()
	return l.catchUp(ctx, db)
}

// follow brings the shelf up to the tables, where there is one. If it cannot,
// the tables answer alone.
func (l *lanes) follow(ctx context.Context, db *DB) {
	l.mu.RLock()
	loaded := l.shelf != nil
	l.mu.RUnlock()
	if !loaded {
		return
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	if err := l.catchUp(ctx, db); err != nil {
		l.mu.Lock()
		l.shelf = nil
		l.mu.Unlock()
	}
}

// manyChanged is how many changed memories are read anew one by one; beyond it
// everything is.
const manyChanged = 5000

func (l *lanes) catchUp(ctx context.Context, db *DB) error {
	if l.shelf == nil {
		return nil
	}
	m, err := db.model(ctx, false)
	if err != nil {
		return err
	}
	changed, at, err := db.ChangesSince(ctx, l.revision)
	switch {
	case err != nil:
		return err
	case m.name != l.model.name || m.dim != l.model.dim || len(changed) > manyChanged:
		return l.load(ctx, db)
	case len(changed) == 0:
		return nil
	}
	fresh, err := db.readStored(ctx, m, changed)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shelf.replace(changed, fresh)
	l.model, l.revision = m, at
	return nil
}

// replace takes over what some memories have become.
func (s *shelf) replace(changed []memory.ID, fresh []stored) {
	there, files := map[memory.ID]bool{}, map[string]bool{}
	for _, m := range fresh {
		there[m.id], files[m.path] = true, true
	}
	for _, id := range changed {
		if at, known := s.slots[id]; known {
			files[s.memories[at].path] = true
			if !there[id] {
				s.drop(id)
			}
		}
	}
	for _, m := range fresh {
		s.put(m)
	}
	for path := range files {
		s.link(path)
	}
}

// fill shelves some memories, or all of them.
func (db *DB) fill(ctx context.Context, s *shelf, m model, ids []memory.ID) error {
	err := db.eachStored(ctx, m, ids, func(one stored) { s.put(one) })
	for path := range s.files {
		s.link(path)
	}
	return err
}

func (db *DB) readStored(ctx context.Context, m model, ids []memory.ID) (all []stored, err error) {
	err = db.eachStored(ctx, m, ids, func(one stored) { all = append(all, one) })
	return all, err
}

const storedMemories = `SELECT c.memory_id, p.path, p.ordinal, p.heading, m.chunks_hash, m.do_not_inject,
	c.speaker, c.text, c.context, c.parts, e.vector
	FROM chunks c JOIN memories m ON m.id = c.memory_id JOIN places p ON p.memory_id = c.memory_id
	LEFT JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?`

// eachStored reads memories with their chunks. nil: all of them.
func (db *DB) eachStored(ctx context.Context, m model, ids []memory.ID, give func(stored)) error {
	query, args := storedMemories+" ORDER BY c.memory_id, c.n", []any{m.name}
	if ids != nil {
		query, args = storedMemories+" WHERE c.memory_id IN (SELECT value FROM json_each(?)) ORDER BY c.memory_id, c.n", []any{m.name, list(ids)}
	}
	var one stored
	headings := map[string]string{} // many memories share one
	err := db.now().each(ctx, query, args, func(scan func(...any) error) error {
		var next shelved
		var c storedChunk
		var vector []byte
		if err := scan(&next.id, &next.path, &next.ordinal, &next.heading, &next.sum, &next.forgotten, &next.speaker,
			&c.text, &c.context, &c.parts, &vector); err != nil {
			return err
		}
		c.vector = vectorOf(vector)
		if next.id != one.id {
			if one.id != "" {
				give(one)
			}
			for _, s := range []*string{&next.heading, &next.path, &next.speaker} {
				if _, known := headings[*s]; !known {
					headings[*s] = *s
				}
				*s = headings[*s]
			}
			one = stored{shelved: next}
		}
		one.asks = memory.Asks(c.text)
		one.size += len(c.text)
		one.chunks = append(one.chunks, c)
		return nil
	})
	if err == nil && one.id != "" {
		give(one)
	}
	return errors.Join(err, ctx.Err())
}
