package index_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

// tokenSource has words that stem alike, identifiers and scripts without spaces.
var tokenSource = strings.Fields(`run running ran deploy deploys deployed ERR_CONN-42 err conn 42 src/net/dial.go dial.go getUserName name
	3f8a91c2b7d0 部署 生产环境 東京タワー café CAFE Über time times tide the a sea seas green greener greenest pears utf8mb4 v1.61.1`)

func sentence(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokenSource), 1, 12).Draw(t, label), " ")
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
		for i := range b.Placements {
			b.Placements[i].Block.Heading = []string{sentence(rt, "heading")}
		}
		if err := db.Apply(t.Context(), noon, b); err != nil {
			rt.Fatal(err)
		}
		var q memory.Query
		for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(tokenSource), 1, 4, rapid.ID).Draw(rt, "query") {
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
			got, err := db.Search(t.Context(), q, memory.Predicate{}, 100, false)
			if err != nil {
				rt.Fatal(err)
			}
			own := map[memory.ID]float64{}
			for _, s := range got.Signals {
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
// memory and has followed the edits, one that answers from its tables alone, and
// one that was loaded after the edits.
func TestMemoryAndTablesAgree(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		var dbs []*index.DB
		for i, lean := range []bool{false, true, false} {
			db, err := index.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n, i), "tiered.db"), index.Options{NoInMemory: lean})
			if err != nil {
				rt.Fatal(err)
			}
			defer db.Close()
			if err := db.SetModel(t.Context(), indextest.Model, indextest.Dim); err != nil {
				rt.Fatal(err)
			}
			if i == 0 {
				if err := db.Load(t.Context()); err != nil {
					rt.Fatal(err)
				}
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
				text := "m0 " + tokenSource[0]
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
					lines[0] = "m0 " + tokenSource[0]
				}
				b := file(path, lines...)
				for i := range b.Placements {
					b.Placements[i].Block.Heading = []string{fmt.Sprint(i / 5)}
					if rapid.Bool().Draw(rt, "speaks") {
						b.Placements[i].Speaker = rapid.SampledFrom([]string{"Ann Lee", "Bob"}).Draw(rt, "who")
					}
					for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(rt, "chunks more") {
						more := sentence(rt, "more")
						b.Placements[i].Chunks = append(b.Placements[i].Chunks, memory.Chunk{Text: more, Fingerprint: indextest.Fingerprint(more)})
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
				for _, w := range rapid.SliceOfN(rapid.SampledFrom(tokenSource), 1, 3).Draw(rt, "alike") {
					q.Terms[i].Expansions = append(q.Terms[i].Expansions, memory.Expansion{Text: w, Weight: rapid.Float64Range(0.1, 1).Draw(rt, "weight")})
				}
			}
		}
		if rapid.Bool().Draw(rt, "mistyped") {
			q.Terms = append(q.Terms, memory.Term{Text: rapid.SampledFrom([]string{"depoly", "runnin", "greennest", "tiems", "getusername"}).Draw(rt, "typo")})
		}
		q.Vector = indextest.Embed(text)
		p := memory.Predicate{Forgotten: rapid.SampledFrom([]memory.Inclusion{memory.Exclude, memory.Include}).Draw(rt, "forgotten")}
		if err := dbs[2].Load(t.Context()); err != nil {
			rt.Fatal(err)
		}
		var said [3][]memory.Signals
		var near [3][]memory.Candidate
		var names [3][]string
		for i, db := range dbs {
			found, err := db.Search(t.Context(), q, p, 100, true)
			if err != nil || found.VectorError != nil {
				rt.Fatal(err, found.VectorError)
			}
			said[i], near[i] = found.Signals, found.Nearest
			apart, err := db.SearchVector(t.Context(), q, p, 100)
			if err != nil || !slices.Equal(apart, near[i]) {
				rt.Fatalf("%q is near\n%v, and by vectors alone\n%v (%v)", text, near[i], apart, err)
			}
			if names[i], err = db.Speakers(t.Context()); err != nil {
				rt.Fatal(err)
			}
			slices.Sort(names[i])
			slices.SortFunc(said[i], func(a, b memory.Signals) int { return cmp.Compare(a.ID, b.ID) })
		}
		for i, how := range []string{1: "in the tables", 2: "loaded later"} {
			if !slices.Equal(names[0], names[i]) {
				rt.Fatalf("%q speak in memory, %q %s", names[0], names[i], how)
			}
			if !slices.EqualFunc(near[0], near[i], func(a, b memory.Candidate) bool { return math.Abs(a.Raw-b.Raw) < 1e-4 }) {
				rt.Fatalf("%q is near\n%v in memory,\n%v %s", text, near[0], near[i], how)
			}
			if !slices.EqualFunc(said[0], said[i], alike) {
				rt.Fatalf("of %q\n%+v in memory,\n%+v %s", text, said[0], said[i], how)
			}
		}
	})
}

