package index_test

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// vocabulary has words that stem alike, identifiers and scripts without spaces.
var vocabulary = strings.Fields(`run running ran deploy deploys deployed ERR_CONN-42 err conn 42 src/net/dial.go dial.go getUserName name
	3f8a91c2b7d0 部署 生产环境 東京タワー café CAFE Über time times tide the a sea seas green greener greenest pears utf8mb4 v1.61.1`)

func sentence(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 12).Draw(t, label), " ")
}

// TestWordsInMemoryScoreAsFTS5 holds the sum over a query's terms against FTS5's
// bm25 of the same chunk.
func TestWordsInMemoryScoreAsFTS5(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		db, err := index.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n), "tiered.db"), index.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer db.Close()
		var lines []string
		for i := range rapid.IntRange(1, 25).Draw(rt, "memories") {
			lines = append(lines, fmt.Sprintf("m%d %s", i, sentence(rt, "text")))
		}
		b := file("memory/2026-11-02.md", lines...)
		for i := range b.Placed {
			b.Placed[i].Block.Heading = []string{sentence(rt, "heading")}
		}
		if err := db.Apply(t.Context(), noon, b); err != nil {
			rt.Fatal(err)
		}
		var q memory.Query
		for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 1, 4, rapid.ID).Draw(rt, "query") {
			q.Terms = append(q.Terms, memory.Term{Text: w, Kind: rapid.SampledFrom([]memory.TermKind{memory.TermWord, memory.TermIdentifier}).Draw(rt, "kind")})
		}
		want, err := db.PlainBM25(q)
		if err != nil {
			rt.Fatal(err)
		}
		for _, load := range []bool{false, true} {
			if load {
				if err := db.Load(t.Context()); err != nil {
					rt.Fatal(err)
				}
			}
			got, err := db.InContext(t.Context(), q, memory.Predicate{}, 100, nil)
			if err != nil {
				rt.Fatal(err)
			}
			own := map[memory.ID]float64{}
			for _, s := range got {
				if s.Raw > 0 {
					own[s.ID] = s.Raw
				}
			}
			if len(own) != len(want) {
				rt.Fatalf("%v (loaded %v): %d memories, FTS5 finds %d", q.Terms, load, len(own), len(want))
			}
			for id, w := range want {
				if math.Abs(own[id]-w) > 1e-5*(1+w) {
					rt.Fatalf("%v (loaded %v): %v has BM25 %v, FTS5 says %v", q.Terms, load, id, own[id], w)
				}
			}
		}
	})
}

