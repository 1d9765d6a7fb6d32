package index_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
	"github.com/memory-tiered/memory/internal/must"
)

const (
	destroyed = "The zyzzyva password of the quokka office is xylophonic4711"
	firstText = "The zyzzyva password of the quokka bureau is xylophonic4712"
)

// filler returns n texts. 700 fill many pages of the tables.
func filler(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("Ferry number %d leaves pier %d at %d:15 for the island of birds", i, i%7, i%24))
	}
	return lines
}

// filesWith lists the files of a folder that contain some bytes.
func filesWith(t *testing.T, dir string, want []byte) (names []string) {
	t.Helper()
	files := must.Get(os.ReadDir(dir))(t)
	for _, f := range files {
		src := must.Get(os.ReadFile(filepath.Join(dir, f.Name())))(t)
		if bytes.Contains(src, want) {
			names = append(names, f.Name())
		}
	}
	return names
}

func destroy(t *testing.T, db *index.DB, ids ...memory.ID) {
	t.Helper()
	in := index.Intent{Batch: "b1", At: noon, Action: "destroy", Source: "cli", Destroy: ids, ForgetTexts: ids}
	update(t, db, noon, func(tx *index.Tx) error { return tx.BeginIntent(in) })
	update(t, db, noon, func(tx *index.Tx) (err error) {
		in, err = tx.Destroy(in, nil, func(s string) bool { return s == destroyed })
		return err
	})
	if open, err := db.Intents(t.Context()); err != nil || len(open) != 1 || !open[0].TextsRemoved {
		t.Fatalf("the intent does not note that Scrub is left: %+v %v", open, err)
	}
	must.Do(t, db.Scrub(t.Context()))
	update(t, db, noon, func(tx *index.Tx) error { return tx.FinishDestroy(in) })
}

// No file of the database keeps a byte of a destroyed memory: not its text, words or
// vector, nor those of its former text. The database is open all the time, with the
// index in memory or without.
func TestDestroyLeavesNoByte(t *testing.T) {
	for _, loaded := range []bool{false, true} {
		t.Run(fmt.Sprintf("loaded %v", loaded), func(t *testing.T) {
			dir := t.TempDir()
			db := open(t, filepath.Join(dir, "tiered.db"), index.Options{})
			lines := filler(700)
			lines[300] = firstText
			apply(t, db, noon, file("MEMORY.md", lines...))
			embedAll(t, db)
			if loaded {
				must.Do(t, db.Load(t.Context()))
			}
			b := file("MEMORY.md", slices.Concat(lines[:300], []string{destroyed}, lines[301:])...)
			b.Placements[300].ID = id(firstText) // an edit: the same memory
			apply(t, db, noon.Add(time.Minute), b)
			must.Do(t, embedPending(t, db))
			must.Do(t, db.Update(t.Context(), noon, func(tx *index.Tx) error { return tx.SetContext("b", "", destroyed, noon.Add(time.Hour)) }))
			if got := nearest(t, db, destroyed, memory.Predicate{}); len(got) == 0 || got[0] != destroyed {
				t.Fatalf("not found before it was destroyed: %q", got)
			}
			apply(t, db, noon.Add(2*time.Minute), file("MEMORY.md", slices.Concat(lines[:300], lines[301:])...))
			destroy(t, db, id(firstText))

			vector, formerVector := vectors.Encode(indextest.Embed(destroyed)), vectors.Encode(indextest.Embed(firstText))
			for _, want := range [][]byte{[]byte(destroyed), []byte(firstText), []byte("zyzzyva"), []byte("yzzyva"), []byte("quokka"), []byte("ylophonic"),
				vector, formerVector} {
				if names := filesWith(t, dir, want); len(names) > 0 {
					t.Errorf("%q is left in %q", want, names)
				}
			}
			for _, word := range []string{"zyzzyva", "quokka", "xylophonic4711", "xylophonic4712"} {
				if left, err := db.Column("SELECT term FROM memories_fts_words WHERE term LIKE ?||'%'", word); err != nil || len(left) > 0 {
					t.Errorf("the keyword index has %q, %v", left, err)
				}
				if remembers(reflect.ValueOf(db.Searcher), word, map[uintptr]bool{}) {
					t.Errorf("the memory of the process has %q", word)
				}
			}
			if got := nearest(t, db, destroyed, memory.Predicate{}); slices.Contains(got, destroyed) {
				t.Errorf("found: %q", got)
			}
			wantFound(t, db, lines[299], lines[301], lines[699])
		})
	}
}

