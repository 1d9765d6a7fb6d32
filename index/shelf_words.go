package index

import (
	"math"
	"slices"
	"strings"
)

// BM25 as FTS5 has it: its k1 and b, its idf, and for a term that more than half
// of the rows hold its smallest one.
const (
	k1     = 1.2
	b      = 0.75
	minIDF = 1e-6
)

// corpusStats is what BM25 needs to know of the whole index.
type corpusStats struct {
	chunks float64 // chunks there are
	avgLen float64 // tokens in one
}

// idf is FTS5's.
func (c corpusStats) idf(holds float64) float64 {
	return max(minIDF, math.Log((c.chunks-holds+0.5)/(holds+0.5)))
}

// smoothedIDF is idf smoothed, so that in a workspace of a few memories a word that
// half of them have still says something.
func (c corpusStats) smoothedIDF(holds float64) float64 {
	return math.Log1p((c.chunks - holds + 0.5) / (holds + 0.5))
}

// variant is one way in which a term can be found: as it is, or by a word alike.
type variant struct {
	match    string    // as FTS5 is asked for it
	postings []posting // some of which may be gone
	weight   float64   // 1: as it is
	docFreq  float64   // chunks of the whole index that have it
}

// variantsOf finds a term and the words alike.
func (x *searchIndex) variantsOf(l term) []variant {
	posts, holds := x.postingsOf(l)
	all := []variant{{l.match, posts, 1, float64(holds)}}
	for _, a := range l.expansions {
		if id, known := x.ids[a.token]; known && x.docFreq[id] > 0 {
			all = append(all, variant{quote(a.word), x.postings[id], a.weight, float64(x.docFreq[id])})
		}
	}
	return all
}

// setIDF gives each term its inverse document frequency, as [DB.setIDF] does.
func (x *searchIndex) setIDF(terms []term) (total float64) {
	for i := range terms {
		rarest := float64(x.chunkCount)
		for _, t := range terms[i].tokens {
			n := 0.0
			if id, known := x.ids[t]; known {
				n = float64(x.docFreq[id])
			}
			rarest = min(rarest, n)
		}
		terms[i].idf = math.Log(1 + (float64(x.chunkCount)-rarest+0.5)/(rarest+0.5))
		total += terms[i].idf
	}
	return total
}

// postingsOf gives the chunks that hold a term, some of which may be gone, and how many
// there are without these.
func (x *searchIndex) postingsOf(l term) (found []posting, holds int32) {
	parts := strings.HasPrefix(l.match, "parts : ")
	if len(l.tokens) == 1 && !l.prefix && !parts {
		if id, known := x.ids[l.tokens[0]]; known {
			return x.postings[id], x.docFreq[id]
		}
		return nil, 0
	}
	for _, at := range x.chunksWithRarest(l) {
		p := posting{chunk: at}
		for column, n := range x.phraseFreq(at, l) {
			if n > 0 && (!parts || column == columnCount-1) {
				p.add(posting{tf: columnWeights[column] * min(n, 255), inText: column != 1})
			}
		}
		if p.tf > 0 {
			found = append(found, p)
		}
	}
	return found, int32(len(found))
}

// chunksWithRarest lists the chunks that hold the rarest of a term's tokens.
func (x *searchIndex) chunksWithRarest(l term) []int32 {
	var lists [][]posting
	fewest := math.MaxInt
	last := len(l.tokens) - 1
	for i, t := range l.tokens {
		if i == last && l.prefix {
			if last > 0 {
				continue // the others say enough
			}
			lists = x.postingsByPrefix(t)
			break
		}
		id, known := x.ids[t]
		if !known {
			return nil
		}
		if list := x.postings[id]; len(list) < fewest {
			fewest, lists = len(list), [][]posting{list}
		}
	}
	var at []int32
	for _, list := range lists {
		for _, p := range list {
			if x.chunkDoc[p.chunk] != none {
				at = append(at, p.chunk)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// postingsByPrefix gives the lists of the tokens that begin so.
func (x *searchIndex) postingsByPrefix(prefix string) (lists [][]posting) {
	for id, word := range x.tokens {
		if x.docFreq[id] > 0 && strings.HasPrefix(word, prefix) {
			lists = append(lists, x.postings[id])
		}
	}
	return lists
}

// phraseFreq says how often a term's tokens stand one after another in each of a
// chunk's columns.
func (x *searchIndex) phraseFreq(at int32, l term) (n [columnCount]uint16) {
	column, run := 0, x.chunkTokens[at]
	for i, id := range run {
		if id == none {
			column++
			continue
		}
		if x.startsWith(run[i:], l) && n[column] < math.MaxUint16 {
			n[column]++
		}
	}
	return n
}

func (x *searchIndex) startsWith(run []int32, l term) bool {
	if len(run) < len(l.tokens) {
		return false
	}
	for i, t := range l.tokens {
		if run[i] == none {
			return false
		}
		have := x.tokens[run[i]]
		if have != t && !(l.prefix && i == len(l.tokens)-1 && strings.HasPrefix(have, t)) {
			return false
		}
	}
	return true
}
