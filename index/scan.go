package index

import (
	"container/heap"
	"context"
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
)

// maxScan is how many bytes of vectors the scan keeps at most: half a million
// of 256 numbers. Beyond that there is no answer without vec0.
const maxScan = 512 << 20

// scan is an exact search over the vectors in memory, for where vec0 does not
// serve: no extension, more neighbours than it gives, a filter that leaves few.
// It loads at its first use and follows the tables by revision.
type scan struct {
	mu       sync.RWMutex
	loaded   bool
	model    model
	revision int64

	vectors []float32 // dim numbers a slot
	owners  []memory.ID
	slots   map[memory.ID][]int
	free    []int // slots that nobody owns
}

// scanNearest gives the k nearest memories that the filter lets through.
func (db *DB) scanNearest(ctx context.Context, m model, vec []float32, f *filter, k int) ([]memory.Candidate, error) {
	if err := db.scan.follow(ctx, db, m); err != nil {
		return nil, err
	}
	for n := 2*k + 20; ; n *= 8 {
		all := db.scan.nearest(vec, n)
		found, err := db.letThrough(ctx, all, f, k)
		if err != nil || len(found) == k || len(all) < n {
			return found, err
		}
	}
}

// nearest gives the n nearest chunks by their memories, nearest first.
func (s *scan) nearest(vec []float32, n int) []memory.Candidate {
	s.mu.RLock()
	defer s.mu.RUnlock()
	best := make(lowest, 0, min(n, len(s.owners))+1)
	for slot, id := range s.owners {
		if id == "" {
			continue
		}
		c := memory.Candidate{ID: id, Raw: dot(vec, s.vectors[slot*len(vec):][:len(vec)])}
		if len(best) == n && byRaw(c, best[0]) > 0 {
			continue
		}
		heap.Push(&best, c)
		if len(best) > n {
			heap.Pop(&best)
		}
	}
	slices.SortFunc(best, byRaw)
	return best
}

// dot is the cosine of unit vectors. Four sums at once keep the processor busy.
func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0 + s1 + s2 + s3)
}

// lowest is a heap with its worst candidate on top.
type lowest []memory.Candidate

func (l lowest) Len() int           { return len(l) }
func (l lowest) Less(i, j int) bool { return byRaw(l[i], l[j]) > 0 }
func (l lowest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *lowest) Push(c any)        { *l = append(*l, c.(memory.Candidate)) }
func (l *lowest) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

// follow brings the vectors up to the tables.
func (s *scan) follow(ctx context.Context, db *DB, m model) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded && s.model.name == m.name && s.model.dim == m.dim {
		changed, at, err := db.ChangesSince(ctx, s.revision)
		if err != nil || len(changed) == 0 {
			return err
		}
		return s.reload(ctx, db, changed, at)
	}
	return s.load(ctx, db, m)
}

const scanVectors = `SELECT c.memory_id, e.vector FROM chunks c
	JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
	WHERE length(e.vector) = ? AND e.code <> zeroblob(length(e.code))`

// load reads everything. The revision is read first: what changes meanwhile is
// read again next time.
func (s *scan) load(ctx context.Context, db *DB, m model) error {
	at, err := db.Revision(ctx)
	if err != nil {
		return err
	}
	s.loaded, s.model, s.revision = false, m, at
	s.vectors, s.owners, s.free, s.slots = nil, nil, nil, map[memory.ID][]int{}
	if err := s.read(ctx, db, scanVectors, m.name, 4*m.dim); err != nil {
		return err
	}
	s.loaded = true
	return nil
}

// reload reads anew what changed.
func (s *scan) reload(ctx context.Context, db *DB, changed []memory.ID, at int64) error {
	for _, id := range changed {
		for _, slot := range s.slots[id] {
			s.owners[slot] = ""
			s.free = append(s.free, slot)
		}
		delete(s.slots, id)
	}
	s.loaded = false // until it has all been read
	err := s.read(ctx, db, scanVectors+" AND c.memory_id IN (SELECT value FROM json_each(?))",
		s.model.name, 4*s.model.dim, list(changed))
	s.loaded, s.revision = err == nil, at
	return err
}

func (s *scan) read(ctx context.Context, db *DB, query string, args ...any) error {
	return db.sql.Read().Each(ctx, query, args, func(scan func(...any) error) error {
		var id memory.ID
		var b []byte
		if err := scan(&id, &b); err != nil {
			return err
		}
		return s.put(id, vectorOf(b))
	})
}

func (s *scan) put(id memory.ID, v []float32) error {
	slot := len(s.owners)
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
		copy(s.vectors[slot*len(v):], v)
		s.owners[slot] = id
	} else {
		if 4*(len(s.vectors)+len(v)) > maxScan {
			return memory.Unavailable(nil, "too many vectors to scan without sqlite-vec")
		}
		s.vectors, s.owners = append(s.vectors, v...), append(s.owners, id)
	}
	s.slots[id] = append(s.slots[id], slot)
	return nil
}
