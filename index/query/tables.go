package query

import (
	"context"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/index/vectors"
)

// searchTables answers a search from the tables. It reads the candidates and their
// neighbours into an index of their own, and scores them with the figures of the whole
// database. nearest are memories that get signals as well.
func (s *Searcher) searchTables(ctx context.Context, r request, nearest []memory.Candidate) ([]memory.Signals, error) {
	defer s.trackQuery()()
	p, err := s.listForgotten(ctx, r.predicate)
	if err != nil {
		if errors.Is(err, errMatchesNothing) {
			err = nil
		}
		return nil, err
	}
	hidden, err := s.hiddenRows(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := text.CorrectTypos(ctx, ftsVocabulary{s, hidden}, r.terms); err != nil {
		return nil, err
	}
	stats, err := s.stats(ctx, r.terms, hidden)
	if err != nil {
		return nil, err
	}
	filter := compile(p)
	ids, err := s.candidates(ctx, r.terms, stats, filter, hidden, r.k)
	if err != nil {
		return nil, err
	}
	m, vectorErr := s.modelFor(ctx, r.Query)
	x := search.New(m.Name, m.Dim)
	visible, err := s.readWithNeighbours(ctx, x, append(ids, idsOf(nearest)...), filter)
	if err != nil || len(visible) == 0 {
		return nil, err
	}
	f := x.FilterVisible(p, visible)
	found := x.Search(search.Query{Terms: r.terms, K: r.k, Extra: idsOf(nearest), Stats: stats}, f).Signals
	if vectorErr != nil || isZero(r.Vector) {
		return found, nil
	}
	return found, s.addCosines(ctx, x, r, m, hidden, f, found)
}

// stats returns the figures of the keyword index without hidden chunks, and without
// document frequencies.
func (s *Searcher) stats(ctx context.Context, terms []text.Term, hidden rowSet) (*search.Stats, error) {
	idf, err := s.termIDFs(ctx, terms, hidden)
	if err != nil {
		return nil, err
	}
	// The first record of an FTS5 table holds the number of rows, and of tokens in each
	// column, as varints.
	var record []byte
	if err := s.db.Read().One(ctx, "SELECT block FROM memories_fts_data WHERE id = 1", nil, &record); err != nil {
		return nil, err
	}
	rows, columns := readVarint(record)
	chunks := float64(rows) - float64(len(hidden.rows))
	return &search.Stats{Chunks: chunks, AvgLength: (sumOfVarints(columns) - hidden.tokens) / max(1, chunks), IDF: idf.terms}, nil
}

func sumOfVarints(b []byte) (sum float64) {
	for len(b) > 0 {
		var n uint64
		n, b = readVarint(b)
		sum += float64(n)
	}
	return sum
}

// readVarint reads a number as SQLite writes it: seven bits a byte, highest first, and
// all eight bits of a ninth byte.
func readVarint(b []byte) (n uint64, rest []byte) {
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

// readWithNeighbours reads the words and places of some memories and their neighbours
// into an index. It returns all of these, and whether each passes a filter.
func (s *Searcher) readWithNeighbours(ctx context.Context, x *search.Index, ids []memory.ID, f *sqlFilter) (map[memory.ID]bool, error) {
	all, err := s.withNeighbours(ctx, ids)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	places, visible := make(map[memory.ID]search.Document, len(all)), make(map[memory.ID]bool, len(all))
	err = s.db.Read().Each(ctx, "SELECT id, forgotten, user, private, trust_tier, importance_label, expires_at, path, ordinal, heading, (true"+f.and()+") IS TRUE FROM "+f.view+
		" WHERE id IN (SELECT value FROM json_each(?))", append(slices.Clone(f.args), sqlite.JSONList(all)),
		func(scan func(...any) error) error {
			var d search.Document
			var heading string
			var passes bool
			var expires sqlite.Millis
			m := &d.Memory
			err := scan(&m.ID, &m.Forgotten, &m.User, &m.Private, &m.Trust, &m.ImportanceLabel, &expires, &m.Path, &d.Ordinal, &heading, &passes)
			m.Heading, m.ExpiresAt = sqlite.ParseJSONList(heading), expires.Pointer()
			places[m.ID], visible[m.ID] = d, passes
			return err
		})
	if err != nil {
		return nil, err
	}
	docs, err := s.readChunks(ctx, all, places)
	if err != nil {
		return nil, err
	}
	x.Prepare(docs)
	x.Replace(nil, docs)
	return visible, nil
}

// withNeighbours returns some memories and those near enough that their words count
// for them.
func (s *Searcher) withNeighbours(ctx context.Context, ids []memory.ID) (all []memory.ID, err error) {
	err = s.db.Read().Each(ctx, `SELECT DISTINCT n.memory_id FROM places p JOIN places n ON n.path = p.path
		AND n.ordinal BETWEEN p.ordinal - ?1 AND p.ordinal + ?1 WHERE p.memory_id IN (SELECT value FROM json_each(?2))`,
		[]any{search.Reach, sqlite.JSONList(ids)}, func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			all = append(all, id)
			return err
		})
	return all, err
}

// readChunks adds their chunks to some documents.
func (s *Searcher) readChunks(ctx context.Context, ids []memory.ID, docs map[memory.ID]search.Document) (all []search.Document, err error) {
	err = s.db.Read().Each(ctx, `SELECT memory_id, speaker, text, context, parts FROM chunks
		WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, n`, []any{sqlite.JSONList(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var speaker string
			var c search.Chunk
			if err := scan(&id, &speaker, &c.Text, &c.Context, &c.Parts); err != nil {
				return err
			}
			d, known := docs[id]
			if !known { // it was removed between the two statements
				return nil
			}
			if n := len(all); n == 0 || all[n-1].Memory.ID != id {
				d.Speaker = speaker
				all = append(all, d)
			}
			last := &all[len(all)-1]
			last.Chunks = append(last.Chunks, c)
			return nil
		})
	return all, err
}

// addCosines reads the vectors of what was found and of its neighbours, and adds their
// cosines to the signals.
func (s *Searcher) addCosines(ctx context.Context, x *search.Index, r request, m vectors.Model, hidden rowSet, f search.Filter, found []memory.Signals) error {
	ids := make([]memory.ID, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	err := s.db.Read().Each(ctx, `SELECT c.memory_id, c.n, e.vector FROM chunks c
		JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ? WHERE c.memory_id IN (SELECT value FROM json_each(?))`,
		[]any{m.Name, sqlite.JSONList(x.Neighbours(ids))}, func(scan func(...any) error) error {
			var id memory.ID
			var n int
			var stored []byte
			err := scan(&id, &n, &stored)
			x.SetVector("", id, n, vectors.Decode(stored))
			return err
		})
	if err != nil {
		return err
	}
	sample, err := s.sampleVectors(ctx, m, hidden)
	if err != nil {
		return err
	}
	x.AddCosines(r.Vector, r.Rest, &sample, f, found)
	return nil
}
