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

	chunks, tokens float64 // of the hidden documents, if counted
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

// hiddenFrom returns the documents that do not exist for a predicate.
func (x *Index) hiddenFrom(p *memory.Predicate) hidden {
	h := hidden{attributeIDs: x.attributeIDs, docs: x.docs, endBy: endBy(p)}
	for n, a := range x.attributeSets {
		if a == nil {
			continue
		}
		if c := a.hiddenFrom(p); c != hidesNone {
			if h.attributes == nil {
				h.attributes = make([]concealing, len(x.attributeSets))
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
// What has merely aged or was superseded is no secret. What has expired was meant for
// models until then.
func (a *attributes) hiddenFrom(p *memory.Predicate) concealing {
	switch {
	case p.Forgotten == memory.Exclude && a.forgotten, !a.belongsTo(p.Users), p.Injectable && a.isWithheld():
		return hidesAll
	case p.Injectable && a.expires:
		return hidesExpired
	}
	return hidesNone
}

// maxCounted is the number of chunks up to which the hidden ones are counted. The
// frequency of a more frequent word is estimated: counting would take too long.
const maxCounted = 1000

// visibleDocFreq returns the document frequency of a token without hidden documents.
func (x *Index) visibleDocFreq(token int32, h hidden) int32 {
	n := x.docFreq[token]
	switch {
	case h.attributes == nil:
		return n
	case n > maxCounted:
		return int32(float64(n) * (1 - h.chunks/max(1, float64(x.chunkCount))))
	}
	return n - x.countHidden(x.postings[token], h)
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
