package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
)

// searchTables answers from the tables: it takes the candidates, shelves
// them with all that stands near, and scores that by the figures of the whole
// index.
func (db *DB) searchTables(ctx context.Context, a searchQuery, also []memory.Candidate) ([]memory.Signals, error) {
	defer db.lanes.trackQuery()()
	p, err := db.restrictToForgotten(ctx, a.p)
	if err != nil {
		if errors.Is(err, errMatchesNothing) {
			err = nil
		}
		return nil, err
	}
	a.p = p
	if err := correctTypos(ctx, ftsVocabulary{db}, a.terms); err != nil {
		return nil, err
	}
	if a.total, err = db.setIDF(ctx, a.terms); err != nil {
		return nil, err
	}
	m, err := db.model(ctx, false)
	if err != nil {
		return nil, err
	}
	if a.stats, err = db.corpusStats(ctx); err != nil {
		return nil, err
	}
	f := newFilter(a.p)
	ids, err := db.neighbourhood(ctx, &a, also, f)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	s := newSearchIndex(m)
	visible, err := db.loadNeighbourhood(ctx, s, ids, f)
	if err != nil {
		return nil, err
	}
	for _, t := range a.terms {
		a.variants = append(a.variants, s.variantsOf(t))
	}
	for _, sights := range a.variants {
		for i := range sights {
			sights[i].docFreq = a.docFreq[sights[i].match]
		}
	}
	a.extraDocs = s.docsOf(also)
	found := s.search(&a, func(at int32) bool { return visible[s.docs[at].id] })
	if s.quantiseQuery(&a); len(a.vector16.steps) > 0 {
		if err := db.loadVectors(ctx, s, m, found); err != nil {
			return nil, err
		}
		if s.vectors.sum, err = db.vectorSum(ctx, m); err != nil {
			return nil, err
		}
		a.meanCosine = s.vectors.sum.meanCosine(a.vector16)
		for i := range found {
			s.addCosines(&a, &found[i], s.docIDs[found[i].ID])
		}
	}
	return found, nil
}

// loadNeighbourhood shelves the words of some memories, and where they stand, and says
// which of them a predicate lets through.
func (db *DB) loadNeighbourhood(ctx context.Context, s *searchIndex, ids []memory.ID, f *sqlFilter) (visible map[memory.ID]bool, err error) {
	known := make(map[memory.ID]inputDoc, len(ids))
	visible = make(map[memory.ID]bool, len(ids))
	err = db.sql.Read().Each(ctx, "SELECT id, forgotten, path, ordinal, heading, true"+f.and()+" FROM "+f.view+" WHERE id IN (SELECT value FROM json_each(?))",
		append(slices.Clone(f.args), list(ids)), func(scan func(...any) error) error {
			var m inputDoc
			var lets bool
			err := scan(&m.id, &m.forgotten, &m.path, &m.ordinal, &m.heading, &lets)
			known[m.id], visible[m.id] = m, lets
			return err
		})
	if err == nil {
		err = db.loadChunks(ctx, s, ids, known)
	}
	for path := range s.fileDocs {
		s.linkFile(path)
	}
	return visible, err
}

func (db *DB) loadChunks(ctx context.Context, s *searchIndex, ids []memory.ID, known map[memory.ID]inputDoc) error {
	var one inputDoc
	give := func() {
		if one.id != "" {
			s.prepare(&one)
			s.add(one)
		}
	}
	err := db.sql.Read().Each(ctx, `SELECT memory_id, speaker, text, context, parts FROM chunks
		WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, n`, []any{list(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var speaker string
			var c inputChunk
			err := scan(&id, &speaker, &c.text, &c.context, &c.parts)
			if id != one.id {
				give()
				one = known[id]
				one.speaker = speaker
			}
			one.addChunk(c)
			return err
		})
	give()
	return err
}

// loadVectors adds the vectors of some memories that are shelved, and of those
// beside them.
func (db *DB) loadVectors(ctx context.Context, s *searchIndex, m model, found []memory.Signals) error {
	ids := map[memory.ID]bool{}
	for _, f := range found {
		ids[f.ID] = true
		s.eachNeighbour(s.docIDs[f.ID], cosineNeighbours, memory.Include, func(n neighbour) { ids[s.docs[n.doc].id] = true })
	}
	return db.sql.Read().Each(ctx, `SELECT c.memory_id, c.n, e.vector FROM chunks c
		JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ? WHERE c.memory_id IN (SELECT value FROM json_each(?))`,
		[]any{m.name, list(sortedKeys(ids))}, func(scan func(...any) error) error {
			var id memory.ID
			var n int
			var vector sql.RawBytes
			err := scan(&id, &n, &vector)
			if at, known := s.docIDs[id]; known && n < len(s.docs[at].chunks) {
				s.vectors.set(s.docs[at].chunks[n], quantise(decodeVector(vector), s.dim))
			}
			return err
		})
}

// neighbourhood names the candidates of a query and those asked for as well, each with what
// stands round it.
func (db *DB) neighbourhood(ctx context.Context, a *searchQuery, also []memory.Candidate, f *sqlFilter) ([]memory.ID, error) {
	ids, err := db.candidates(ctx, a, f)
	if err != nil {
		return nil, err
	}
	all := map[memory.ID]bool{}
	err = db.addNeighbours(ctx, append(ids, idsOf(also)...), all)
	return sortedKeys(all), err
}

// addNeighbours adds what supports some memories, and themselves.
func (db *DB) addNeighbours(ctx context.Context, core []memory.ID, all map[memory.ID]bool) error {
	return db.sql.Read().Each(ctx, `SELECT n.memory_id FROM places p JOIN places n ON n.path = p.path
		AND n.ordinal BETWEEN p.ordinal - ?1 AND p.ordinal + ?1 WHERE p.memory_id IN (SELECT value FROM json_each(?2))`,
		[]any{len(neighbourWeight), list(core)}, func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			all[id] = true
			return err
		})
}

// corpusStats asks FTS5 for the figures of the whole index.
func (db *DB) corpusStats(ctx context.Context) (c corpusStats, err error) {
	// The first record of an FTS5 table holds how many rows and, a column each,
	// how many tokens there are, as varints.
	var record []byte
	if err := db.sql.Read().One(ctx, "SELECT block FROM memories_fts_data WHERE id = 1", nil, &record); err != nil {
		return c, err
	}
	rows, rest := varint(record)
	c.chunks = float64(rows)
	for len(rest) > 0 {
		var n uint64
		n, rest = varint(rest)
		c.avgLen += float64(n) / max(1, c.chunks)
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
