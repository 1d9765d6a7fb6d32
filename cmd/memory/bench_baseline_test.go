//go:build bench

package main

import (
	"database/sql"
	"encoding/binary"
	"math"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
	_ "modernc.org/sqlite/vec"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/internal/must"
)

// baseline is what the product is compared with. It finds the best hundred rows
// by FTS5's bm25() and the hundred nearest by vec0. It runs in one process,
// without a socket.
type baseline struct {
	tb    testing.TB
	db    *sql.DB
	model *static.Embedder
}

func newBaseline(tb testing.TB, texts []string) *baseline {
	db, err := sql.Open("sqlite", filepath.Join(tb.TempDir(), "plain.db"))
	must.Do(tb, err)
	tb.Cleanup(func() { db.Close() })
	p := &baseline{tb, db, static.New()}
	p.exec("CREATE VIRTUAL TABLE f USING fts5(x, tokenize='porter unicode61')")
	p.exec("CREATE VIRTUAL TABLE v USING vec0(e float[256] distance_metric=L2, chunk_size=128)")
	tx, err := db.Begin()
	must.Do(tb, err)
	for _, text := range texts {
		_, err = tx.Exec("INSERT INTO f(x) VALUES (?)", text)
		must.Do(tb, err)
		_, err = tx.Exec("INSERT INTO v(e) VALUES (?)", p.vector(text))
		must.Do(tb, err)
	}
	must.Do(tb, tx.Commit())
	p.exec("INSERT INTO f(f) VALUES ('optimize')")
	return p
}

func (p *baseline) exec(query string) {
	_, err := p.db.Exec(query)
	must.Do(p.tb, err)
}

func (p *baseline) vector(text string) (blob []byte) {
	vectors, err := p.model.Embed(p.tb.Context(), embed.Query, []string{text})
	must.Do(p.tb, err)
	for _, x := range vectors[0] {
		blob = binary.LittleEndian.AppendUint32(blob, math.Float32bits(x))
	}
	return blob
}

// searchWords searches with FTS5 for any word of a query.
func (p *baseline) searchWords(query string) {
	var quoted []string
	for _, w := range strings.Fields(query) {
		quoted = append(quoted, `"`+w+`"`)
	}
	p.readRows("SELECT rowid, x, bm25(f) FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT 100", strings.Join(quoted, " OR "))
}

// searchVectors searches with vec0.
func (p *baseline) searchVectors(query string) {
	p.readRows("SELECT rowid, '', distance FROM v WHERE e MATCH ? AND k = 100", p.vector(query))
}

func (p *baseline) readRows(query string, args ...any) {
	rows, err := p.db.Query(query, args...)
	must.Do(p.tb, err)
	for rows.Next() {
		var id int64
		var text string
		var score float64
		must.Do(p.tb, rows.Scan(&id, &text, &score))
	}
	must.Do(p.tb, rows.Err())
	must.Do(p.tb, rows.Close())
}
