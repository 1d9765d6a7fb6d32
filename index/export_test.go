package index

import (
	"context"
	"strconv"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// What tests see of the inside.
var (
	Tokens    = tokens
	PartsOf   = indexParts
	Calibrate = keywordScore
)

// LimitPages makes the disk as good as full: the database may not grow beyond
// what it has now, but for a few pages. Zero lifts it.
func (db *DB) LimitPages(more int) error {
	return db.sql.WithWriter(context.Background(), func(w sqlite.Writer) error {
		var pages int
		if err := w.One(context.Background(), "PRAGMA page_count", nil, &pages); err != nil {
			return err
		}
		limit := pages + more
		if more == 0 {
			limit = 1 << 30
		}
		return w.One(context.Background(), "PRAGMA max_page_count = "+strconv.Itoa(limit), nil, &limit)
	})
}

// Exec runs any statement on the writing connection.
func (db *DB) Exec(query string) error {
	return db.sql.WithWriter(context.Background(), func(w sqlite.Writer) error { return w.Exec(context.Background(), query) })
}

// Column gives the values of a query's one column, as text.
func (db *DB) Column(query string, args ...any) (out []string, err error) {
	err = db.sql.Read().Each(context.Background(), query, args, func(scan func(...any) error) error {
		var s string
		err := scan(&s)
		out = append(out, s)
		return err
	})
	return out, err
}

// CloseConnections leaves the database as a crash would: open in its own eyes.
func (db *DB) CloseConnections() (err error) {
	db.closing.Do(func() { err = db.sql.Close() })
	return err
}

// CheckWords lets FTS5 compare the keyword index with the chunks.
func (db *DB) CheckWords() error {
	return db.Exec("INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)")
}

// PlainBM25 asks FTS5 itself for the best score of each memory.
func (db *DB) PlainBM25(q memory.Query) (map[memory.ID]float64, error) {
	scores := map[memory.ID]float64{}
	err := db.sql.Read().Each(context.Background(), `SELECT c.memory_id, -f.score FROM
		(SELECT rowid AS id, `+bm25+` AS score FROM memories_fts WHERE memories_fts MATCH ?) f JOIN chunks c ON c.id = f.id`,
		[]any{expression(compileTerms(q.Terms))}, func(scan func(...any) error) error {
			var id memory.ID
			var score float64
			err := scan(&id, &score)
			scores[id] = max(scores[id], score)
			return err
		})
	return scores, err
}

// VectorBytes is a vector as it stands in a file.
var VectorBytes = encodeVector

// Knows says whether the shelf in memory has ever heard a word, stemmed or not.
func (db *DB) Knows(word string) bool {
	s := db.lanes.index
	if s == nil {
		return false
	}
	_, cut := s.byWord[word]
	_, stemmed := s.ids[stem(word)]
	return cut || stemmed
}

// Product and OneByOne are the ways to work out a dot product.
var Product, OneByOne = dot, dotScalar
