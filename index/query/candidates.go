package query

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/text"
)

// candidates chooses memories by the row numbers of their chunks alone. It compares runs of
// adjacent rows, because words count for neighbours too. A term scores the same in every
// chunk that contains it.
type candidates struct {
	*Searcher
	hidden rowSet
	stats  *search.Stats // of the chunks that are not hidden
	sums   []float32     // by run: the sum of the best scores of the terms
	best   []float32     // by run: the best score of the term at hand
	found  []int32       // the runs with a sum
	others memory.Frequencies
}

// newCandidates returns the candidates of a predicate before any term is added. others are
// the frequencies of the terms in other indexes.
func (s *Searcher) newCandidates(ctx context.Context, p memory.Predicate, others memory.Frequencies) (*candidates, error) {
	hidden, err := s.hiddenRows(ctx, p)
	if err != nil {
		return nil, err
	}
	var last, chunks int32
	err = s.db.Read().One(ctx, "SELECT coalesce(max(id), 0), count(*) FROM chunks", nil, &last, &chunks)
	runs := last/runLength + 1
	return &candidates{Searcher: s, hidden: hidden, others: others, sums: make([]float32, runs), best: make([]float32, runs),
		stats: &search.Stats{Chunks: float64(int(chunks)-len(hidden)) + others.Chunks}}, err
}

// runLength is the number of rows in a run: as far as neighbours reach on both sides.
const runLength = int32(2 * search.Reach)

// maxRuns is the number of runs whose memories are read and scored.
const maxRuns = 30

// find returns the memories of the best runs that pass a filter, or k of all runs if too few
// pass. It adds the document frequencies of the terms to the figures.
func (c *candidates) find(ctx context.Context, terms []text.Term, f *sqlFilter, k int) ([]memory.ID, error) {
	for i := range terms {
		if err := c.addTerm(ctx, &terms[i]); err != nil {
			return nil, err
		}
	}
	best := search.TopByScore(c.found, maxRuns, c.sums, cmp.Compare)
	ids, err := c.memoriesIn(ctx, best, "c.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) AND EXISTS (SELECT 1 FROM "+f.view+" v WHERE v.id = c.memory_id"+f.and()+")",
		append([]any{sqldb.JSONNumbers(rowsIn(best))}, f.args...))
	if err == nil && len(ids) < k && len(best) < len(c.found) {
		ids, err = c.memoriesIn(ctx, search.TopByScore(c.found, len(c.found), c.sums, cmp.Compare), "c.memory_id IN ("+f.ids()+")", f.args)
		ids = ids[:min(len(ids), k)]
	}
	return ids, err
}

// addTerm adds the best score of a term and its expansions in each run to the sums. An
// expansion scores no more than the term.
func (c *candidates) addTerm(ctx context.Context, t *text.Term) error {
	var docFreq []float64
	var found []int32
	limit := c.stats.SmoothedIDF(0)
	add := func(m sqldb.Match, weight float64) (idf float64, err error) {
		query, args := c.db.Keywords().Matching(m)
		rows, err := c.rowsOf(ctx, query, args...)
		rows = slices.DeleteFunc(rows, func(row int32) bool { return c.hidden[row] || int(row/runLength) >= len(c.best) }) // a later row was added meanwhile
		n := float64(len(rows)) + search.DocFreqIn(c.others, len(c.stats.DocFreq), len(docFreq))
		docFreq = append(docFreq, n)
		idf = min(limit, c.stats.SmoothedIDF(n))
		for _, row := range rows {
			run := row / runLength
			if c.best[run] == 0 {
				found = append(found, run)
			}
			c.best[run] = max(c.best[run], float32(weight*idf))
		}
		return idf, err
	}
	idf, err := add(match(t), 1)
	if docFreq[0] > 0 {
		limit = idf
	}
	for _, e := range t.Expansions {
		if err == nil {
			_, err = add(matchExpansion(e), e.Weight)
		}
	}
	for _, run := range found {
		if c.sums[run] == 0 {
			c.found = append(c.found, run)
		}
		c.sums[run], c.best[run] = c.sums[run]+c.best[run], 0
	}
	c.stats.DocFreq = append(c.stats.DocFreq, docFreq)
	return err
}

func rowsIn(runs []int32) []int32 {
	rows := make([]int32, 0, int(runLength)*len(runs))
	for _, run := range runs {
		for i := range runLength {
			rows = append(rows, run*runLength+i)
		}
	}
	return rows
}

// memoriesIn returns the memories of those chunks in some runs that a condition selects, in
// the order of the runs and each once.
func (s *Searcher) memoriesIn(ctx context.Context, runs []int32, condition string, args []any) (ids []memory.ID, err error) {
	of := make(map[int32][]memory.ID, len(runs))
	err = s.db.Read().Each(ctx, "SELECT c.id, c.memory_id FROM chunks c WHERE "+condition, args, func(scan func(...any) error) error {
		var row int32
		var id memory.ID
		err := scan(&row, &id)
		of[row/runLength] = append(of[row/runLength], id)
		return err
	})
	seen := map[memory.ID]bool{}
	for _, run := range runs {
		for _, id := range of[run] {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids, err
}

// rowsOf returns row numbers that a query returns as one value: a row for each takes
// several times as long.
func (s *Searcher) rowsOf(ctx context.Context, query string, args ...any) ([]int32, error) {
	var list sql.NullString
	err := s.db.Read().One(ctx, query, args, &list)
	if err != nil || list.String == "" {
		return nil, err
	}
	rows := make([]int32, 0, 1+strings.Count(list.String, ","))
	for number := range strings.SplitSeq(list.String, ",") {
		row, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return nil, err
		}
		rows = append(rows, int32(row))
	}
	return rows, nil
}
