package search

import (
	"math"

	"github.com/memory-tiered/memory"
)

// BM25 as FTS5 computes it: its k1 and b, its idf, and the smallest idf for a term in
// more than half of the chunks.
const (
	k1     = 1.2
	b      = 0.75
	minIDF = 1e-6
)

// Stats are the figures of all documents that exist for a query, which BM25 needs. An index
// that was made for one query gets Chunks and DocFreq from the tables.
type Stats struct {
	Chunks    float64
	DocFreq   [][]float64 // of each term, the term itself first, then its expansions
	AvgLength float64     // tokens in a chunk
	IDF       []float64   // of each term: the share of the query that it is, before division by the sum
}

// DocFreqIn returns how many chunks of other indexes have a term, or one of its expansions from
// 1 on.
func DocFreqIn(others memory.Frequencies, term, variant int) float64 {
	if term >= len(others.DocFreq) || variant >= len(others.DocFreq[term]) {
		return 0
	}
	return others.DocFreq[term][variant]
}

// idf is the inverse document frequency of FTS5.
func (s *Stats) idf(docFreq float64) float64 {
	docFreq = min(docFreq, s.Chunks) // an estimate may be too high
	return max(minIDF, math.Log((s.Chunks-docFreq+0.5)/(docFreq+0.5)))
}

// SmoothedIDF is an inverse document frequency that is never 0, so that in a small
// workspace a word in half of the memories still counts.
func (s *Stats) SmoothedIDF(docFreq float64) float64 {
	docFreq = min(docFreq, s.Chunks)
	return math.Log1p((s.Chunks - docFreq + 0.5) / (docFreq + 0.5))
}

// saturation is how much each further occurrence of a term counts less, by the length
// of the chunk. Term frequencies are in tenths.
type saturation struct{ base, slope float32 }

func (s *Stats) saturation() saturation {
	return saturation{10 * k1 * (1 - b), 10 * k1 * b / float32(max(1, s.AvgLength))}
}

func (s saturation) of(tf, length float32) float32 {
	return tf * (k1 + 1) / (tf + s.base + s.slope*length)
}

// KeywordScore turns BM25 and the answered share of the query into a score from 0
// to 1: share × (0.6 + 0.4 × bm25 / (bm25 + 4)). The share is the idf of the terms
// that were found, divided by that of all terms, unknown ones included. The score
// depends on the query and the chunk alone, never on other candidates, so a query
// that nothing answers has low scores. Half of its terms stay below a half. A BM25
// of 4, where its part is half, is about one rare word.
func KeywordScore(bm25, share float64) float64 {
	return min(1, max(0, share*(0.6+0.4*bm25/(bm25+4))))
}

// partialShare is the share that counts of a term in the context only (a heading, a
// date, a file name). It is also the share of an identifier whose parts only are
// there.
const partialShare = 0.7

// The cosines at or below which a vector scores 0, and at or above which it scores 1.
// Sentence embeddings of unrelated texts have cosines of 0.1 to 0.2, paraphrases more
// than 0.7.
const (
	zeroCosine = 0.15
	fullCosine = 0.75
)

// VectorScore turns a cosine into a score from 0 to 1. It does not depend on other
// candidates.
func VectorScore(cosine float64) float64 {
	return min(1, max(0, (cosine-zeroCosine)/(fullCosine-zeroCosine)))
}
