package memory

import "strings"

// Signals are the features of a memory for a query. The ranking is a weighted sum
// of them. The neighbours of a memory are the memories before and after it under
// the same heading of the same file.
type Signals struct {
	Candidate // Raw: BM25 of its own words; Score: Raw calibrated to 0 to 1

	// Context is a sum over the query's terms. Each term counts with its best BM25
	// in this memory or in a neighbour, where a larger distance reduces it.
	Context float64

	// Coverage is the share of the query's terms, weighted by their inverse document
	// frequency, that this memory or a neighbour contains. A larger distance
	// reduces the share of a term.
	Coverage float64

	Cosine          float64 // with the query's vector; 0 without a vector
	NeighbourCosine float64 // the largest cosine of two neighbours on each side; an absent neighbour has 0

	// MeanCosine is the mean cosine of the whole workspace with the query, the same
	// for every memory. Where it is large, a large Cosine means little.
	MeanCosine float64

	// RestLift is how far the cosine with the rest of the query, without its names, is above
	// the mean of the whole workspace. It is 0 without a vector of the rest.
	RestLift float64

	// Section tells how well the words of the query match everything under the same
	// heading, from 0 to 1. It is 0 unless the query wants it, and in answers from the
	// tables.
	Section float64

	Speaker       string // first name of the speaker in lower case; empty without a speaker
	AfterQuestion bool   // the previous memory ends with a question mark
}

// SearchResult contains the candidates of a query by words and by vector, with
// their signals.
type SearchResult struct {
	Signals     []Signals   // best Context first
	Nearest     []Candidate // by cosine, best first
	VectorError error       // why there was no vector search
}

// IsQuestion reports whether a text ends with a question mark. A remark in square
// brackets after it is ignored.
func IsQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "]") {
		if open := strings.LastIndexByte(text, '['); open > 0 {
			text = strings.TrimSpace(text[:open])
		}
	}
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}
