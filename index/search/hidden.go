package search

import (
	"context"
	"strings"

	"github.com/memory-tiered/memory"
)

// hidden tells which documents do not exist for a query: their words count for no
// neighbour, and in no frequency. Otherwise a search for a guessed word would show
// whether a hidden document contains it. The zero value hides none.
type hidden struct {
	attributeIDs []int32 // by document
	attributes   []bool  // by their number; nil: no document is hidden
}

// has reports whether a document is hidden.
func (h hidden) has(d int32) bool { return h.attributes != nil && h.attributes[h.attributeIDs[d]] }

// hiddenFrom returns the documents that do not exist for a predicate.
func (x *Index) hiddenFrom(p *memory.Predicate) hidden {
	h := hidden{attributeIDs: x.attributeIDs}
	for n, a := range x.attributeSets {
		if a != nil && a.hiddenFrom(p) {
			if h.attributes == nil {
				h.attributes = make([]bool, len(x.attributeSets))
			}
			h.attributes[n] = true
		}
	}
	return h
}

// hiddenFrom reports whether documents with these attributes do not exist for a
// predicate. What has merely aged or ended is no secret.
func (a *attributes) hiddenFrom(p *memory.Predicate) bool {
	return p.Forgotten == memory.Exclude && a.forgotten || !a.belongsTo(p.Users) || p.Injectable && a.isWithheld()
}

// maxCounted is the number of chunks up to which the hidden ones are counted. What a
// few of them change in the weight of a more frequent word shows nothing.
const maxCounted = 1000

// visibleDocFreq returns the document frequency of a token without hidden documents.
func (x *Index) visibleDocFreq(token int32, h hidden) int32 {
	n := x.docFreq[token]
	if h.attributes == nil || n > maxCounted {
		return n
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
