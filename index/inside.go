package index

import (
	"context"
	"strings"
	"unicode/utf8"
)

// maxInside is how many identifiers of a query are looked for inside longer
// words, and minInside how long they must be: each is a walk through all texts,
// which only a query that finds nothing else pays for. Longer ones than longest
// are no identifiers any more.
const (
	maxSubstrings = 4
	minSubstring  = 3
	maxSubstring  = 200
)

// substringHits finds identifiers in the middle of longer words, which no token begins
// with: "7e44" in "9c01aa7e44f1".
func (db *DB) substringHits(ctx context.Context, terms []term, f *sqlFilter, k int) (hits []chunkHit, err error) {
	n := 0
	for _, t := range terms {
		if length := utf8.RuneCountInString(t.exact); length < minSubstring || length > maxSubstring {
			continue
		}
		if n++; n > maxSubstrings {
			break
		}
		found, err := db.chunkHits(ctx, `SELECT c.memory_id, 0.0, c.text, c.context, c.parts FROM chunks c
			WHERE c.text LIKE ? ESCAPE '\' AND c.memory_id IN (SELECT id FROM `+f.view+` WHERE true`+f.and()+`)
			ORDER BY c.id LIMIT ?`, append(append([]any{likePattern(t.exact)}, f.args...), k)...)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	return hits, nil
}

// likePattern is a pattern for a text that holds s.
func likePattern(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}
