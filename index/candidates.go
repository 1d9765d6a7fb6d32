package index

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

// candidates returns the k visible memories that look best by words in context.
// Only these and their neighbours are read and scored exactly. It looks at row
// numbers alone: a term scores the same in every chunk that contains it, however
// often and in whichever column, and its context is the chunks that were indexed
// just before and after.
func (db *DB) candidates(ctx context.Context, a *searchQuery, f *sqlFilter) ([]memory.ID, error) {
	var sums sparse
	a.docFreq = map[string]float64{}
	for _, t := range a.terms {
		best, err := db.termScores(ctx, a, t)
		if err != nil {
			return nil, err
		}
		near := withNeighbours(best)
		for _, row := range near.rows {
			sums.raise(row, sums.at(row)+near.at(row))
		}
	}
	return db.bestVisible(ctx, &sums, f, a.k)
}

// termScores returns the best score of a term and its expansions in each chunk, and
// notes their document frequencies. An expansion scores no more than the term.
func (db *DB) termScores(ctx context.Context, a *searchQuery, t term) (*sparse, error) {
	best, limit := &sparse{}, a.stats.smoothedIDF(0)
	add := func(match string, weight float64) error {
		rows, err := db.rowsOf(ctx, match)
		if err != nil {
			return err
		}
		docFreq := float64(len(rows))
		a.docFreq[match] = docFreq
		idf := min(limit, a.stats.smoothedIDF(docFreq))
		if match == t.match && docFreq > 0 {
			limit = idf
		}
		for _, row := range rows {
			best.raise(row, float32(weight*idf))
		}
		return nil
	}
	if err := add(t.match, 1); err != nil {
		return nil, err
	}
	for _, e := range t.expansions {
		if err := add(quote(e.word), e.weight); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// rowsOf returns the chunks that match an expression of FTS5, in one value: a row
// for each takes several times as long.
func (db *DB) rowsOf(ctx context.Context, match string) ([]int64, error) {
	var list sql.NullString
	err := db.sql.Read().One(ctx, "SELECT group_concat(rowid) FROM memories_fts WHERE memories_fts MATCH ?", []any{match}, &list)
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

// withNeighbours lets each score count for the rows before and after as well.
func withNeighbours(scores *sparse) *sparse {
	near := &sparse{}
	for _, row := range scores.rows {
		score := scores.at(row)
		near.raise(row, score)
		for i, share := range neighbourWeight {
			near.raise(row-int64(i)-1, float32(share)*score)
			near.raise(row+int64(i)+1, float32(share)*score)
		}
	}
	return near
}

// bestVisible returns the memories of the best rows that pass a filter, at most k,
// best first. Where too few of the first rows pass, it reads which rows do.
func (db *DB) bestVisible(ctx context.Context, sums *sparse, f *sqlFilter, k int) ([]memory.ID, error) {
	n := 2*k + 50
	first := sums.best(n)
	ids, err := db.ownersOf(ctx, first, "c.id IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM "+f.view+" v WHERE v.id = c.memory_id"+f.and()+")",
		append([]any{numbers(first)}, f.args...))
	if err == nil && len(ids) < k && len(first) == n {
		ids, err = db.ownersOf(ctx, sums.best(len(sums.rows)), "c.memory_id IN (SELECT id FROM "+f.view+" WHERE true"+f.and()+")", f.args)
	}
	return ids[:min(len(ids), k)], err
}

// ownersOf returns the memories of those rows that a condition on chunks selects, in
// the order of the rows.
func (db *DB) ownersOf(ctx context.Context, rows []int64, condition string, args []any) (ids []memory.ID, err error) {
	owners := make(map[int64]memory.ID, len(rows))
	err = db.sql.Read().Each(ctx, "SELECT c.id, c.memory_id FROM chunks c WHERE "+condition, args, func(scan func(...any) error) error {
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

// sparse holds a score for each of some row numbers, which may be far apart.
type sparse struct {
	pages []*[pageSize]float32
	rows  []int64 // whose score is not 0
}

const pageSize = 4096

func (s *sparse) at(row int64) float32 {
	if page := row / pageSize; page < int64(len(s.pages)) && s.pages[page] != nil {
		return s.pages[page][row%pageSize]
	}
	return 0
}

// raise sets the score of a row unless it is higher already. Row numbers begin at 1.
func (s *sparse) raise(row int64, score float32) {
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
func (s *sparse) best(n int) []int64 {
	scores, order := make([]float32, len(s.rows)), make([]int32, len(s.rows))
	for i, row := range s.rows {
		scores[i], order[i] = s.at(row), int32(i)
	}
	order = topByScore(order, min(n, len(order)), scores, func(x, y int32) int { return cmp.Compare(s.rows[x], s.rows[y]) })
	rows := make([]int64, len(order))
	for i, at := range order {
		rows[i] = s.rows[at]
	}
	return rows
}
