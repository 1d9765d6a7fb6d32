package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
)

// contextBeside answers from the tables: it takes the candidates, shelves
// them with all that stands near, and scores that by the figures of the whole
// index.
func (db *DB) contextBeside(ctx context.Context, a asked, also []memory.Candidate) ([]memory.Signals, error) {
	defer db.lanes.asked()()
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
	if a.scale, err = db.measure(ctx); err != nil {
		return nil, err
	}
	f := filterOf(a.p)
	ids, err := db.near(ctx, &a, also, f)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	s := newShelf(m)
	visible, err := db.fillNear(ctx, s, ids, f)
	if err != nil {
		return nil, err
	}
	for _, t := range a.terms {
		a.sights = append(a.sights, s.sightsOf(t))
	}
	for _, sights := range a.sights {
		for i := range sights {
			sights[i].holds = a.holds[sights[i].match]
		}
	}
	a.also = s.slotsOf(also)
	found := s.stand(&a, func(at int32) bool { return visible[s.memories[at].id] })
	if s.quicken(&a); len(a.quick.steps) > 0 {
		if err := db.fillVectorsOf(ctx, s, m, found); err != nil {
			return nil, err
		}
		if s.vectors.total, err = db.totalOf(ctx, m); err != nil {
			return nil, err
		}
		a.usual = s.vectors.total.usual(a.quick)
		for i := range found {
			s.compare(&a, &found[i], s.slots[found[i].ID])
		}
	}
	return found, nil
}

// fillNear shelves the words of some memories, and where they stand, and says
// which of them a predicate lets through.
func (db *DB) fillNear(ctx context.Context, s *shelf, ids []memory.ID, f *filter) (visible map[memory.ID]bool, err error) {
	known := make(map[memory.ID]stored, len(ids))
	visible = make(map[memory.ID]bool, len(ids))
	err = db.sql.Read().Each(ctx, "SELECT id, forgotten, path, ordinal, heading, true"+f.and()+" FROM "+f.view+" WHERE id IN (SELECT value FROM json_each(?))",
		append(slices.Clone(f.args), list(ids)), func(scan func(...any) error) error {
			var m stored
			var lets bool
			err := scan(&m.id, &m.forgotten, &m.path, &m.ordinal, &m.heading, &lets)
			known[m.id], visible[m.id] = m, lets
			return err
		})
	if err == nil {
		err = db.fillWords(ctx, s, ids, known)
	}
	for path := range s.files {
		s.link(path)
	}
	return visible, err
}

func (db *DB) fillWords(ctx context.Context, s *shelf, ids []memory.ID, known map[memory.ID]stored) error {
	var one stored
	give := func() {
		if one.id != "" {
			s.prepare(&one)
			s.put(one)
		}
	}
	err := db.sql.Read().Each(ctx, `SELECT memory_id, speaker, text, context, parts FROM chunks
		WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, n`, []any{list(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var speaker string
			var c storedChunk
			err := scan(&id, &speaker, &c.text, &c.context, &c.parts)
			if id != one.id {
				give()
				one = known[id]
				one.speaker = speaker
			}
			one.add(c)
			return err
		})
	give()
	return err
}

// fillVectorsOf adds the vectors of some memories that are shelved, and of those
// beside them.
func (db *DB) fillVectorsOf(ctx context.Context, s *shelf, m model, found []memory.Signals) error {
	ids := map[memory.ID]bool{}
	for _, f := range found {
		ids[f.ID] = true
		s.around(s.slots[f.ID], nearPlaces, memory.Include, func(n neighbour) { ids[s.memories[n.at].id] = true })
	}
	return db.sql.Read().Each(ctx, `SELECT c.memory_id, c.n, e.vector FROM chunks c
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

// near names the candidates of a query and those asked for as well, each with what
// stands round it.
func (db *DB) near(ctx context.Context, a *asked, also []memory.Candidate, f *filter) ([]memory.ID, error) {
	ids, err := db.candidates(ctx, a, f)
	if err != nil {
		return nil, err
	}
	all := map[memory.ID]bool{}
	err = db.round(ctx, append(ids, idsOf(also)...), all)
	return sorted(all), err
}

// round adds what supports some memories, and themselves.
func (db *DB) round(ctx context.Context, core []memory.ID, all map[memory.ID]bool) error {
	return db.sql.Read().Each(ctx, `SELECT n.memory_id FROM places p JOIN places n ON n.path = p.path
		AND n.ordinal BETWEEN p.ordinal - ?1 AND p.ordinal + ?1 WHERE p.memory_id IN (SELECT value FROM json_each(?2))`,
		[]any{len(support), list(core)}, func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			all[id] = true
			return err
		})
}

// measure asks FTS5 for the figures of the whole index.
func (db *DB) measure(ctx context.Context) (c scale, err error) {
	// The first record of an FTS5 table holds how many rows and, a column each,
	// how many tokens there are, as varints.
	var record []byte
	if err := db.sql.Read().One(ctx, "SELECT block FROM memories_fts_data WHERE id = 1", nil, &record); err != nil {
		return c, err
	}
	rows, rest := varint(record)
	c.rows = float64(rows)
	for len(rest) > 0 {
		var n uint64
		n, rest = varint(rest)
		c.average += float64(n) / max(1, c.rows)
	}
	return c, nil
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
