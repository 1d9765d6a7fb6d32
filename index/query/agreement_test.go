package query_test

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"maps"
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
	queries "github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// vocabulary has words with the same stem, identifiers and unspaced scripts.
var vocabulary = strings.Fields(`run running ran deploy deploys deployed ERR_CONN-42 err conn 42 src/net/dial.go dial.go getUserName name
	3f8a91c2b7d0 部署 生产环境 東京タワー café CAFE Élan time times tide the a sea seas green greener greenest pears utf8mb4 v1.61.1`)

func sentence(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 12).Draw(t, label), " ")
}

// fts5Scores asks FTS5 itself for the best BM25 of each memory.
func fts5Scores(t must.TB, db *index.DB, q memory.Query) map[memory.ID]float64 {
	conn := must.Get(sql.Open("sqlite", db.Path()))(t)
	defer conn.Close()
	rows := must.Get(conn.Query(`SELECT c.memory_id, -f.score FROM
		(SELECT rowid AS id, `+queries.BM25+` AS score FROM memories_fts WHERE memories_fts MATCH ?) f JOIN chunks c ON c.id = f.id`,
		queries.MatchAny(text.CompileTerms(q.Terms))))(t)
	defer rows.Close()
	scores := map[memory.ID]float64{}
	for rows.Next() {
		var id memory.ID
		var score float64
		must.Do(t, rows.Scan(&id, &score))
		scores[id] = max(scores[id], score)
	}
	must.Do(t, rows.Err())
	return scores
}

// The tables find the same memories. They estimate the average length, so BM25 differs.
func TestBM25EqualsThatOfFTS5(t *testing.T) {
	indextest.SQLiteOnly(t)
	dir := t.TempDir()
	n := 0
	property.Check(t, func(rt *rapid.T) {
		n++
		db := must.Get(indextest.TryOpen(t, filepath.Join(dir, fmt.Sprint(n), "tiered.db"), index.Options{}))(rt)
		defer db.Close()
		var lines []string
		for i := range rapid.IntRange(1, 25).Draw(rt, "memories") {
			lines = append(lines, fmt.Sprintf("m%d %s", i, sentence(rt, "text")))
		}
		b := file("memory/2026-11-02.md", lines...)
		for i := range b.Placements {
			b.Placements[i].Block.Heading = []string{sentence(rt, "heading")}
		}
		must.Do(rt, db.Apply(t.Context(), noon, b))
		var q memory.Query
		for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 1, 4, rapid.ID).Draw(rt, "query") {
			q.Terms = append(q.Terms, memory.Term{Text: w, Kind: rapid.SampledFrom([]memory.TermKind{memory.TermWord, memory.TermIdentifier}).Draw(rt, "kind")})
		}
		want := fts5Scores(rt, db, q)
		for _, load := range []bool{false, true} {
			if load {
				must.Do(rt, db.Load(t.Context()))
			}
			got := must.Get(db.Search(t.Context(), q, memory.Predicate{}, 100, false))(rt)
			own := map[memory.ID]float64{}
			for _, s := range got.Signals {
				if s.Raw > 0 {
					own[s.ID] = s.Raw
				}
			}
			if len(own) != len(want) {
				rt.Fatalf("%v (loaded %v): found %d memories, FTS5 found %d", q.Terms, load, len(own), len(want))
			}
			for id, w := range want {
				if own[id] == 0 || load && math.Abs(own[id]-w) > 1e-5*(1+w) {
					rt.Fatalf("%v (loaded %v): BM25 of %v is %v, of FTS5 %v", q.Terms, load, id, own[id], w)
				}
			}
		}
	})
}

func everyID(t *testing.T, db *index.DB) (ids []memory.ID) {
	t.Helper()
	all, _, err := db.List(t.Context(), memory.Predicate{Forgotten: memory.Include, Missing: memory.Include, Archive: true}, "", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		ids = append(ids, m.ID)
	}
	return append(ids, "00000000-0000-4000-8000-000000000000")
}