// TestOfEqualWordsTheShorterCountMore compares a memory that fills one chunk with
// one that has the same words in one of three.
func TestOfEqualWordsTheShorterCountMore(t *testing.T) {
	db := fresh(t)
	words := "harbour boats tide " + strings.Repeat("rope sail anchor ", 20)
	b := file("a.md", "short "+words, "long "+words)
	for i := range b.Placements {
		b.Placements[i].Block.Heading = []string{fmt.Sprint(i)} // neither is the other's context
	}
	for _, more := range []string{"one ", "two "} {
		more += strings.Repeat("gravel meadow lamp ", 20)
		b.Placements[1].Chunks = append(b.Placements[1].Chunks, memory.Chunk{Text: more, Fingerprint: indextest.Fingerprint(more)})
	}
	apply(t, db, noon, b)
	check := func(when string) {
		t.Helper()
		found, err := db.Search(t.Context(), query("harbour", "tide"), memory.Predicate{}, 5, false)
		if err != nil || len(found.Signals) != 2 {
			t.Fatal(when, found, err)
		}
		if short, long := found.Signals[0], found.Signals[1]; short.ID != b.Placements[0].ID || short.Context <= long.Context {
			t.Errorf("%s: %+v comes before %+v", when, short, long)
		}
	}
	check("in the tables")
	if err := db.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("in memory")
}

// TestAReplyPartsNobody: what is said before a long reply counts for what is said
// after it as if the reply were short.
func TestAReplyPartsNobody(t *testing.T) {
	context := func(reply string) float64 {
		db := fresh(t)
		apply(t, db, noon, file("a.md", "where does the harbour lie", reply, "I mean the small one"))
		found, err := db.Search(t.Context(), query("harbour"), memory.Predicate{}, 5, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found.Signals {
			if s.ID == id("I mean the small one") {
				return s.Coverage
			}
		}
		return 0
	}
	if short, long := context("yes"), context("yes "+strings.Repeat("gravel meadow lamp ", 60)); short == 0 || short != long {
		t.Errorf("%v round a short reply, %v round a long one", short, long)
	}
}

func alike(a, b memory.Signals) bool {
	for _, d := range []float64{a.Raw - b.Raw, a.Score - b.Score, a.Context - b.Context, a.Cosine - b.Cosine, a.NeighbourCosine - b.NeighbourCosine, a.MeanCosine - b.MeanCosine} {
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

// TestTheBestAreFoundWithoutLookingAtAll asks for a few, of whom most can be left
// out unseen, and for all.
func TestTheBestAreFoundWithoutLookingAtAll(t *testing.T) {
	const files, lines, k = 4, 500, 7
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		zipf := rand.NewZipf(r, 1.2, 4, 300)
		words := func(n int) (out []string) {
			for range n {
				out = append(out, fmt.Sprintf("w%dx", zipf.Uint64()))
			}
			return out
		}
		db, under := fresh(t), 1+r.IntN(60)
		for f := range files {
			var texts []string
			for i := range lines {
				texts = append(texts, fmt.Sprintf("f%dm%d %s", f, i, strings.Join(words(1+r.IntN(15)), " ")))
			}
			b := file(fmt.Sprintf("%d.md", f), texts...)
			for i := range b.Placements {
				b.Placements[i].Block.Heading = []string{fmt.Sprint(i / under)}
			}
			apply(t, db, noon, b)
		}
		if err := db.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		apply(t, db, noon, file("1.md", "f1m3 w1x w2x", "f1m9 w3x w4x", "another w1x w5x"))
		for range 30 {
			q := query(words(4)...)
			for i := range q.Terms {
				for _, w := range words(3) {
					q.Terms[i].Expansions = append(q.Terms[i].Expansions, memory.Expansion{Text: w, Weight: 0.5})
				}
			}
			p := memory.Predicate{Path: []string{"", "2.md"}[r.IntN(2)]}
			few, err := db.Search(t.Context(), q, p, k, false)
			if err != nil {
				t.Fatal(err)
			}
			all, err := db.Search(t.Context(), q, p, files*lines, false)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(few.Signals, all.Signals[:min(k, len(all.Signals))], alike) {
				t.Fatalf("seed %d: the best %d of %v are\n%+v, of all\n%+v", seed, k, q.Terms, few.Signals, all.Signals[:min(k, len(all.Signals))])
			}
		}
	}
}

// TestWhatIsShownFromMemory compares rows and filters in memory with SQL's.
func TestWhatIsShownFromMemory(t *testing.T) {
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		var dbs []*index.DB
		var ids []memory.ID
		var b memory.Batch
		for i := range rapid.IntRange(1, 12).Draw(rt, "memories") {
			one := file(rapid.SampledFrom([]string{"a.md", "memory/b.md", "memory/2026-11-02.md"}).Draw(rt, "path")+fmt.Sprint(i), fmt.Sprintf("m%d %s", i, sentence(rt, "text")))
			one.Placements[0].Block.Annotations = declaration(rt, float64(i)/20)
			one.Placements[0].Block.Heading = []string{"h", sentence(rt, "heading")}
			ids = append(ids, one.Placements[0].ID)
			b = join(b, one)
		}
		uses := []index.Use{{ID: ids[0], Session: "s", At: noon}}
		for i, lean := range []bool{false, true, false} {
			db, err := index.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n, i), "tiered.db"), index.Options{NoInMemory: lean})
			if err != nil {
				rt.Fatal(err)
			}
			defer db.Close()
			load := func(when int) error {
				if i != when {
					return nil
				}
				return db.Load(t.Context())
			}
			if err := errors.Join(load(0), db.Apply(t.Context(), noon, b), db.AddUses(t.Context(), noon, uses), load(2)); err != nil {
				rt.Fatal(err)
			}
			dbs = append(dbs, db)
		}
		for range 20 {
			p := narrowed(rt)
			var shown [3][]memory.Memory
			for i, db := range dbs {
				var err error
				if shown[i], err = db.Visible(t.Context(), ids, p); err != nil {
					rt.Fatal(err)
				}
			}
			for i, how := range []string{0: "in memory", 2: "loaded later"} {
				if len(shown[i])+len(shown[1]) > 0 && !reflect.DeepEqual(shown[i], shown[1]) {
					rt.Fatalf("by %+v\n%+v %s,\n%+v in the tables", p, shown[i], how, shown[1])
				}
			}
		}
	})
}

