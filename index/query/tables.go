package query

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/index/vectors"
)

// searchTables answers a search from the tables. It fills an index with the candidates and
// their neighbours, which scores them with the document frequencies of all memories. Hidden
// memories are in neither. nearest are memories that get signals as well.
func (s *Searcher) searchTables(ctx context.Context, r request, nearest []memory.Candidate) ([]memory.Signals, error) {
	defer s.trackQuery()()
	p, err := s.listForgotten(ctx, r.predicate)
	if errors.Is(err, errMatchesNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := s.newCandidates(ctx, p, r.Others)
	if err != nil {
		return nil, err
	}
	if err := text.CorrectTypos(ctx, ftsVocabulary{s, c.hidden}, r.terms); err != nil {
		return nil, err
	}
	filter := compile(p)
	ids, err := c.find(ctx, r.terms, filter, r.k)
	if err != nil {
		return nil, err
	}
	q := search.Query{Terms: r.terms, K: r.k, Extra: idsOf(nearest), Stats: c.stats}
	m, vectorErr := s.modelFor(ctx, r.Query)
	if vectorErr == nil && !isZero(r.Vector) {
		q.Vector, q.Rest = r.Vector, r.Rest
	}
	x, passing, err := s.fillWithNeighbours(ctx, m, append(ids, q.Extra...), p, filter)
	if err != nil || len(passing) == 0 {
		return nil, err
	}
	if q.Vector != nil {
		sum, err := s.sampleFor(ctx, m, c.hidden)
		if err != nil {
			return nil, err
		}
		x.UseSum(sum)
	}
	return x.Search(q, x.FilterIDs(passing)).Signals, nil
}

// fillWithNeighbours reads some memories and their neighbours into an index. It returns
// which of them pass a filter. It leaves out what does not exist for the predicate.
func (s *Searcher) fillWithNeighbours(ctx context.Context, m vectors.Model, ids []memory.ID, p memory.Predicate, f *sqlFilter) (*search.Index, map[memory.ID]bool, error) {
	hidden, args := hiddenCondition(p)
	var all []memory.ID
	passing := make(map[memory.ID]bool, len(ids))
	err := s.db.Read().Each(ctx, "SELECT id, (true"+f.and()+") IS TRUE FROM "+f.view+` WHERE id IN (
			SELECT n.memory_id FROM places p JOIN places n ON n.path = p.path AND n.ordinal BETWEEN p.ordinal - ? AND p.ordinal + ?
			JOIN memories m ON m.id = n.memory_id WHERE p.memory_id IN (SELECT value FROM json_each(?)) AND NOT (`+hidden+`))`,
		slices.Concat(f.args, []any{search.Reach, search.Reach, sqldb.JSONList(ids)}, args), func(scan func(...any) error) error {
			var id memory.ID
			var passes bool
			err := scan(&id, &passes)
			all = append(all, id)
			passing[id] = passes
			return err
		})
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}
	both := models{serving: m}
	x := both.newIndex()
	return x, passing, s.fill(ctx, x, both, all, context.Context.Err)
}

// maxSample is the number of vectors that a mean cosine comes from at most without the
// in-memory index. The mean is off by two thousandths then, which moves a log-odds by one
// hundredth.
const maxSample = 1000

// sample is the sum of some vectors that a model made.
type sample struct {
	model string
	sum   search.VectorSum
}

// sampleFor returns the sample of a model. It is kept until the next commit, but for readers
// from whom memories are hidden.
func (s *Searcher) sampleFor(ctx context.Context, m vectors.Model, hidden rowSet) (search.VectorSum, error) {
	if len(hidden) > 0 {
		return s.readSample(ctx, m, hidden)
	}
	kept, err := s.sample.Get(s.db, func() (sample, error) {
		sum, err := s.readSample(ctx, m, hidden)
		return sample{m.Name, sum}, err
	})
	if err == nil && kept.model != m.Name {
		return s.readSample(ctx, m, hidden)
	}
	return kept.sum, err
}

// readSample returns the vectors of some chunks at equal distances, or of all of a few.
func (s *Searcher) readSample(ctx context.Context, m vectors.Model, hidden rowSet) (sum search.VectorSum, err error) {
	rows, err := s.rowsOf(ctx, "SELECT group_concat(id) FROM (SELECT id FROM chunks WHERE id > 0 ORDER BY id)")
	if err != nil {
		return sum, err
	}
	rows = slices.DeleteFunc(rows, func(row int32) bool { return hidden[row] })
	var chosen []int32 // listed, so that SQLite looks each up and scans none
	for i := 0; i < len(rows); i += 1 + len(rows)/maxSample {
		chosen = append(chosen, rows[i])
	}
	err = s.db.Read().Each(ctx, `SELECT e.vector FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
		WHERE c.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) AND length(e.vector) = ?`, []any{m.Key(), sqldb.JSONNumbers(chosen), m.Size()},
		func(scan func(...any) error) error {
			var vector sql.RawBytes
			err := scan(&vector)
			sum.Add(vectors.Decode(vector))
			return err
		})
	return sum, err
}