// After random edits three databases have to find the same memories. There is one
// whose in-memory index followed the edits, one without that index, and one that
// loaded it afterwards. In the first cases there is another one without it on a PostgreSQL
// server, if the tests have one. Its answers are equal to those from the tables of SQLite.
func TestInMemoryIndexAndTablesAgree(t *testing.T) {
	const casesOnServer = 8 // each takes a second
	dir := t.TempDir()
	n := 0
	property.Check(t, func(rt *rapid.T) {
		n++
		var dbs []*index.DB
		for i, noInMemory := range []bool{false, true, false} {
			db := must.Get(indextest.TryOpen(t, filepath.Join(dir, fmt.Sprint(n, i), "tiered.db"), index.Options{NoInMemory: noInMemory}))(rt)
			defer db.Close()
			must.Do(rt, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
			if i == 0 {
				must.Do(rt, db.Load(t.Context()))
			}
			dbs = append(dbs, db)
		}
		if n <= casesOnServer && indextest.HasPostgres() {
			server := indextest.Postgres(t)
			db := must.Get(index.Open(t.Context(), filepath.Join(dir, fmt.Sprint(n, "server"), "tiered.db"), index.Options{NoInMemory: true, Server: server.URL, Schema: server.Schema}))(rt)
			defer db.Close()
			must.Do(rt, db.UseModel(t.Context(), index.ServingModel, indextest.Model, indextest.Dim))
			dbs = append(dbs, db)
		}
		onAll := func(do func(*index.DB) error) {
			for _, db := range dbs {
				must.Do(rt, do(db))
			}
		}
		files := []string{"a.md", "b.md", "memory/2026-11-02.md"}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0: // a file is removed
				removed := memory.Batch{Removed: []string{rapid.SampledFrom(files).Draw(rt, "removed")}}
				onAll(func(db *index.DB) error { return db.Apply(t.Context(), noon, removed) })
			case 1: // a text is forgotten
				forgotten := id("m0 " + vocabulary[0])
				onAll(func(db *index.DB) error {
					return db.Update(t.Context(), noon, func(tx *index.Tx) error { return tx.ForgetText(forgotten) })
				})
			case 2:
				onAll(func(db *index.DB) error { return db.Reset(t.Context(), noon) })
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
				if rapid.Bool().Draw(rt, "has properties") {
					b.Placements[len(b.Placements)-1].Ordinal = memory.PropertiesOrdinal
				}
				for i := range b.Placements {
					b.Placements[i].Block.Heading = []string{fmt.Sprint(i / 5)}
					if rapid.Bool().Draw(rt, "has speaker") {
						b.Placements[i].Speaker = rapid.SampledFrom([]string{"Ann Lee", "Bob"}).Draw(rt, "speaker")
					}
					for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(rt, "further chunks") {
						more := sentence(rt, "chunk")
						b.Placements[i].Chunks = append(b.Placements[i].Chunks, memory.Chunk{Text: more, Fingerprint: indextest.Fingerprint(more)})
					}
				}
				onAll(func(db *index.DB) error { return db.Apply(t.Context(), noon, b) })
			}
			if rapid.Bool().Draw(rt, "embed") {
				onAll(func(db *index.DB) error { return embedPending(t, db) })
			}
		}
		in := sentence(rt, "query")
		q := query(strings.Fields(in)...)
		for i := range q.Terms {
			if q.Terms[i].Kind == memory.TermWord && rapid.Bool().Draw(rt, "has expansions") {
				for _, w := range rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 3).Draw(rt, "expansions") {
					q.Terms[i].Expansions = append(q.Terms[i].Expansions, memory.Expansion{Text: w, Weight: rapid.Float64Range(0.1, 1).Draw(rt, "weight")})
				}
			}
		}
		if rapid.Bool().Draw(rt, "mistyped") {
			q.Terms = append(q.Terms, memory.Term{Text: rapid.SampledFrom([]string{"depoly", "runnin", "greennest", "tiems", "getusername"}).Draw(rt, "typo")})
		}
		q.Vector = indextest.Embed(in)
		p := memory.Predicate{Forgotten: rapid.SampledFrom([]memory.Inclusion{memory.Exclude, memory.Include}).Draw(rt, "forgotten")}
		must.Do(rt, dbs[2].Load(t.Context()))
		var signals [4][]memory.Signals
		var near [4][]memory.Candidate
		var names [4][]string
		var prefixes [4]map[memory.ID]string
		for i, db := range dbs {
			found, err := db.Search(t.Context(), q, p, 100, true)
			if err != nil || found.VectorError != nil {
				rt.Fatal(err, found.VectorError)
			}
			signals[i], near[i] = found.Signals, found.Nearest
			alone, err := db.Search(t.Context(), memory.Query{Vector: q.Vector, Model: q.Model}, p, 100, true)
			if err != nil || !slices.Equal(alone.Nearest, near[i]) {
				rt.Fatalf("nearest to %q are\n%v, and by vector alone\n%v (%v)", in, near[i], alone.Nearest, err)
			}
			names[i] = must.Get(db.Speakers(t.Context(), p))(rt)
			slices.Sort(names[i])
			prefixes[i] = must.Get(db.IDPrefixes(t.Context(), everyID(t, db), p.View))(rt)
			slices.SortFunc(signals[i], func(a, b memory.Signals) int { return cmp.Compare(a.ID, b.ID) })
		}
		for i, how := range []string{1: "from the tables", 2: "loaded later"} {
			if !slices.Equal(names[0], names[i]) {
				rt.Fatalf("speakers are %q in memory, %q %s", names[0], names[i], how)
			}
			if !maps.Equal(prefixes[0], prefixes[i]) {
				rt.Fatalf("prefixes of ids are %v in memory, %v %s", prefixes[0], prefixes[i], how)
			}
			if !slices.EqualFunc(near[0], near[i], func(a, b memory.Candidate) bool { return math.Abs(a.Raw-b.Raw) < 1e-4 }) {
				rt.Fatalf("nearest to %q are\n%v in memory,\n%v %s", in, near[0], near[i], how)
			}
			equal := equalSignals
			if i == 1 {
				equal = equalMemories
			}
			if !slices.EqualFunc(signals[0], signals[i], equal) {
				rt.Fatalf("signals for %q are\n%+v in memory,\n%+v %s", in, signals[0], signals[i], how)
			}
		}
		if len(dbs) > 3 && (!reflect.DeepEqual(signals[1], signals[3]) || !slices.Equal(near[1], near[3]) || !slices.Equal(names[1], names[3]) || !maps.Equal(prefixes[1], prefixes[3])) {
			rt.Fatalf("answers to %q are\n%+v from the tables of SQLite,\n%+v from those of the server", in, signals[1], signals[3])
		}
	})
}

