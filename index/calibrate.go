package index

import (
	"context"
	"math"
	"strings"
	"sync"
)

// keywordScore makes a score from 0 to 1 of a chunk's BM25 and of the share of the
// query that it answers: share × (0.6 + 0.4 × bm25 / (bm25 + 4)), where the share
// is that of the idf of all terms, those that no memory has included. It depends
// on the query and on the chunk alone, never on the other candidates, so that a
// query which nothing answers shows: half of what it asks for stays below a
// half. BM25 of 4, where its part is half, is about one rare word.
func keywordScore(bm25, share float64) float64 {
	return min(1, max(0, share*(0.6+0.4*bm25/(bm25+4))))
}

// Of a term found beside the text only (in a heading, a date, a file's name), or
// of an identifier of which only the parts stand there, this share counts.
const partialShare = 0.7

// answeredIDF gives the idf of the terms that a chunk has, and what its exact
// identifiers add to its rank: a good part of their idf once more, so that the
// chunk with the very path or code comes before those with its parts.
func (h chunkHit) answeredIDF(terms []term) (found, exact float64) {
	text := tokensOf(h.text)
	around := tokensOf(h.context, h.parts)
	var lower string
	for _, t := range terms {
		in := 0.0
		switch {
		case text.has(t):
			in = 1
		case around.has(t) && strings.HasPrefix(t.match, "parts"):
			in = 1
		case around.has(t):
			in = partialShare
		}
		if t.exact != "" {
			if lower == "" {
				lower = strings.ToLower(h.text + "\n" + h.context)
			}
			switch {
			case strings.Contains(lower, t.exact):
				in, exact = 1, exact+partialShare*t.idf
			default:
				in *= partialShare
			}
		}
		found += in * t.idf
	}
	return found, exact
}

// tokenSet is the tokens of a chunk.
type tokenSet map[string]bool

func tokensOf(texts ...string) tokenSet {
	s := tokenSet{}
	for _, text := range texts {
		for _, t := range tokens(text) {
			s[t] = true
		}
	}
	return s
}

// has says whether all tokens of a term are there. That they stand one after
// another is FTS5's business; here it is only about how much is answered.
func (s tokenSet) has(t term) bool {
	for i, token := range t.tokens {
		if s[token] || t.prefix && i == len(t.tokens)-1 && s.hasPrefix(token) {
			continue
		}
		return false
	}
	return true
}

func (s tokenSet) hasPrefix(prefix string) bool {
	for t := range s {
		if strings.HasPrefix(t, prefix) {
			return true
		}
	}
	return false
}

// idfCache remembers in how many chunks a token stands, for one revision.
type idfCache struct {
	mu       sync.Mutex
	revision int64
	chunks   float64
	docFreq  map[string]float64
}

// maxCachedTokens bounds what is remembered: the words of some hundred queries.
const maxCachedTokens = 8192

// setIDF gives every term its inverse document frequency, and their sum.
func (db *DB) setIDF(ctx context.Context, terms []term) (total float64, err error) {
	revision, err := db.Revision(ctx)
	if err != nil {
		return 0, err
	}
	c := &db.idf
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.docFreq == nil || c.revision != revision || len(c.docFreq) > maxCachedTokens {
		if err := db.sql.Read().One(ctx, "SELECT count(*) FROM chunks", nil, &c.chunks); err != nil {
			return 0, err
		}
		c.docFreq, c.revision = map[string]float64{}, revision
	}
	for i := range terms {
		n, err := c.minDocFreq(ctx, db, terms[i].tokens)
		if err != nil {
			return 0, err
		}
		terms[i].idf = math.Log(1 + (c.chunks-n+0.5)/(n+0.5)) // BM25's, but never below zero
		total += terms[i].idf
	}
	return total, nil
}

// minDocFreq is the frequency of a term's rarest token: no more chunks can have all
// of them.
func (c *idfCache) minDocFreq(ctx context.Context, db *DB, tokens []string) (float64, error) {
	rarest := c.chunks
	for _, t := range tokens {
		n, known := c.docFreq[t]
		if !known {
			err := db.sql.Read().Each(ctx, "SELECT doc FROM memories_fts_words WHERE term = ?", []any{t},
				func(scan func(...any) error) error { return scan(&n) })
			if err != nil {
				return 0, err
			}
			c.docFreq[t] = n
		}
		rarest = min(rarest, n)
	}
	return rarest, nil
}