// TestMemoryAndTablesAgree edits at random and asks a database that answers from
// memory and one that answers from its tables alone.
func TestMemoryAndTablesAgree(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		var dbs []*index.DB
		for i, lean := range []bool{false, true} {
			db, err := index.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n, i), "tiered.db"), index.Options{Lean: lean})
			if err != nil {
				rt.Fatal(err)
			}
			defer db.Close()
			if err := db.SetModel(t.Context(), indextest.Model, indextest.Dim); err != nil {
				rt.Fatal(err)
			}
			if err := db.Load(t.Context()); err != nil {
				rt.Fatal(err)
			}
			dbs = append(dbs, db)
		}
		both := func(do func(*index.DB) error) {
			for _, db := range dbs {
				if err := do(db); err != nil {
					rt.Fatal(err)
				}
			}
		}
		files := []string{"a.md", "b.md", "memory/2026-11-02.md"}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0: // a file goes
				gone := memory.Batch{Removed: []string{rapid.SampledFrom(files).Draw(rt, "gone")}}
				both(func(db *index.DB) error { return db.Apply(t.Context(), noon, gone) })
			case 1: // somebody forgets
				text := "m0 " + vocabulary[0]
				both(func(db *index.DB) error {
					return db.Update(t.Context(), noon, func(tx *index.Tx) error { return tx.ForgetText(id(text)) })
				})
			case 2:
				both(func(db *index.DB) error { return db.Reset(t.Context(), noon) })
			default:
				path := rapid.SampledFrom(files).Draw(rt, "file")
				var lines []string
				for i := range rapid.IntRange(1, 12).Draw(rt, "memories") {
					lines = append(lines, fmt.Sprintf("%s%d %s", path, i, sentence(rt, "text")))
				}
				if path == "a.md" {
					lines[0] = "m0 " + vocabulary[0]
				}
				b := file(path, lines...)
				for i := range b.Placed {
					b.Placed[i].Block.Heading = []string{fmt.Sprint(i / 5)}
					if rapid.Bool().Draw(rt, "speaks") {
						b.Placed[i].Speaker = rapid.SampledFrom([]string{"Ann Lee", "Bob"}).Draw(rt, "who")
					}
				}
				both(func(db *index.DB) error { return db.Apply(t.Context(), noon, b) })
			}
			if rapid.Bool().Draw(rt, "embed") {
				both(func(db *index.DB) error { return embedSome(t, db) })
			}
		}
		text := sentence(rt, "query")
		q := query(strings.Fields(text)...)
		for i := range q.Terms {
			if q.Terms[i].Kind == memory.TermWord && rapid.Bool().Draw(rt, "has others alike") {
				for _, w := range rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 3).Draw(rt, "alike") {
					q.Terms[i].Alike = append(q.Terms[i].Alike, memory.Alike{Text: w, Weight: rapid.Float64Range(0.1, 1).Draw(rt, "weight")})
				}
			}
		}
		if rapid.Bool().Draw(rt, "mistyped") {
			q.Terms = append(q.Terms, memory.Term{Text: rapid.SampledFrom([]string{"depoly", "runnin", "greennest", "tiems", "getusername"}).Draw(rt, "typo")})
		}
		q.Vec = indextest.Embed(text)
		p := memory.Predicate{Forgotten: rapid.SampledFrom([]memory.Inclusion{memory.Without, memory.Also}).Draw(rt, "forgotten")}
		var said [2][]memory.Signals
		var near [2][]memory.Candidate
		var names [2][]string
		for i, db := range dbs {
			var err error
			if near[i], err = db.Vector(t.Context(), q, p, 50); err != nil {
				rt.Fatal(err)
			}
			var also []memory.ID
			for _, c := range near[i] {
				also = append(also, c.ID)
			}
			if said[i], err = db.InContext(t.Context(), q, p, 100, also); err != nil {
				rt.Fatal(err)
			}
			if names[i], err = db.Speakers(t.Context()); err != nil {
				rt.Fatal(err)
			}
			slices.Sort(names[i])
			slices.SortFunc(said[i], func(a, b memory.Signals) int { return cmp.Compare(a.ID, b.ID) })
		}
		if !slices.Equal(names[0], names[1]) {
			rt.Fatalf("%q speak in memory, %q in the tables", names[0], names[1])
		}
		if !slices.EqualFunc(near[0], near[1], func(a, b memory.Candidate) bool { return math.Abs(a.Raw-b.Raw) < 1e-4 }) {
			rt.Fatalf("%q is near\n%v in memory,\n%v in the tables", text, near[0], near[1])
		}
		if !slices.EqualFunc(said[0], said[1], alike) {
			rt.Fatalf("of %q\n%+v in memory,\n%+v in the tables", text, said[0], said[1])
		}
	})
}

func alike(a, b memory.Signals) bool {
	for _, d := range []float64{a.Raw - b.Raw, a.Score - b.Score, a.Context - b.Context, a.Around - b.Around, a.Cosine - b.Cosine, a.NearCosine - b.NearCosine} {
		if math.Abs(d) > 1e-4 {
			return false
		}
	}
	return a.ID == b.ID && a.Speaker == b.Speaker && a.AfterQuestion == b.AfterQuestion
}

func embedSome(t *testing.T, db *index.DB) error {
	pending, err := db.Pending(t.Context(), indextest.Model, 1000)
	if err != nil || len(pending) == 0 {
		return err
	}
	vectors := map[memory.Fingerprint][]float32{}
	for _, p := range pending {
		vectors[p.Fingerprint] = indextest.Embed(p.Text)
	}
	return db.PutVectors(t.Context(), indextest.Model, vectors)
}