// A memory of one chunk is compared with one that has the same words in one of three.
func TestShorterMemoryWinsWithEqualWords(t *testing.T) {
	db := fresh(t)
	words := "harbour boats tide " + strings.Repeat("rope sail anchor ", 20)
	b := file("a.md", "short "+words, "long "+words)
	for i := range b.Placements {
		b.Placements[i].Block.Heading = []string{fmt.Sprint(i)} // so that they are no neighbours
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
			t.Errorf("%s: the order is %+v, %+v", when, short, long)
		}
	}
	check("from the tables")
	load(t, db)
	check("in memory")
}

// What is said before a reply counts for what is said after it, however long the reply.
func TestLongReplyDoesNotSeparateItsNeighbours(t *testing.T) {
	context := func(reply string) float64 {
		db := fresh(t)
		apply(t, db, noon, file("a.md", "where does the harbour lie", reply, "I mean the small one"))
		found := must.Get(db.Search(t.Context(), query("harbour"), memory.Predicate{}, 5, false))(t)
		for _, s := range found.Signals {
			if s.ID == id("I mean the small one") {
				return s.Coverage
			}
		}
		return 0
	}
	if short, long := context("yes"), context("yes "+strings.Repeat("gravel meadow lamp ", 60)); short == 0 || short != long {
		t.Errorf("coverage is %v across a short reply, %v across a long one", short, long)
	}
}

// equalMemories compares what the tables have in common with the index in memory. They score
// without hidden memories, so those around them are nearer to each other.
func equalMemories(a, b memory.Signals) bool {
	for _, d := range []float64{a.Cosine - b.Cosine, a.MeanCosine - b.MeanCosine, a.RestLift - b.RestLift} {
		if math.Abs(d) > 1e-4 {
			return false
		}
	}
	return a.ID == b.ID && a.Speaker == b.Speaker && (a.Raw > 0) == (b.Raw > 0) && (a.Context > 0) == (b.Context > 0)
}

