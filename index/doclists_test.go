package index_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// TestDoclistsAreReadAsFTS5ReadsThem edits at random, with pages so small that
// doclists and positions go over many of them and segments that are merged soon
// or never, and compares every token with what FTS5 says of it.
func TestDoclistsAreReadAsFTS5ReadsThem(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		db, err := index.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n), "tiered.db"), index.Options{NoInMemory: true})
		if err != nil {
			rt.Fatal(err)
		}
		defer db.Close()
		set := func(name string, to int) error {
			return db.Exec(fmt.Sprintf("INSERT INTO memories_fts(memories_fts, rank) VALUES ('%s', %d)", name, to))
		}
		if err := errors.Join(set("pgsz", rapid.IntRange(32, 300).Draw(rt, "page")), set("automerge", rapid.SampledFrom([]int{0, 2, 8}).Draw(rt, "merged"))); err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			path := rapid.SampledFrom([]string{"a.md", "b.md", "c.md"}).Draw(rt, "file")
			b := memory.Batch{Removed: []string{path}}
			if !rapid.Bool().Draw(rt, "gone") {
				var lines []string
				for i := range rapid.IntRange(1, 40).Draw(rt, "memories") {
					lines = append(lines, fmt.Sprintf("%s%d %s", path, i, strings.Repeat(sentence(rt, "text")+" ", rapid.IntRange(1, 9).Draw(rt, "times"))))
				}
				b = file(path, lines...)
			}
			if err := db.Apply(t.Context(), noon, b); err != nil {
				rt.Fatal(err)
			}
		}
		tokens, err := db.Column("SELECT term FROM memories_fts_words UNION SELECT 'nobody'")
		if err != nil {
			rt.Fatal(err)
		}
		if err := db.Exec("CREATE VIRTUAL TABLE IF NOT EXISTS one_by_one USING fts5vocab(memories_fts, instance)"); err != nil {
			rt.Fatal(err)
		}
		for _, token := range tokens {
			got, err := db.Held(token)
			if err != nil {
				rt.Fatal(err)
			}
			want := map[int64][3]int{}
			rows, err := db.Column("SELECT doc || ' ' || col FROM one_by_one WHERE term = ?", token)
			if err != nil {
				rt.Fatal(err)
			}
			for _, row := range rows {
				doc, column, _ := strings.Cut(row, " ")
				chunk, _ := strconv.ParseInt(doc, 10, 64)
				often := want[chunk]
				often[map[string]int{"text": 0, "context": 1, "parts": 2}[column]]++
				want[chunk] = often
			}
			if !maps.Equal(got, want) {
				rt.Fatalf("%q is held by\n%v, FTS5 says\n%v", token, got, want)
			}
		}
	})
}