// remembers reports whether any string contains a word that can be reached from a
// value, the database itself excluded.
func remembers(v reflect.Value, word string, seen map[uintptr]bool) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.Contains(strings.ToLower(v.String()), word)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] || v.Type() == reflect.TypeFor[*sqldb.DB]() {
			return false
		}
		seen[v.Pointer()] = true
		return remembers(v.Elem(), word, seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if remembers(v.Field(i), word, seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		switch v.Type().Elem().Kind() {
		case reflect.String, reflect.Pointer, reflect.Struct, reflect.Slice:
			for i := range v.Len() {
				if remembers(v.Index(i), word, seen) {
					return true
				}
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if remembers(entries.Key(), word, seen) || remembers(entries.Value(), word, seen) {
				return true
			}
		}
	}
	return false
}

// wantFound checks the database, and that each line is found by words and by vector.
func wantFound(t *testing.T, db *index.DB, lines ...string) {
	t.Helper()
	if err := db.CheckWords(); err != nil {
		t.Error(err)
	}
	if err := db.QuickCheck(t.Context()); err != nil {
		t.Error(err)
	}
	for _, line := range lines {
		if got := nearest(t, db, line, memory.Predicate{}); len(got) == 0 || got[0] != line {
			t.Errorf("%q by vector: %q", line, got)
		}
		if got := search(t, db, query(line), memory.Predicate{}); len(got) == 0 || got[0] != line {
			t.Errorf("%q by words: %q", line, got)
		}
	}
}

// Destroy keeps a vector that another memory needs. A vector that arrives later is not
// cached. A destroyed text that returns is forgotten.
func TestDestroyAffectsOnlyItsTexts(t *testing.T) { indextest.OnEachBackend(t, testDestroy) }

func testDestroy(t *testing.T) {
	db := fresh(t)
	short := "Port 5432"
	under := func(heading string, b memory.Batch) memory.Batch {
		b.Placements[0].Block.Heading = []string{heading}
		return b
	}
	apply(t, db, noon, under("Database", file("a.md", short)))
	other := under("Printer", file("b.md", short))
	other.Placements[0].ID = memory.NewID(fingerprint(short), 1)
	apply(t, db, noon, other)
	apply(t, db, noon, file("c.md", destroyed))
	embedAll(t, db)
	apply(t, db, noon, memory.Batch{Removed: []string{"a.md", "c.md"}})
	destroy(t, db, id(short), id(destroyed))

	if got := nearest(t, db, short, memory.Predicate{}); !slices.Equal(got, []string{short}) {
		t.Errorf("the text under another heading: %q", got)
	}
	made := map[memory.Fingerprint][]float32{fingerprint(destroyed): indextest.Embed(destroyed)}
	must.Do(t, db.PutPending(t.Context(), indextest.Model, made))
	if kept, err := db.Vectors(t.Context(), indextest.Model, []memory.Fingerprint{fingerprint(destroyed)}); err != nil || len(kept) > 0 {
		t.Errorf("the vector of a destroyed text is cached: %v %v", kept, err)
	}
	apply(t, db, noon, file("c.md", destroyed))
	if m := one(t, db, id(destroyed)); !m.Forgotten {
		t.Errorf("the destroyed text returned and is not forgotten: %+v", m)
	}
}
