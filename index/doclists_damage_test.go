package index

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A page of the keyword index that is damaged is an error, or says something
// wrong, and never more than that.
func TestDamagedPages(t *testing.T) {
	pages := someOfFTS5(t)
	tokens := []string{"apple", "pear", "plum", "fig", "quince", "w1", "w17", "w33", "zzz", ""}
	read := 0
	rapid.Check(t, func(rt *rapid.T) {
		b := slices.Clone(rapid.SampledFrom(pages).Draw(rt, "page"))
		for range rapid.IntRange(1, 4).Draw(rt, "bytes") {
			b[rapid.IntRange(0, len(b)-1).Draw(rt, "at")] = rapid.Byte().Draw(rt, "byte")
		}
		if rapid.IntRange(0, 9).Draw(rt, "whole") == 0 {
			b = b[:rapid.IntRange(0, len(b)).Draw(rt, "cut")]
		}
		p, err := pageOf(b)
		if err != nil {
			return
		}
		for _, token := range tokens {
			n, at, err := p.find([]byte(mainIndex + token))
			if err != nil || n < 0 {
				continue
			}
			l := doclist{pages: []page{p, p}, off: at, end: p.until(n), fresh: true}
			_, _ = l.read(nil, map[int64]bool{})
			read++
		}
	})
	if read == 0 {
		t.Error("no doclist was found to be read")
	}
}

func someOfFTS5(t *testing.T) (pages [][]byte) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE VIRTUAL TABLE f USING fts5(a, b, c)")
	run("INSERT INTO f(f, rank) VALUES ('pgsz', 200)")
	for i := range 60 {
		run("INSERT INTO f VALUES (?, ?, ?)", fmt.Sprint("apple pear plum fig quince w", i%40), "apple pear", fmt.Sprint("w", i%7))
	}
	rows, err := db.Query("SELECT block FROM f_data WHERE id > 10")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var b []byte
		if err := rows.Scan(&b); err != nil {
			t.Fatal(err)
		}
		if len(b) > 0 {
			pages = append(pages, b)
		}
	}
	if len(pages) == 0 || rows.Err() != nil {
		t.Fatalf("%d pages, %v", len(pages), rows.Err())
	}
	return pages
}
