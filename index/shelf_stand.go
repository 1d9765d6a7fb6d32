package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// search says of the k memories of the best context, and of those that were found
// besides, how they stand to the query: the best context first, and last, as they
// were found, those without any.
func (x *searchIndex) search(a *searchQuery, lets func(int32) bool) []memory.Signals {
	c := accumulators.Get().(*accumulator)
	defer accumulators.Put(c)
	defer c.reset()
	c.reserve(len(x.docs), len(x.blocks), len(a.variants))
	defer x.clearTermScores(c, a)
	x.accumulate(c, a)
	if len(a.p.IDs) == 0 {
		for _, at := range x.bestInContext(c, a.k, lets) {
			c.addResult(at)
		}
	}
	for _, id := range a.p.IDs {
		if at, known := x.docIDs[id]; known && lets(at) {
			c.addResult(at)
		}
	}
	for _, at := range a.extraDocs {
		if lets(at) {
			c.addResult(at)
		}
	}
	x.collectDetails(c, a)
	said := make([]memory.Signals, len(c.results))
	for i, at := range c.results {
		said[i] = x.signals(a, &c.details[i], at)
		x.addCosines(a, &said[i], at)
	}
	slices.SortStableFunc(said, byContextScore)
	if len(a.p.IDs) > 0 {
		said = x.trimToBest(said, a)
	}
	return said
}

func byContextScore(x, y memory.Signals) int {
	switch {
	case x.Context != y.Context:
		return cmp.Compare(y.Context, x.Context)
	case x.Context == 0:
		return 0
	}
	return strings.Compare(string(x.ID), string(y.ID))
}

// trimToBest leaves, of what a predicate names one by one, the k of the best
// context, and those asked about besides.
func (x *searchIndex) trimToBest(said []memory.Signals, a *searchQuery) []memory.Signals {
	n := 0
	return slices.DeleteFunc(said, func(one memory.Signals) bool {
		if one.Context > 0 {
			n++
		}
		return (one.Context == 0 || n > a.k) && !slices.Contains(a.extraDocs, x.docIDs[one.ID])
	})
}

// signals is what the words say of a memory, and its own signs.
func (x *searchIndex) signals(a *searchQuery, d *details, at int32) memory.Signals {
	m := &x.docs[at]
	out := memory.Signals{Candidate: memory.Candidate{ID: m.id, Raw: float64(d.bm25)}, Context: float64(d.context),
		Speaker: firstName(m.speaker), AfterQuestion: m.prev != none && x.docs[m.prev].isQuestion}
	if a.total > 0 {
		out.Score = keywordScore(out.Raw, float64(d.ownIDF)/a.total)
		out.Coverage = float64(d.coverage) / a.total
	}
	return out
}

// firstName is how people call a speaker.
func firstName(speaker string) string {
	first, _, _ := strings.Cut(strings.ToLower(speaker), " ")
	return first
}

// quantiseQuery makes the query's vector one that can be compared, where it is of the
// model whose vectors stand on the shelf.
func (x *searchIndex) quantiseQuery(a *searchQuery) {
	if len(a.Vector) == x.dim && (a.Model == "" || a.Model == x.model) {
		a.vector16 = quantise(a.Vector, x.dim)
	}
}

// addCosines adds what the vectors say of a memory, where they can be compared.
func (x *searchIndex) addCosines(a *searchQuery, to *memory.Signals, at int32) {
	if len(a.vector16.steps) > 0 {
		to.MeanCosine, to.Cosine = a.meanCosine, x.cosine(at, a.vector16)
		to.NeighbourCosine = x.neighbourCosine(at, a.vector16, to.Cosine, a.p.Forgotten)
	}
}
