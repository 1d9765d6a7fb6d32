package index

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
)

// reach is how far from what FTS5 found a memory may stand for its context to be
// known: its neighbours, and theirs.
const reach = 2 * len(support)

// contextBeside answers from the tables: it takes what FTS5 finds best, shelves
// it with all that stands near, and scores that by the figures of the whole
// index.
func (db *DB) contextBeside(ctx context.Context, a asked) ([]memory.Signals, error) {
	p, err := db.narrow(ctx, a.p)
	if err != nil {
		if errors.Is(err, errNone) {
			err = nil
		}
		return nil, err
	}
	a.p = p
	if err := correct(ctx, tokenTable{db}, a.terms); err != nil {
		return nil, err
	}
	if a.total, err = db.weigh(ctx, a.terms); err != nil {
		return nil, err
	}
	m, err := db.model(ctx, false)
	if err != nil {
		return nil, err
	}
	f := filterOf(a.p, time.Now())
	ids, err := db.near(ctx, a, f)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	s := newShelf(m)
	if err := db.fillNear(ctx, s, ids); err != nil {
		return nil, err
	}
	for _, t := range a.terms {
		a.sights = append(a.sights, s.sightsOf(t))
	}
	if err = db.measure(ctx, &a); err != nil {
		return nil, err
	}
	visible, err := db.visibleIDs(ctx, ids, f)
	if err != nil {
		return nil, err
	}
	found := s.stand(&a, func(at int32) bool { return visible[s.memories[at].id] })
	if len(a.Vec) > 0 && len(a.Vec) == m.dim && (a.Model == "" || a.Model == m.name) {
		if err := db.fillVectorsOf(ctx, s, m, found); err != nil {
			return nil, err
		}
		s.cosines(a, found)
	}
	return found, nil
}

// fillNear shelves the words of some memories, and where they stand.
func (db *DB) fillNear(ctx context.Context, s *shelf, ids []memory.ID) error {
	var one stored
	give := func() {
		if one.id != "" {
			s.prepare(&one)
			s.put(one)
		}
	}
	err := db.now().each(ctx, `SELECT c.memory_id, p.path, p.ordinal, p.heading, m.do_not_inject, c.speaker, c.text, c.context, c.parts
		FROM chunks c JOIN memories m ON m.id = c.memory_id JOIN places p ON p.memory_id = c.memory_id
		WHERE c.memory_id IN (SELECT value FROM json_each(?)) ORDER BY c.memory_id, c.n`, []any{list(ids)},
		func(scan func(...any) error) error {
			var next stored
			var c storedChunk
			err := scan(&next.id, &next.path, &next.ordinal, &next.heading, &next.forgotten, &next.speaker, &c.text, &c.context, &c.parts)
			if next.id != one.id {
				give()
				one = next
			}
			one.add(c)
			return err
		})
	give()
	for path := range s.files {
		s.link(path)
	}
	return err
}

// fillVectorsOf adds the vectors of some memories that are shelved, and of those
// beside them.
func (db *DB) fillVectorsOf(ctx context.Context, s *shelf, m model, found []memory.Signals) error {
	ids := map[memory.ID]bool{}
	for _, f := range found {
		ids[f.ID] = true
		s.around(s.slots[f.ID], nearPlaces, memory.Also, func(n neighbour) { ids[s.memories[n.at].id] = true })
	}
	return db.now().each(ctx, `SELECT c.memory_id, c.n, e.vector FROM chunks c
		JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ? WHERE c.memory_id IN (SELECT value FROM json_each(?))`,
		[]any{m.name, list(sorted(ids))}, func(scan func(...any) error) error {
			var id memory.ID
			var n int
			var vector sql.RawBytes
			err := scan(&id, &n, &vector)
			if at, known := s.slots[id]; known && n < len(s.memories[at].leaves) {
				s.vectors.set(s.memories[at].leaves[n], quantise(vectorOf(vector), s.dim))
			}
			return err
		})
}

// near names the memories that FTS5 finds best and those asked for as well, each
// with what stands round it.
func (db *DB) near(ctx context.Context, a asked, f *filter) (ids []memory.ID, err error) {
	core := append([]memory.ID(nil), a.also...)
	if len(a.terms) > 0 {
		hits, err := db.best(ctx, a.terms, f, a.k)
		if err != nil {
			return nil, err
		}
		best := map[memory.ID]bool{}
		for _, h := range hits {
			if best[h.ID] = true; len(best) > a.k {
				break
			}
			core = append(core, h.ID)
		}
	}
	err = db.now().each(ctx, `SELECT DISTINCT n.memory_id FROM places p JOIN places n ON n.path = p.path
		AND n.ordinal BETWEEN p.ordinal - ?1 AND p.ordinal + ?1 WHERE p.memory_id IN (SELECT value FROM json_each(?2))`,
		[]any{reach, list(core)}, func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, err
}

// measure asks FTS5 for the figures of the whole index.
func (db *DB) measure(ctx context.Context, a *asked) error {
	// The first record of an FTS5 table holds how many rows and, a column each,
	// how many tokens there are, as varints.
	var record []byte
	if err := db.now().one(ctx, "SELECT block FROM memories_fts_data WHERE id = 1", nil, &record); err != nil {
		return err
	}
	rows, rest := varint(record)
	a.scale.rows = float64(rows)
	for len(rest) > 0 {
		var n uint64
		n, rest = varint(rest)
		a.scale.average += float64(n) / max(1, a.scale.rows)
	}
	for _, sights := range a.sights {
		for k := range sights {
			if err := db.now().one(ctx, "SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?", []any{sights[k].match}, &sights[k].holds); err != nil {
				return err
			}
		}
	}
	return nil
}

// varint reads a number as SQLite writes it: seven bits a byte, highest first,
// all eight of a ninth.
func varint(b []byte) (n uint64, rest []byte) {
	for i, x := range b {
		if i == 8 {
			return n<<8 | uint64(x), b[i+1:]
		}
		n = n<<7 | uint64(x&0x7f)
		if x < 0x80 {
			return n, b[i+1:]
		}
	}
	return n, nil
}
