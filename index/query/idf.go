package query

import (
	"context"
	"sync"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/text"
)

// docFreqs caches in how many chunks each token is, for one revision.
type docFreqs struct {
	mu       sync.Mutex
	revision int64
	chunks   float64
	of       map[string]float64
}

// maxCachedTokens limits the cache: some hundred queries have so many.
const maxCachedTokens = 8192

// termIDFs are the inverse document frequencies of the terms of a query.
type termIDFs struct {
	terms []float64
	sum   float64
}

// termIDFs returns the inverse document frequency of each term. Hidden chunks do not count.
func (s *Searcher) termIDFs(ctx context.Context, terms []text.Term, hidden rowSet) (idf termIDFs, err error) {
	revision, err := s.Revision(ctx)
	if err != nil {
		return idf, err
	}
	c := &s.docFreqs
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || c.revision != revision || len(c.of) > maxCachedTokens {
		if err := s.db.Read().One(ctx, "SELECT count(*) FROM chunks", nil, &c.chunks); err != nil {
			return idf, err
		}
		c.of, c.revision = map[string]float64{}, revision
	}
	stats := search.Stats{Chunks: c.chunks - float64(len(hidden.rows))}
	for _, t := range terms {
		n, err := s.lowestDocFreq(ctx, t.Tokens, hidden)
		if err != nil {
			return idf, err
		}
		idf.terms = append(idf.terms, stats.SmoothedIDF(n))
		idf.sum += idf.terms[len(idf.terms)-1]
	}
	return idf, nil
}

// termIDFsFor returns the inverse document frequency of each term among what exists for a
// predicate.
func (s *Searcher) termIDFsFor(ctx context.Context, terms []text.Term, p memory.Predicate) (termIDFs, error) {
	hidden, err := s.hiddenRows(ctx, p)
	if err != nil {
		return termIDFs{}, err
	}
	return s.termIDFs(ctx, terms, hidden)
}

// lowestDocFreq returns the document frequency of the rarest token: no more chunks can
// contain all of them. The cache has to be locked.
func (s *Searcher) lowestDocFreq(ctx context.Context, tokens []string, hidden rowSet) (float64, error) {
	c := &s.docFreqs
	lowest := c.chunks
	for _, token := range tokens {
		n, known := c.of[token]
		if !known {
			docFreq, err := s.docFreq(ctx, token)
			if err != nil {
				return 0, err
			}
			n = float64(docFreq)
			c.of[token] = n
		}
		n, err := s.visibleDocFreq(ctx, token, n, hidden)
		if err != nil {
			return 0, err
		}
		lowest = min(lowest, n)
	}
	return lowest, nil
}

// docFreq returns the number of chunks that contain a token.
func (s *Searcher) docFreq(ctx context.Context, token string) (n int, err error) {
	err = s.db.Read().Each(ctx, "SELECT doc FROM memories_fts_words WHERE term = ?", []any{token},
		func(scan func(...any) error) error { return scan(&n) })
	return n, err
}

// ftsVocabulary is the vocabulary of the keyword index, without hidden chunks.
type ftsVocabulary struct {
	*Searcher
	hidden rowSet
}

// Contains reports whether any chunk contains a token.
func (v ftsVocabulary) Contains(ctx context.Context, token string) (bool, error) {
	n, err := v.docFreq(ctx, token)
	if err != nil {
		return false, err
	}
	visible, err := v.visibleDocFreq(ctx, token, float64(n), v.hidden)
	return visible > 0, err
}

// EachWithPrefix calls yield for each token with a prefix, with its document
// frequency. It includes those of hidden chunks.
func (v ftsVocabulary) EachWithPrefix(ctx context.Context, prefix string, yield func(token string, docFreq int)) error {
	return v.db.Read().Each(ctx, "SELECT term, doc FROM memories_fts_words WHERE term >= ? AND term < ?",
		[]any{prefix, prefix + string(utf8.MaxRune)}, func(scan func(...any) error) error {
			var token string
			var docFreq int
			err := scan(&token, &docFreq)
			yield(token, docFreq)
			return err
		})
}
