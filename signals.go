package memory

import "strings"

// Signals say how a memory stands to a query, and those round it: its
// neighbours are the memories before and after it under the same heading of the
// same file. Who ranks adds them up; none is text.
type Signals struct {
	Candidate // Raw: BM25 of its own words; Score: how much of the query they answer, 0 to 1

	// Context is the sum over the query's terms of the best BM25 that the term
	// has here or, worth less with the distance, at a neighbour.
	Context float64

	// Coverage is the share of the query, each term weighed by how rare it is, that
	// stands here or, worth less with the distance, at a neighbour.
	Coverage float64

	Cosine          float64 // with the query's vector; 0 where there is none
	NeighbourCosine float64 // the largest of the two neighbours' on each side; one that is not there counts as 0

	// MeanCosine is the mean of everything's in the workspace: of a query that all
	// of it is near to, a large cosine says little. It is the same for every memory.
	MeanCosine float64

	Speaker       string // who says it, in lower case and by the first name; empty where nobody is named
	AfterQuestion bool   // the memory before it ends with a question mark
}

// SearchResult is what a query finds by its words and by its vector, and how all of
// it stands to the query.
type SearchResult struct {
	Signals     []Signals   // the best context first
	Nearest     []Candidate // by the vector, best first
	VectorError error       // why nothing was looked for by it
}

// IsQuestion says whether a text ends with a question, whatever remark in brackets
// follows it.
func IsQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "]") {
		if open := strings.LastIndexByte(text, '['); open > 0 {
			text = strings.TrimSpace(text[:open])
		}
	}
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}
