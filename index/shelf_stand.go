package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// stand says of the k memories of the best context, and of those that were found
// besides, how they stand to the query: the best context first, and last, as they
// were found, those without any.
func (s *shelf) stand(a *asked, lets func(int32) bool) []memory.Signals {
	c := pool.Get().(*scores)
	defer pool.Put(c)
	defer c.end()
	c.begin(len(s.memories), len(s.blocks), len(a.sights))
	defer s.empty(c, a)
	s.fill(c, a)
	if len(a.p.IDs) == 0 {
		for _, at := range s.inContext(c, a.k, lets) {
			c.mark(at)
		}
	}
	for _, id := range a.p.IDs {
		if at, known := s.slots[id]; known && lets(at) {
			c.mark(at)
		}
	}
	for _, at := range a.also {
		if lets(at) {
			c.mark(at)
		}
	}
	s.describe(c, a)
	said := make([]memory.Signals, len(c.marked))
	for i, at := range c.marked {
		said[i] = s.said(a, &c.details[i], at)
		s.compare(a, &said[i], at)
	}
	slices.SortStableFunc(said, byContext)
	if len(a.p.IDs) > 0 {
		said = s.onlyBest(said, a)
	}
	return said
}

func byContext(x, y memory.Signals) int {
	switch {
	case x.Context != y.Context:
		return cmp.Compare(y.Context, x.Context)
	case x.Context == 0:
		return 0
	}
	return strings.Compare(string(x.ID), string(y.ID))
}

// onlyBest leaves, of what a predicate names one by one, the k of the best
// context, and those asked about besides.
func (s *shelf) onlyBest(said []memory.Signals, a *asked) []memory.Signals {
	n := 0
	return slices.DeleteFunc(said, func(one memory.Signals) bool {
		if one.Context > 0 {
			n++
		}
		return (one.Context == 0 || n > a.k) && !slices.Contains(a.also, s.slots[one.ID])
	})
}

// said is what the words say of a memory, and its own signs.
func (s *shelf) said(a *asked, d *detail, at int32) memory.Signals {
	m := &s.memories[at]
	out := memory.Signals{Candidate: memory.Candidate{ID: m.id, Raw: float64(d.own)}, Context: float64(d.context),
		Speaker: firstName(m.speaker), AfterQuestion: m.prev != none && s.memories[m.prev].asks}
	if a.total > 0 {
		out.Score = calibrate(out.Raw, float64(d.share)/a.total)
		out.Coverage = float64(d.covered) / a.total
	}
	return out
}

// firstName is how people call a speaker.
func firstName(speaker string) string {
	first, _, _ := strings.Cut(strings.ToLower(speaker), " ")
	return first
}

// quicken makes the query's vector one that can be compared, where it is of the
// model whose vectors stand on the shelf.
func (s *shelf) quicken(a *asked) {
	if len(a.Vector) == s.dim && (a.Model == "" || a.Model == s.model) {
		a.quick = quantise(a.Vector, s.dim)
	}
}

// compare adds what the vectors say of a memory, where they can be compared.
func (s *shelf) compare(a *asked, to *memory.Signals, at int32) {
	if len(a.quick.steps) > 0 {
		to.MeanCosine, to.Cosine = a.usual, s.cosine(at, a.quick)
		to.NeighbourCosine = s.nearCosine(at, a.quick, to.Cosine, a.p.Forgotten)
	}
}
