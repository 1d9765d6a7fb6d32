package index

import (
	"context"
	"math"
	"strings"
	"sync"
)

// calibrate makes a score from 0 to 1 of a chunk's BM25 and of the share of the
// query that it answers: share × (0.6 + 0.4 × bm25 / (bm25 + 4)), where the share
// is that of the idf of all terms, those that no memory has included. It depends
// on the query and on the chunk alone, never on the other candidates, so that a
// query which nothing answers shows: half of what it asks for stays below a
// half. BM25 of 4, where its part is half, is about one rare word.
func calibrate(bm25, share float64) float64 {
	return min(1, max(0, share*(0.6+0.4*bm25/(bm25+4))))
}

// Of a term found beside the text only (in a heading, a date, a file's name), or
// of an identifier of which only the parts stand there, this share counts.
const partial = 0.7

// finds gives the idf of the terms that a chunk has, and what its exact
// identifiers add to its rank: a good part of their idf once more, so that the
// chunk with the very path or code comes before those with its parts.
func (h textHit) finds(terms []looked) (found, exact float64) {
	text := tokenSet(h.text)
	around := tokenSet(h.context, h.parts)
	var lower string
	for _, t := range terms {
		in := 0.0
		switch {
		case text.has(t):
			in = 1
		case around.has(t) && strings.HasPrefix(t.match, "parts"):
			in = 1
		case around.has(t):
			in = partial
		}
		if t.exact != "" {
			if lower == "" {
				lower = strings.ToLower(h.text + "\n" + h.context)
			}
			switch {
			case strings.Contains(lower, t.exact):
				in, exact = 1, exact+partial*t.idf
			default:
				in *= partial
			}
		}
		found += in * t.idf
	}
	return found, exact
}

// set is the tokens of a chunk.
type set map[string]bool

func tokenSet(texts ...string) set {
	s := set{}
	for _, text := range texts {
		for _, t := range tokens(text) {
			s[t] = true
		}
	}
	return s
}

// has says whether all tokens of a term are there. That they stand one after
// another is FTS5's business; here it is only about how much is answered.
func (s set) has(t looked) bool {
	for i, token := range t.tokens {
		if s[token] || t.prefix && i == len(t.tokens)-1 && s.hasPrefix(token) {
			continue
		}
		return false
	}
	return true
}

func (s set) hasPrefix(prefix string) bool {
	for t := range s {
		if strings.HasPrefix(t, prefix) {
			return true
		}
	}
	return false
}

// frequencies remembers in how many chunks a token stands, for one revision.
type frequencies struct {
	mu       sync.Mutex
	revision int64
	chunks   float64
	of       map[string]float64
}

// maxFrequencies bounds what is remembered: the words of some hundred queries.
const maxFrequencies = 8192

// weigh gives every term its inverse document frequency, and their sum.
func (db *DB) weigh(ctx context.Context, terms []looked) (total float64, err error) {
	revision, err := db.Revision(ctx)
	if err != nil {
		return 0, err
	}
	c := &db.frequency
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil || c.revision != revision || len(c.of) > maxFrequencies {
		if err := db.sql.Read().One(ctx, "SELECT count(*) FROM chunks", nil, &c.chunks); err != nil {
			return 0, err
		}
		c.of, c.revision = map[string]float64{}, revision
	}
	for i := range terms {
		n, err := c.rarest(ctx, db, terms[i].tokens)
		if err != nil {
			return 0, err
		}
		terms[i].idf = math.Log(1 + (c.chunks-n+0.5)/(n+0.5)) // BM25's, but never below zero
		total += terms[i].idf
	}
	return total, nil
}

// rarest is the frequency of a term's rarest token: no more chunks can have all
// of them.
func (c *frequencies) rarest(ctx context.Context, db *DB, tokens []string) (float64, error) {
	rarest := c.chunks
	for _, t := range tokens {
		n, known := c.of[t]
		if !known {
			err := db.sql.Read().Each(ctx, "SELECT doc FROM memories_fts_words WHERE term = ?", []any{t},
				func(scan func(...any) error) error { return scan(&n) })
			if err != nil {
				return 0, err
			}
			c.of[t] = n
		}
		rarest = min(rarest, n)
	}
	return rarest, nil
}
