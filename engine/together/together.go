// Package together lets several indexes answer one question, as if they were one: with one
// scale of scores, one order and one budget. It is a [recall.Source] over others, so that
// there is no second recall.
//
// What one index hides, no other one shows. A text that is forgotten or private in one of
// them is left out by its wording. Clients and documents repeat texts among others, and so a memory of
// theirs is left out that repeats a part. Those of a team are left out as copies alone.
package together

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Index is what the package needs of an index.
type Index interface {
	recall.Source
	// Frequencies returns how often the terms of a query are in the index.
	Frequencies(ctx context.Context, q memory.Query, p memory.Predicate) (memory.Frequencies, error)
	// Hidden returns what a view leaves out of every string.
	Hidden(ctx context.Context, v memory.View) (*index.Hidden, error)
	// Files returns the indexed files.
	Files(ctx context.Context, paths ...string) ([]memory.FileState, error)
}

// Part is one of the indexes.
type Part struct {
	Index
	Workspace string
	Project   string   // the project of its memories, if it is another one than the question's
	Given     []string // files that are before the model already
	Team      bool     // its memories are those of a team
	Documents bool     // its memories are passages of documents
	Pushed    bool     // they may be put before a prompt
}

// Source asks its parts for the answer to one question. Of a text that several parts have, it
// takes the memory that answers best, or else that of the first part.
type Source struct {
	parts  []Part
	hiding []Part // they do not answer, and what they hide no part shows

	mu     sync.Mutex
	owners map[memory.ID]owner
}

// owner is the part that a memory is from.
type owner struct {
	part    int
	context float64 // how well the memory answers there: see memory.Signals
}

// Names returns what the names of a question are read from: the parts, or the only index.
func (s *Source) Names(only *index.DB) (all []lookup.NamesSource) {
	if s == nil {
		return []lookup.NamesSource{only}
	}
	for _, part := range s.parts {
		all = append(all, part)
	}
	return all
}

// New returns a source for one question. The order of the parts is that in which they are
// preferred. What the indexes in hiding hide is hidden too.
func New(parts []Part, hiding ...Part) *Source {
	return &Source{parts: parts, hiding: hiding, owners: map[memory.ID]owner{}}
}

// NoDocuments returns the error of a search for documents if there are none.
func NoDocuments() error {
	return &memory.Error{Kind: memory.ErrNotFound, Field: "docs", Message: "there is no folder of documents that can be read",
		Hint: "memory workspace list shows the registered ones; memory workspace add --docs DIR registers one"}
}

