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
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/text"
)

// candidates returns the k memories that look best by words in context and pass a
// filter. It adds the document frequencies of the terms to the figures. Only
// candidates and their neighbours are read and scored exactly.
//
// It looks at row numbers alone. A term scores the same in every chunk that
// contains it, however often and in whichever column. Its context is the chunks
// that were indexed just before and after.
func (s *Searcher) candidates(ctx context.Context, terms []text.Term, stats *search.Stats, f *sqlFilter, hidden rowSet, k int) ([]memory.ID, error) {
	var sums sparseScores
	for i := range terms {
		best, docFreq, err := s.termScores(ctx, &terms[i], stats, hidden)
		if err != nil {
			return nil, err
		}
		stats.DocFreq = append(stats.DocFreq, docFreq)
		inContext := withRowNeighbours(best)
		for _, row := range inContext.rows {
			sums.raise(row, sums.at(row)+inContext.at(row))
		}
	}
	return s.bestVisible(ctx, &sums, f, k)
}

// termScores returns the best score of a term and its expansions in each chunk, and
// their document frequencies. An expansion scores no more than the term. Hidden chunks
// do not count.
func (s *Searcher) termScores(ctx context.Context, t *text.Term, stats *search.Stats, hidden rowSet) (best *sparseScores, docFreq []float64, err error) {
	best = &sparseScores{}
	limit := stats.SmoothedIDF(0)
	add := func(match string, weight float64) (idf float64, err error) {
		rows, err := s.matchingRows(ctx, match)
		rows = slices.DeleteFunc(rows, hidden.has)
		docFreq = append(docFreq, float64(len(rows)))
		idf = min(limit, stats.SmoothedIDF(float64(len(rows))))
		for _, row := range rows {
			best.raise(row, float32(weight*idf))
		}
		return idf, err
	}
	idf, err := add(matchTerm(t), 1)
	if docFreq[0] > 0 {
		limit = idf
	}
	for _, e := range t.Expansions {
		if err != nil {
			break
		}
		_, err = add(matchWord(e.Text), e.Weight)
	}
	return best, docFreq, err
}

// matchingRows returns the chunks that match an expression of FTS5.
func (s *Searcher) matchingRows(ctx context.Context, match string) ([]int64, error) {
	return s.rowsOf(ctx, "SELECT group_concat(rowid) FROM memories_fts WHERE memories_fts MATCH ?", match)
}

// rowsOf returns row numbers that a query returns as one value: a row for each takes
// several times as long.
func (s *Searcher) rowsOf(ctx context.Context, query, term string) ([]int64, error) {
	var list sql.NullString
	err := s.db.Read().One(ctx, query, []any{term}, &list)
	if err != nil || list.String == "" {
		return nil, err
	}
	rows := make([]int64, 0, 1+strings.Count(list.String, ","))
	for number := range strings.SplitSeq(list.String, ",") {
		row, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// withRowNeighbours lets each score count for the rows before and after as well.
func withRowNeighbours(scores *sparseScores) *sparseScores {
	near := &sparseScores{}
	for _, row := range scores.rows {
		score := scores.at(row)
		near.raise(row, score)
		for places := 1; places <= search.Reach; places++ {
			weighted := float32(search.NeighbourWeight(places)) * score
			near.raise(row-int64(places), weighted)
			near.raise(row+int64(places), weighted)
		}
	}
	return near
}

// bestVisible returns the memories of the best rows that pass a filter, at most k,
// best first. If too few of the best rows pass, it asks which of all rows do.
func (s *Searcher) bestVisible(ctx context.Context, sums *sparseScores, f *sqlFilter, k int) ([]memory.ID, error) {
	n := 2*k + 50
	first := sums.best(n)
	ids, err := s.ownersOf(ctx, first, "c.id IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM "+f.view+" v WHERE v.id = c.memory_id"+f.and()+")",
		append([]any{sqlite.JSONNumbers(first)}, f.args...))
	if err == nil && len(ids) < k && len(first) == n {
		ids, err = s.ownersOf(ctx, sums.best(len(sums.rows)), "c.memory_id IN ("+f.ids()+")", f.args)
	}
	return ids[:min(len(ids), k)], err
}

// ownersOf returns the memories of those rows that a condition on chunks selects, in the
// order of the rows and each once.
func (s *Searcher) ownersOf(ctx context.Context, rows []int64, condition string, args []any) (ids []memory.ID, err error) {
	owners := make(map[int64]memory.ID, len(rows))
	err = s.db.Read().Each(ctx, "SELECT c.id, c.memory_id FROM chunks c WHERE "+condition, args, func(scan func(...any) error) error {
		var row int64
		var id memory.ID
		err := scan(&row, &id)
		owners[row] = id
		return err
	})
	seen := make(map[memory.ID]bool, len(owners))
	for _, row := range rows {
		if id := owners[row]; id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, err
}

// sparseScores holds a score for each of some row numbers, which may be far apart.
type sparseScores struct {
	pages []*[pageSize]float32
	rows  []int64 // whose score is not 0
}

const pageSize = 4096

func (s *sparseScores) at(row int64) float32 {
	if page := row / pageSize; page < int64(len(s.pages)) && s.pages[page] != nil {
		return s.pages[page][row%pageSize]
	}
	return 0
}

// raise sets the score of a row unless it is higher already. Row numbers begin at 1.
func (s *sparseScores) raise(row int64, score float32) {
	if row <= 0 {
		return
	}
	page := row / pageSize
	for page >= int64(len(s.pages)) {
		s.pages = append(s.pages, nil)
	}
	if s.pages[page] == nil {
		s.pages[page] = new([pageSize]float32)
	}
	if to := &s.pages[page][row%pageSize]; *to < score {
		if *to == 0 {
			s.rows = append(s.rows, row)
		}
		*to = score
	}
}

// best returns the n rows with the highest scores, best first.
func (s *sparseScores) best(n int) []int64 {
	scores, order := make([]float32, len(s.rows)), make([]int32, len(s.rows))
	for i, row := range s.rows {
		scores[i], order[i] = s.at(row), int32(i)
	}
	order = search.TopByScore(order, min(n, len(order)), scores, func(x, y int32) int { return cmp.Compare(s.rows[x], s.rows[y]) })
	rows := make([]int64, len(order))
	for i, at := range order {
		rows[i] = s.rows[at]
	}
	return rows
}