func equalSignals(a, b memory.Signals) bool {
	for _, d := range []float64{a.Raw - b.Raw, a.Score - b.Score, a.Context - b.Context, a.Cosine - b.Cosine, a.NeighbourCosine - b.NeighbourCosine, a.MeanCosine - b.MeanCosine, a.RestLift - b.RestLift} {
		if math.Abs(d) > 1e-4 {
			return false
		}
	}
	return a.ID == b.ID && a.Speaker == b.Speaker && a.AfterQuestion == b.AfterQuestion
}

// A search for a few documents skips most blocks by their upper bounds. It has to find
// the same as one for all.
func TestSkippedBlocksContainNoneOfTheBest(t *testing.T) {
	const files, lines, k = 4, 500, 7
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		zipf := rand.NewZipf(r, 1.2, 4, 300)
		words := func(n int) (out []string) {
			for range n {
				out = append(out, fmt.Sprintf("w%dx", zipf.Uint64()))
			}
			return out
		}
		db, perHeading := fresh(t), 1+r.IntN(60)
		for f := range files {
			var texts []string
			for i := range lines {
				texts = append(texts, fmt.Sprintf("f%dm%d %s", f, i, strings.Join(words(1+r.IntN(15)), " ")))
			}
			b := file(fmt.Sprintf("%d.md", f), texts...)
			for i := range b.Placements {
				b.Placements[i].Block.Heading = []string{fmt.Sprint(i / perHeading)}
			}
			apply(t, db, noon, b)
		}
		load(t, db)
		apply(t, db, noon, file("1.md", "f1m3 w1x w2x", "f1m9 w3x w4x", "another w1x w5x"))
		for range 30 {
			q := query(words(4)...)
			for i := range q.Terms {
				for _, w := range words(3) {
					q.Terms[i].Expansions = append(q.Terms[i].Expansions, memory.Expansion{Text: w, Weight: 0.5})
				}
			}
			p := memory.Predicate{Path: []string{"", "2.md"}[r.IntN(2)]}
			top := must.Get(db.Search(t.Context(), q, p, k, false))(t)
			all := must.Get(db.Search(t.Context(), q, p, files*lines, false))(t)
			if !slices.EqualFunc(top.Signals, all.Signals[:min(k, len(all.Signals))], equalSignals) {
				t.Fatalf("seed %d: the best %d of %v are\n%+v, of all\n%+v", seed, k, q.Terms, top.Signals, all.Signals[:min(k, len(all.Signals))])
			}
		}
	}
}

func TestMemoriesAndFiltersInMemoryEqualThoseOfSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	dir, n := t.TempDir(), 0
	property.Check(t, func(rt *rapid.T) {
		n++
		var dbs []*index.DB
		var ids []memory.ID
		var b memory.Batch
		for i := range rapid.IntRange(1, 12).Draw(rt, "memories") {
			one := file(rapid.SampledFrom([]string{"a.md", "memory/b.md", "memory/2026-11-02.md"}).Draw(rt, "path")+fmt.Sprint(i), fmt.Sprintf("m%d %s", i, sentence(rt, "text")))
			one.Placements[0].Block.Annotations = declaration(rt, float64(i)/20)
			one.Placements[0].Block.Heading = []string{"h", sentence(rt, "heading")}
			one.Placements[0].Entities = rapid.SliceOfDistinct(rapid.SampledFrom([]string{"Lena", "LENA", "Über"}), rapid.ID).Draw(rt, "entities")
			ids = append(ids, one.Placements[0].ID)
			b = join(b, one)
		}
		uses := []index.Use{{ID: ids[0], Session: "s", At: noon}}
		for i, noInMemory := range []bool{false, true, false} {
			db := must.Get(indextest.TryOpen(t, filepath.Join(dir, fmt.Sprint(n, i), "tiered.db"), index.Options{NoInMemory: noInMemory}))(rt)
			defer db.Close()
			loadIf := func(when int) error {
				if i != when {
					return nil
				}
				return db.Load(t.Context())
			}
			must.Do(rt, errors.Join(loadIf(0), db.Apply(t.Context(), noon, b), db.AddUses(t.Context(), noon, uses), loadIf(2)))
			dbs = append(dbs, db)
		}
		for range 20 {
			p := predicate(rt)
			var shown [3][]memory.Memory
			for i, db := range dbs {
				var err error
				if shown[i], err = db.Visible(t.Context(), ids, p); err != nil {
					rt.Fatal(err)
				}
				for k := range shown[i] {
					shown[i][k].Sketch = 0 // the tables have none
				}
			}
			for i, how := range []string{0: "in memory", 2: "loaded later"} {
				if len(shown[i])+len(shown[1]) > 0 && !reflect.DeepEqual(shown[i], shown[1]) {
					rt.Fatalf("filter %+v passes\n%+v %s,\n%+v from the tables", p, shown[i], how, shown[1])
				}
			}
			checkLeftOut(t, rt, dbs, ids, p, len(shown[1]))
		}
	})
}

