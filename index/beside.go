package index

import (
	"context"

	"github.com/memory-tiered/memory"
)

// reach is how far from what FTS5 found a memory may stand for its context to be
// known: its neighbours, and theirs.
const reach = 2 * len(support)

// contextBeside answers from the tables: it takes what FTS5 finds best, shelves
// it with all that stands near, and scores that by the figures of the whole
// index.
func (db *DB) contextBeside(ctx context.Context, a asked) ([]memory.Signals, error) {
	if err := correct(ctx, tokenTable{db}, a.terms); err != nil {
		return nil, err
	}
	total, err := db.weigh(ctx, a.terms)
	if err != nil {
		return nil, err
	}
	a.total = total
	m, err := db.model(ctx, false)
	if err != nil {
		return nil, err
	}
	ids, err := db.near(ctx, a)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	s := newShelf(m)
	if err := db.fill(ctx, s, m, ids); err != nil {
		return nil, err
	}
	for _, t := range a.terms {
		a.sights = append(a.sights, s.look(t))
	}
	if err = db.measure(ctx, &a); err != nil {
		return nil, err
	}
	best, rest, _ := s.inOrder(a, len(ids))
	found, _, err := db.chosen(ctx, a, best, rest)
	s.cosines(a, found)
	return found, err
}

// near names the memories that FTS5 finds best and those asked for as well, each
// with what stands round it.
func (db *DB) near(ctx context.Context, a asked) (ids []memory.ID, err error) {
	core := append([]memory.ID(nil), a.also...)
	if len(a.terms) > 0 {
		hits, err := db.best(ctx, a.terms, a.f, a.k)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
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
