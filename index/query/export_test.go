package query

// For tests that ask FTS5 itself.
var (
	MatchAny = matchAny
	BM25     = bm25
)
