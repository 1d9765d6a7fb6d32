package search_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/text"
)

const model, dim = "test", 8

// document is a memory of one chunk for each text.
func document(id, path string, ordinal int, texts ...string) search.Document {
	d := search.Document{Memory: memory.Memory{ID: memory.ID(id), Path: path, Text: strings.Join(texts, " "), Heading: []string{"heading"}},
		Ordinal: ordinal, ContentHash: [32]byte{1, byte(len(texts)), byte(len(texts[0]))}}
	for _, s := range texts {
		d.Chunks = append(d.Chunks, search.Chunk{ChunkText: search.ChunkText{Text: s}, Vector: vector(s)})
	}
	return d
}

// vector counts the letters of a text, in unit length. Texts of equal letters have
// equal vectors.
func vector(s string) []float32 {
	v, sum := make([]float32, dim), 0.0
	for _, r := range s {
		v[int(r)%dim]++
	}
	for _, n := range v {
		sum += float64(n * n)
	}
	for i := range v {
		v[i] /= float32(max(1, sum))
	}
	return v
}

func newIndex(docs ...search.Document) *search.Index {
	x := search.New(model, dim)
	x.Prepare(docs)
	x.Replace(nil, docs)
	return x
}

func find(x *search.Index, words string, p memory.Predicate, k int) []memory.Signals {
	var terms []memory.Term
	for word := range strings.FieldsSeq(words) {
		terms = append(terms, memory.Term{Text: word})
	}
	return x.Search(search.Query{Terms: text.CompileTerms(terms), K: k, Vector: vector(words), Nearest: true}, x.Compile(p)).Signals
}

func ids(signals []memory.Signals) (ids string) {
	for _, s := range signals {
		ids += string(s.ID)
	}
	return ids
}

func TestNeighboursUnderOneHeadingCountForEachOther(t *testing.T) {
	other := document("d", "a.md", 3, "gravel")
	other.Memory.Heading = []string{"another"}
	x := newIndex(document("a", "a.md", 0, "harbour"), document("b", "a.md", 1, "tide"), document("c", "a.md", 2, "lamp"), other)
	want := map[memory.ID]float64{"a": 1, "b": 0.6, "c": 0.5, "d": 0}
	for _, s := range find(x, "harbour", memory.Predicate{}, 9) {
		if diff := s.Coverage - want[s.ID]; diff > 1e-6 || diff < -1e-6 {
			t.Errorf("%s covers %v of the query, want %v", s.ID, s.Coverage, want[s.ID])
		}
	}
}

func TestReplaceAddsChangesAndRemoves(t *testing.T) {
	x := newIndex(document("a", "a.md", 0, "harbour"), document("b", "a.md", 1, "tide"), document("c", "b.md", 0, "lamp"))
	docs := []search.Document{document("b", "a.md", 0, "gravel", "tide"), document("d", "b.md", 1, "harbour")}
	x.Prepare(docs)
	x.Replace([]memory.ID{"a", "b", "d"}, docs)
	for words, want := range map[string]string{"harbour": "d", "gravel": "b", "tide": "b", "lamp": "c"} {
		found := find(x, words, memory.Predicate{}, 9)
		if best := ids(found[:1]); best != want {
			t.Errorf("%s finds %s first, want %s", words, best, want)
		}
	}
	if _, complete := x.AppendDocuments(nil, []memory.ID{"a"}, x.Compile(memory.Predicate{})); complete {
		t.Error("the index still has a removed memory")
	}
}

func TestFilterRestrictsAnswers(t *testing.T) {
	forgotten := document("b", "a.md", 1, "harbour tide")
	forgotten.Memory.Forgotten = true
	x := newIndex(document("a", "a.md", 0, "harbour"), forgotten, document("c", "b.md", 0, "harbour lamp"))
	for _, c := range []struct {
		p    memory.Predicate
		want string
	}{
		{memory.Predicate{}, "ac"},
		{memory.Predicate{Forgotten: memory.Include}, "abc"},
		{memory.Predicate{Forgotten: memory.Only}, "b"},
		{memory.Predicate{Path: "b.md"}, "c"},
		{memory.Predicate{IDs: []memory.ID{"c", "b", "unknown"}}, "c"},
		{memory.Predicate{Missing: memory.Only}, ""},
	} {
		letters := strings.Split(ids(find(x, "harbour", c.p, 9)), "")
		slices.Sort(letters)
		if got := strings.Join(letters, ""); got != c.want {
			t.Errorf("%+v passes %q, want %q", c.p, got, c.want)
		}
	}
}

func TestTopByScore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		scores := make([]float32, 1+r.IntN(100))
		all := make([]int32, len(scores))
		for i := range scores {
			scores[i], all[i] = float32(r.IntN(20)), int32(i)
		}
		byNumber := func(a, b int32) int { return cmp.Compare(a, b) }
		want := slices.Clone(all)
		slices.SortFunc(want, func(a, b int32) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
		n := 1 + r.IntN(len(scores)+5)
		if got := search.TopByScore(all, n, scores, byNumber); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("the top %d of %v are %v, want %v", n, scores, got, want[:min(n, len(want))])
		}
	}
}

// New vectors of a memory take as much work in a large file as in a small one: its
// neighbours stay as they are.
func TestNewVectorsLeaveTheFileAsItIs(t *testing.T) {
	allocations := func(size int) float64 {
		docs := make([]search.Document, size)
		for i := range docs {
			docs[i] = document(fmt.Sprint("m", i), "a.md", i, fmt.Sprint("harbour", i))
		}
		x := newIndex(docs...)
		least := math.Inf(1) // of five: the count includes other goroutines
		for range 5 {
			least = min(least, testing.AllocsPerRun(1, func() {
				some := []search.Document{document("m7", "a.md", 7, "harbour7"), document("m9", "a.md", 9, "harbour9")}
				x.Prepare(some)
				x.Replace([]memory.ID{"m7", "m9"}, some)
			}))
		}
		return least
	}
	if small, large := allocations(100), allocations(10_000); large > small+5 {
		t.Errorf("%v allocations in a file of 100 memories, %v in one of 10,000", small, large)
	}
}
