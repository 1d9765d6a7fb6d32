package search

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory"
)

// hidden tells which documents do not exist for a query: their words count for no
// neighbour, and in no frequency, number or mean. Otherwise a search for a guessed word
// would show whether a hidden document contains it. The zero value hides none.
type hidden struct {
	attributeIDs []int32      // by document
	attributes   []concealing // by their number; nil: no document is hidden
	docs         []doc
	endBy        millis // documents that expire by then have expired; 0: all that expire

	chunks, tokens float64         // of the hidden documents, if counted
	docFreqs       map[int32]int32 // by token, of the other documents, as far as counted
}

// concealing tells which documents with the same attributes are hidden.
type concealing uint8

const (
	hidesNone concealing = iota
	hidesExpired
	hidesAll
)

// has reports whether a document is hidden.
func (h hidden) has(d int32) bool {
	if h.attributes == nil {
		return false
	}
	switch h.attributes[h.attributeIDs[d]] {
	case hidesAll:
		return true
	case hidesExpired:
		expires := h.docs[d].expiresAt
		return expires != 0 && (h.endBy == 0 || expires <= h.endBy)
	}
	return false
}

// hasChunk reports whether a chunk is of a hidden document.
func (h hidden) hasChunk(x *Index, c int32) bool {
	return h.attributes != nil && x.chunkDoc[c] != none && h.has(x.chunkDoc[c])
}

// hiddenFrom returns the documents that do not exist for a predicate.
func (x *Index) hiddenFrom(p *memory.Predicate) hidden {
	h, state := hidden{attributeIDs: x.attributeIDs, docs: x.docs, endBy: endBy(p)}, memory.Memory{}
	for n, a := range x.attributeSets {
		if a == nil {
			continue
		}
		a.setState(&state)
		if c := a.hiddenFrom(p, &state); c != hidesNone {
			if h.attributes == nil {
				h.attributes, h.docFreqs = make([]concealing, len(x.attributeSets)), map[int32]int32{}
			}
			h.attributes[n] = c
		}
	}
	return h
}

// counted adds how many chunks and tokens the hidden documents have.
func (h hidden) counted(x *Index) hidden {
	if h.attributes == nil {
		return h
	}
	for c, d := range x.chunkDoc {
		if d != none && h.has(d) {
			h.chunks++
			h.tokens += float64(x.chunkLen[c])
		}
	}
	return h
}

// hiddenFrom returns which documents with these attributes do not exist for a predicate.
func (a *attributes) hiddenFrom(p *memory.Predicate, state *memory.Memory) concealing {
	switch {
	case p.Conceals(state):
		return hidesAll
	case p.Model && a.expires:
		return hidesExpired
	}
	return hidesNone
}

// visibleDocFreq returns the document frequency of a token without hidden documents. It
// counts them once for a query.
func (x *Index) visibleDocFreq(token int32, h hidden) int32 {
	if h.attributes == nil {
		return x.docFreq[token]
	}
	n, known := h.docFreqs[token]
	if !known {
		n = x.docFreq[token] - x.countHidden(x.postings[token], h)
		h.docFreqs[token] = n
	}
	return n
}

// countHidden counts the postings of hidden documents.
func (x *Index) countHidden(postings []posting, h hidden) (n int32) {
	if h.attributes == nil {
		return 0
	}
	for _, p := range postings {
		if d := x.chunkDoc[p.chunk]; d != none && h.has(d) {
			n++
		}
	}
	return n
}

// Words is the vocabulary of the documents that exist for a query: a
// [text.Vocabulary].
type Words struct {
	x      *Index
	hidden hidden
}

// Words returns the vocabulary of the documents that exist for a filter.
func (x *Index) Words(f Filter) Words { return Words{x, f.hidden} }

// Contains reports whether any chunk contains a token.
func (w Words) Contains(_ context.Context, token string) (bool, error) {
	id, known := w.x.ids[token]
	return known && w.x.visibleDocFreq(id, w.hidden) > 0, nil
}

// EachWithPrefix calls yield for each token with a prefix, with its document
// frequency. It includes those of hidden documents.
func (w Words) EachWithPrefix(_ context.Context, prefix string, yield func(string, int)) error {
	for id, token := range w.x.tokens {
		if w.x.docFreq[id] > 0 && strings.HasPrefix(token, prefix) {
			yield(token, int(w.x.docFreq[id]))
		}
	}
	return nil
}