// Documents returns the source of a question to the documents of a named workspace, or else to
// all. With pushed, only documents answer that may be put before a prompt. They do not show what
// any other workspace hides. It is nil if there are none.
func Documents(all []Part, name string, pushed bool) *Source {
	var parts []Part
	var hiding []Part
	named := slices.ContainsFunc(all, func(p Part) bool { return p.Documents && p.Workspace == name })
	for _, p := range all {
		if p.Documents && (p.Workspace == name || !named) && (p.Pushed || !pushed) {
			parts = append(parts, p)
		} else {
			hiding = append(hiding, p)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return New(parts, hiding...)
}

// First returns the workspace of the first part.
func (s *Source) First() string { return s.parts[0].Workspace }

// Owner returns the workspace that a memory of an answer is from.
func (s *Source) Owner(id memory.ID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parts[s.owners[id].part].Workspace
}

// found is a result of a part.
type found[T any] struct {
	part    int
	result  T
	id      memory.ID
	context float64
}

// ownOnly decides which part each result is from, and drops those of the other parts.
func ownOnly[T any](s *Source, all []found[T]) (own []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range all {
		if o, known := s.owners[f.id]; !known || f.context > o.context || f.context == o.context && f.part < o.part {
			s.owners[f.id] = owner{f.part, f.context}
		}
	}
	seen := map[memory.ID]bool{}
	for _, f := range all {
		if s.owners[f.id].part == f.part && !seen[f.id] {
			seen[f.id] = true
			own = append(own, f.result)
		}
	}
	return own
}

// candidatesOf returns the candidates of a part.
func candidatesOf(part int, all []memory.Candidate) (results []found[memory.Candidate]) {
	for _, c := range all {
		results = append(results, found[memory.Candidate]{part: part, result: c, id: c.ID})
	}
	return results
}

// byOwner divides ids by the part that they are from.
func (s *Source) byOwner(ids []memory.ID) map[int][]memory.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := map[int][]memory.ID{}
	for _, id := range ids {
		part := s.owners[id].part
		of[part] = append(of[part], id)
	}
	return of
}

// ask calls a function for the query of each part: one that knows how often its terms are in
// the others.
func (s *Source) ask(ctx context.Context, q memory.Query, p memory.Predicate, search func(part int, q memory.Query, share float64) error) error {
	each, all := make([]memory.Frequencies, len(s.parts)), memory.Frequencies{}
	for i, part := range s.parts {
		var err error
		if each[i], err = part.Frequencies(ctx, q, p); err != nil {
			return err
		}
		all = plus(all, each[i])
	}
	for i := range s.parts {
		q.Others = memory.Frequencies{}
		for j := range s.parts {
			if j != i {
				q.Others = plus(q.Others, each[j])
			}
		}
		if err := search(i, q, each[i].Chunks/max(1, all.Chunks)); err != nil {
			return err
		}
	}
	return nil
}

// plus returns the frequencies of two indexes together.
func plus(a, b memory.Frequencies) memory.Frequencies {
	sum := memory.Frequencies{Chunks: a.Chunks + b.Chunks}
	for _, f := range []memory.Frequencies{a, b} {
		for term, docFreq := range f.DocFreq {
			if term == len(sum.DocFreq) {
				sum.DocFreq = append(sum.DocFreq, nil)
			}
			for variant, n := range docFreq {
				if variant == len(sum.DocFreq[term]) {
					sum.DocFreq[term] = append(sum.DocFreq[term], 0)
				}
				sum.DocFreq[term][variant] += n
			}
		}
	}
	return sum
}

// Search is that of [recall.Source].
func (s *Source) Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (all memory.SearchResult, err error) {
	var signals []found[memory.Signals]
	var near []found[memory.Candidate]
	mean, hasVectors := 0.0, false
	err = s.ask(ctx, q, p, func(i int, q memory.Query, share float64) error {
		in, err := s.parts[i].Search(ctx, q, p, k, nearest)
		if len(in.Signals) > 0 {
			mean += share * in.Signals[0].MeanCosine
		}
		for _, x := range in.Signals {
			signals = append(signals, found[memory.Signals]{i, x, x.ID, x.Context})
		}
		near = append(near, candidatesOf(i, in.Nearest)...)
		hasVectors = hasVectors || in.VectorError == nil
		all.VectorError = cmp.Or(all.VectorError, in.VectorError)
		return err
	})
	if hasVectors {
		all.VectorError = nil
	}
	all.Signals = ownOnly(s, signals)
	for i := range all.Signals {
		all.Signals[i].MeanCosine = mean
	}
	slices.SortStableFunc(all.Signals, func(a, b memory.Signals) int { return cmp.Compare(b.Context, a.Context) })
	all.Nearest = best(ownOnly(s, near), k)
	return all, err
}

// best returns the k best candidates, best first.
func best(found []memory.Candidate, k int) []memory.Candidate {
	slices.SortStableFunc(found, func(a, b memory.Candidate) int { return cmp.Compare(b.Raw, a.Raw) })
	return found[:min(k, len(found))]
}

// Ask returns a recaller that asks the source; nil asks what the recaller asks anyway.
func (s *Source) Ask(r *recall.Recaller) *recall.Recaller {
	if s == nil {
		return r
	}
	return r.With(s)
}
