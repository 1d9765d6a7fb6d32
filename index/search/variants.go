package search

import (
	"math"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/index/text"
)

// variant is one way to find a term: the term itself or an expansion.
type variant struct {
	postings []posting // some may be of removed chunks
	weight   float64   // 1 for the term itself
	docFreq  float64   // chunks of the whole index that contain it
}

// variantsOf returns the term itself, and its expansions.
func (x *Index) variantsOf(t *text.Term, h hidden) []variant {
	postings, docFreq := x.postingsOf(t, h)
	all := append(make([]variant, 0, 1+len(t.Expansions)), variant{postings, 1, float64(docFreq)})
	for _, e := range t.Expansions {
		v := variant{weight: e.Weight}
		if token, known := x.ids[e.Token]; known && x.docFreq[token] > 0 {
			v.postings, v.docFreq = x.visiblePostings(token, h)
		}
		all = append(all, v)
	}
	return all
}

// visiblePostings returns the postings of a token, some of which may be hidden, and its
// document frequency without these. A token of hidden documents alone has none: to walk
// through them would take time, and tell that they have it.
func (x *Index) visiblePostings(token int32, h hidden) (postings []posting, docFreq float64) {
	n := x.visibleDocFreq(token, h)
	if n == 0 {
		return nil, 0
	}
	return x.postings[token], float64(n)
}

// rarest returns the document frequency of the rarest token of a term: no more chunks can
// contain all of them.
func (x *Index) rarest(t *text.Term, s *Stats, h hidden) (docFreq float64) {
	docFreq = s.Chunks
	for _, token := range t.Tokens {
		n := 0.0
		if id, known := x.ids[token]; known {
			n = float64(x.visibleDocFreq(id, h))
		}
		docFreq = min(docFreq, n)
	}
	return docFreq
}

// postingsOf returns the postings of a term, some of which may be of removed chunks or
// hidden documents, and its document frequency without these.
func (x *Index) postingsOf(t *text.Term, h hidden) (found []posting, docFreq int32) {
	if len(t.Tokens) == 1 && !t.Prefix && !t.PartsOnly {
		if token, known := x.ids[t.Tokens[0]]; known {
			postings, n := x.visiblePostings(token, h)
			return postings, int32(n)
		}
		return nil, 0
	}
	for _, c := range x.chunksWithRarest(t) {
		p := posting{chunk: c}
		for column, n := range x.phraseFreq(c, t) {
			if n > 0 && (!t.PartsOnly || column == columnCount-1) {
				p.add(posting{tf: columnWeights[column] * min(n, 255), inText: column != contextColumn})
			}
		}
		if p.tf > 0 {
			found = append(found, p)
		}
	}
	return found, int32(len(found)) - x.countHidden(found, h)
}

// chunksWithRarest returns the chunks that contain the rarest token of a term. It
// uses a last token that may be a prefix only if there is no other.
func (x *Index) chunksWithRarest(t *text.Term) []int32 {
	var lists [][]posting
	fewest := math.MaxInt
	last := len(t.Tokens) - 1
	for i, token := range t.Tokens {
		if i == last && t.Prefix {
			if last == 0 {
				lists = x.postingsByPrefix(token)
			}
			break
		}
		id, known := x.ids[token]
		if !known {
			return nil
		}
		if list := x.postings[id]; len(list) < fewest {
			fewest, lists = len(list), [][]posting{list}
		}
	}
	var chunks []int32
	for _, list := range lists {
		for _, p := range list {
			if x.chunkDoc[p.chunk] != none {
				chunks = append(chunks, p.chunk)
			}
		}
	}
	slices.Sort(chunks)
	return slices.Compact(chunks)
}

func (x *Index) postingsByPrefix(prefix string) (lists [][]posting) {
	for id, token := range x.tokens {
		if x.docFreq[id] > 0 && strings.HasPrefix(token, prefix) {
			lists = append(lists, x.postings[id])
		}
	}
	return lists
}

// phraseFreq counts in each column of a chunk how often the tokens of a term follow
// one another.
func (x *Index) phraseFreq(c int32, t *text.Term) (n [columnCount]uint16) {
	column, tokens := 0, x.chunkTokens[c]
	for i, token := range tokens {
		if token == none {
			column++
			continue
		}
		if x.startsWith(tokens[i:], t) && n[column] < math.MaxUint16 {
			n[column]++
		}
	}
	return n
}

// startsWith reports whether a list of tokens starts with those of a term.
func (x *Index) startsWith(tokens []int32, t *text.Term) bool {
	if len(tokens) < len(t.Tokens) {
		return false
	}
	for i, want := range t.Tokens {
		if tokens[i] == none {
			return false
		}
		have := x.tokens[tokens[i]]
		if have != want && !(t.Prefix && i == len(t.Tokens)-1 && strings.HasPrefix(have, want)) {
			return false
		}
	}
	return true
}