// checkLeftOut compares the count of what the dates of a predicate leave out with two
// lists: with its dates it passes shown memories.
func checkLeftOut(t *testing.T, rt *rapid.T, dbs []*index.DB, ids []memory.ID, p memory.Predicate, shown int) {
	undated := p
	undated.Since, undated.Until, undated.AsOf = time.Time{}, time.Time{}, time.Time{}
	if !p.AsOf.IsZero() {
		undated.Now = p.AsOf
	}
	all := must.Get(dbs[1].Visible(t.Context(), ids, undated))(rt)
	for i, db := range dbs {
		if n, err := db.LeftOutByDate(t.Context(), p); err != nil || n != len(all)-shown {
			rt.Fatalf("database %d: the dates of %+v leave out %d, want %d (%v)", i, p, n, len(all)-shown, err)
		}
	}
}

// predicate draws a predicate with few conditions: one with many passes nothing.
func predicate(t *rapid.T) (p memory.Predicate) {
	for range rapid.IntRange(0, 3).Draw(t, "conditions") {
		switch rapid.IntRange(0, 15).Draw(t, "condition") {
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
			p.Archive, p.Pinned, p.TextOnly = rapid.Bool().Draw(t, "archive"), rapid.Bool().Draw(t, "pinned"), rapid.Bool().Draw(t, "text only")
		case 10:
			p.Model, p.Pushed = true, true
			p.Now = rapid.SampledFrom([]time.Time{{}, noon, noon.AddDate(-1, 0, 0), noon.AddDate(3, 0, 0)}).Draw(t, "now")
		case 11:
			p.Forgotten = rapid.SampledFrom([]memory.Inclusion{memory.Include, memory.Only}).Draw(t, "forgotten")
		case 12:
			p.Missing = rapid.SampledFrom([]memory.Inclusion{memory.Include, memory.Only}).Draw(t, "missing")
		case 13:
			p.ExpiredBy = rapid.SampledFrom([]time.Time{noon, noon.Add(-time.Hour), noon.AddDate(3, 0, 0)}).Draw(t, "expired by")
		case 14:
			p.UnusedFrom = rapid.SampledFrom([]time.Time{noon, noon.Add(-time.Hour), noon.AddDate(3, 0, 0)}).Draw(t, "unused from")
		case 15:
			p.Users = rapid.SampledFrom([][]string{{""}, {"", "lena"}, {"ben", "slack:B"}}).Draw(t, "users")
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
		User:            rapid.SampledFrom([]string{"", "lena", "ben", "slack:B"}).Draw(t, "user"),
		ImportanceLabel: rapid.SampledFrom(memory.ImportanceLabels).Draw(t, "label"),
		Importance:      &importance, SourceRef: rapid.SampledFrom([]string{"", "a mail"}).Draw(t, "ref"),
		Created: times.Draw(t, "created"), Expires: times.Draw(t, "expires"),
		Tags:   rapid.SliceOfDistinct(rapid.SampledFrom([]string{"red", "RED", "Über"}), rapid.ID).Draw(t, "tags"),
		Pinned: yes("pinned"), Forgotten: yes("forgotten"), Private: yes("private"),
	}
}