// narrowed is a predicate with few conditions: with many, nothing is let through.
func narrowed(t *rapid.T) (p memory.Predicate) {
	for range rapid.IntRange(0, 3).Draw(t, "conditions") {
		switch rapid.IntRange(0, 12).Draw(t, "condition") {
		case 0:
			p.Tier = rapid.SampledFrom(memory.Tiers).Draw(t, "tier")
		case 1:
			p.Type = rapid.SampledFrom(memory.Types).Draw(t, "type")
		case 2:
			p.Category = rapid.SampledFrom(memory.Categories).Draw(t, "category")
		case 3:
			p.Scope = rapid.SampledFrom([]memory.Scope{"work", "home"}).Draw(t, "scope")
		case 4:
			p.Tag = rapid.SampledFrom([]string{"#Red", "über", "ÜBER"}).Draw(t, "tag")
		case 5:
			p.Path = rapid.SampledFrom([]string{"memory", "*.md*"}).Draw(t, "glob")
		case 6:
			p.Since = rapid.SampledFrom([]time.Time{noon, noon.Add(-time.Hour)}).Draw(t, "since")
		case 7:
			p.Until = rapid.SampledFrom([]time.Time{noon, noon.AddDate(0, 0, 1)}).Draw(t, "until")
		case 8:
			p.AsOf = rapid.SampledFrom([]time.Time{noon, noon.AddDate(-1, 0, 0), noon.AddDate(3, 0, 0)}).Draw(t, "as of")
		case 9:
			p.Archive, p.Pinned = rapid.Bool().Draw(t, "archive"), rapid.Bool().Draw(t, "pinned")
		case 10:
			p.Injectable = true
			p.Now = rapid.SampledFrom([]time.Time{{}, noon, noon.AddDate(-1, 0, 0), noon.AddDate(3, 0, 0)}).Draw(t, "now")
		case 11:
			p.Forgotten = rapid.SampledFrom([]memory.Inclusion{memory.Include, memory.Only}).Draw(t, "forgotten")
		case 12:
			p.Missing = rapid.SampledFrom([]memory.Inclusion{memory.Include, memory.Only}).Draw(t, "missing")
		}
	}
	return p
}

func declaration(t *rapid.T, importance float64) memory.Declared {
	yes := func(label string) *bool {
		b := rapid.Bool().Draw(t, label)
		return &b
	}
	times := rapid.SampledFrom([]time.Time{{}, noon, noon.Add(-time.Hour), noon.AddDate(2, 0, 0)})
	return memory.Declared{
		Tier: rapid.SampledFrom(append(memory.Tiers, "")).Draw(t, "tier"), Type: rapid.SampledFrom(memory.Types).Draw(t, "type"),
		Category: rapid.SampledFrom(memory.Categories).Draw(t, "category"), Trust: rapid.SampledFrom(memory.TrustTiers).Draw(t, "trust"),
		Scope:           rapid.SampledFrom([]memory.Scope{"", "global", "work"}).Draw(t, "scope"),
		ImportanceLabel: rapid.SampledFrom(memory.ImportanceLabels).Draw(t, "label"),
		Importance:      &importance, SourceRef: rapid.SampledFrom([]string{"", "a mail"}).Draw(t, "ref"),
		Created: times.Draw(t, "created"), Expires: times.Draw(t, "expires"),
		Tags:   rapid.SliceOfDistinct(rapid.SampledFrom([]string{"red", "RED", "Über"}), rapid.ID).Draw(t, "tags"),
		Pinned: yes("pinned"), Forgotten: yes("forgotten"), Private: yes("private"),
	}
}
