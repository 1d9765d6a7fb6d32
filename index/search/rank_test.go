package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/text"
)

// A block is skipped if its upper bound is below the scores of the best documents. So no
// document of it may score higher.
func TestUpperBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	sentence := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("w%dx", r.IntN(40))
		}
		return strings.Join(words, " ")
	}
	x, docs := New("", 0), []Document{}
	for i := range 600 {
		m := memory.Memory{ID: memory.ID(fmt.Sprint("m", i)), Text: sentence(1 + r.IntN(6)), Path: "a.md", Heading: []string{fmt.Sprint("h", i/70)}}
		if i%90 == 0 {
			m.Text += strings.Repeat(" gravel", 200) // a long neighbour counts less
		}
		docs = append(docs, Document{Memory: m, Ordinal: i, Chunks: []Chunk{{ChunkText: ChunkText{Text: m.Text}}}})
	}
	x.Prepare(docs)
	x.Replace(nil, docs)
	all, a := x.Compile(memory.Predicate{}), new(accumulator)
	for range 40 {
		var terms []memory.Term
		for _, word := range strings.Fields(sentence(6)) {
			terms = append(terms, memory.Term{Text: word, Expansions: []memory.Expansion{{Text: sentence(1), Weight: 0.5}}})
		}
		q := x.newQuery(&Query{Terms: text.CompileTerms(terms), K: 5}, &all)
		a.reserve(len(x.docs), len(x.blocks), len(q.variants))
		x.accumulate(a, q)
		for number := range x.blocks {
			b := &x.blocks[number]
			for _, d := range b.near[b.from:b.to] {
				found, near := x.contextScore(a, d), a.blockTermBits[number]
				if score, bound := found.score, a.upperBounds[number]; score > bound*(1+1e-6) {
					t.Fatalf("a document scores %v in a block whose upper bound is %v", score, bound)
				}
				a.blockTermBits[number] = ^uint64(0)
				if all := x.contextScore(a, d); found != all {
					t.Fatalf("a document scores %v with the terms near its block, and %v with all terms", found, all)
				}
				a.blockTermBits[number] = near
			}
		}
		x.clearTermScores(a, q)
		a.reset()
	}
}
