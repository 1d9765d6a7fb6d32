package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/text"
)

// bm25 is FTS5's ranking function with the weights of the columns.
var bm25 = func() string {
	w := search.ColumnWeights()
	return fmt.Sprintf("bm25(memories_fts, %g, %g, %g)", w[0], w[1], w[2])
}()

// matchTerm writes a term in FTS5's query language, without its expansions. All of a
// user's text is quoted, so a query cannot contain operators.
func matchTerm(t *text.Term) string {
	match := matchWord(t.Text)
	if t.PartsOnly {
		match = "parts : " + match
	}
	if t.Prefix {
		match += " *"
	}
	return match
}

func matchWord(word string) string { return `"` + strings.ReplaceAll(word, `"`, `""`) + `"` }

// matchAny matches any of some terms and their expansions.
func matchAny(terms []text.Term) string {
	var matches []string
	for i := range terms {
		matches = append(matches, matchTerm(&terms[i]))
		for _, e := range terms[i].Expansions {
			matches = append(matches, matchWord(e.Text))
		}
	}
	return strings.Join(matches, " OR ")
}

// SearchText returns the k memories that match the query's terms best and pass the
// predicate, best first. Raw is BM25 of a memory's best chunk, plus a bonus for exact
// identifiers; for Score see [search.KeywordScore]. Unknown words find nothing, which
// is no error.
func (s *Searcher) SearchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	terms := text.CompileTerms(q.Terms)
	if len(terms) == 0 || k <= 0 {
		return nil, nil
	}
	p, err := s.listForgotten(ctx, p)
	if errors.Is(err, errMatchesNothing) {
		return nil, nil
	}
	if err != nil {
		return nil, sqlite.Wrap("search words", err)
	}
	idf, err := s.termIDFsFor(ctx, terms, p)
	if err != nil {
		return nil, sqlite.Wrap("search words", err)
	}
	f := compile(p)
	hits, err := s.bestChunks(ctx, terms, f, k)
	if err == nil && len(hits) == 0 {
		hits, err = s.substringHits(ctx, terms, f, k)
	}
	return scoreHits(hits, terms, idf, k), sqlite.Wrap("search words", err)
}

// chunkHit is a chunk that the keyword index found. Its Raw is BM25.
type chunkHit struct {
	memory.Candidate
	search.ChunkText
}

// bestChunks returns the best chunks that pass a filter, of at least k memories if
// there are so many. It asks FTS5 for some more than k, and for all that pass if too
// few of these do.
func (s *Searcher) bestChunks(ctx context.Context, terms []text.Term, f *sqlFilter, k int) ([]chunkHit, error) {
	n, match := 2*k+50, matchAny(terms)
	hits, err := s.chunkHits(ctx, `SELECT c.memory_id, -f.score, c.text, c.context, c.parts FROM
		(SELECT rowid AS id, `+bm25+` AS score FROM memories_fts WHERE memories_fts MATCH ? ORDER BY score LIMIT ?) f
		JOIN chunks c ON c.id = f.id ORDER BY f.score`, match, n)
	if err != nil {
		return nil, err
	}
	visible, memories, err := s.visibleHits(ctx, hits, f)
	if err != nil || memories >= k || len(hits) < n {
		return visible, err
	}
	return s.chunkHits(ctx, `SELECT c.memory_id, -f.score, c.text, c.context, c.parts FROM
		(SELECT rowid AS chunk, `+bm25+` AS score FROM memories_fts WHERE memories_fts MATCH ?) f
		JOIN chunks c ON c.id = f.chunk WHERE c.memory_id IN (`+f.ids()+`)
		ORDER BY f.score LIMIT ?`, append(append([]any{match}, f.args...), n)...)
}

func (s *Searcher) chunkHits(ctx context.Context, query string, args ...any) (hits []chunkHit, err error) {
	err = s.db.Read().Each(ctx, query, args, func(scan func(...any) error) error {
		var h chunkHit
		err := scan(&h.ID, &h.Raw, &h.Text, &h.Context, &h.Parts)
		hits = append(hits, h)
		return err
	})
	return hits, err
}

// visibleHits returns the chunks whose memories pass a filter, and the number of these
// memories.
func (s *Searcher) visibleHits(ctx context.Context, hits []chunkHit, f *sqlFilter) (passed []chunkHit, memories int, err error) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	visible, err := s.visibleIDs(ctx, ids, f)
	return slices.DeleteFunc(hits, func(h chunkHit) bool { return !visible[h.ID] }), len(visible), err
}

// scoreHits scores chunks, and returns the best of each memory, at most k.
func scoreHits(hits []chunkHit, terms []text.Term, idf termIDFs, k int) []memory.Candidate {
	scored := make([]memory.Candidate, len(hits))
	for i, h := range hits {
		answered, bonus := h.answeredIDF(terms, idf)
		raw := h.Raw + bonus
		scored[i] = memory.Candidate{ID: h.ID, Raw: raw, Score: search.KeywordScore(raw, answered/idf.sum)}
	}
	best := bestPerMemory(scored)
	return best[:min(k, len(best))]
}

// answeredIDF returns the sum of the idf of the terms that a chunk contains. It
// adds the bonus of its exact identifiers. The bonus is a good part of their idf
// once more. So the chunk with the very path or code comes before those with its
// parts.
func (h *chunkHit) answeredIDF(terms []text.Term, idf termIDFs) (answered, bonus float64) {
	inText, inContext := tokenSet(h.Text, h.Parts), tokenSet(h.Context)
	var lower string
	for i := range terms {
		t, share := &terms[i], 0.0
		switch {
		case inText.has(t):
			share = 1
		case inContext.has(t):
			share = search.PartialShare
		}
		if t.Literal != "" {
			if lower == "" {
				lower = strings.ToLower(h.Text + "\n" + h.Context)
			}
			if strings.Contains(lower, t.Literal) {
				share, bonus = 1, bonus+search.PartialShare*idf.terms[i]
			} else {
				share *= search.PartialShare
			}
		}
		answered += share * idf.terms[i]
	}
	return answered, bonus
}

// tokens is a set of tokens.
type tokens map[string]bool

func tokenSet(texts ...string) tokens {
	set := tokens{}
	for _, s := range texts {
		for _, token := range text.Tokens(s) {
			set[token] = true
		}
	}
	return set
}

// has reports whether the set has all tokens of a term. FTS5 has already checked that
// they are adjacent.
func (set tokens) has(t *text.Term) bool {
	for i, token := range t.Tokens {
		if !set[token] && !(t.Prefix && i == len(t.Tokens)-1 && set.hasPrefix(token)) {
			return false
		}
	}
	return true
}

func (set tokens) hasPrefix(prefix string) bool {
	for token := range set {
		if strings.HasPrefix(token, prefix) {
			return true
		}
	}
	return false
}

// A query that finds nothing else searches for up to maxSubstrings of its identifiers
// inside longer words. Each of them takes a scan of all texts. Shorter strings than
// minSubstring are in too many texts; longer ones than maxSubstring are no
// identifiers.
const (
	maxSubstrings = 4
	minSubstring  = 3
	maxSubstring  = 200
)

// substringHits finds identifiers inside longer words, where no token begins: "7e44"
// in "9c01aa7e44f1".
func (s *Searcher) substringHits(ctx context.Context, terms []text.Term, f *sqlFilter, k int) (hits []chunkHit, err error) {
	n := 0
	for _, t := range terms {
		if length := utf8.RuneCountInString(t.Literal); length < minSubstring || length > maxSubstring {
			continue
		}
		if n++; n > maxSubstrings {
			break
		}
		found, err := s.chunkHits(ctx, `SELECT c.memory_id, 0.0, c.text, c.context, c.parts FROM chunks c
			WHERE c.text LIKE ? ESCAPE '\' AND c.memory_id IN (`+f.ids()+`)
			ORDER BY c.id LIMIT ?`, append(append([]any{likePattern(t.Literal)}, f.args...), k)...)
		if err != nil {
			return nil, err
		}
		hits = append(hits, found...)
	}
	return hits, nil
}

// likePattern matches texts that contain s.
func likePattern(s string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// addSubstringHits adds memories that contain an identifier of the query inside a
// longer word, before those that were found without words.
func (s *Searcher) addSubstringHits(ctx context.Context, r request, found []memory.Signals) ([]memory.Signals, error) {
	if !slices.ContainsFunc(r.terms, func(t text.Term) bool { return t.Literal != "" }) {
		return found, nil
	}
	p, err := s.listForgotten(ctx, r.predicate)
	if errors.Is(err, errMatchesNothing) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	idf, err := s.termIDFsFor(ctx, r.terms, p)
	if err != nil {
		return nil, err
	}
	hits, err := s.substringHits(ctx, r.terms, compile(p), r.k)
	var all []memory.Signals
	added := map[memory.ID]bool{}
	for _, c := range scoreHits(hits, r.terms, idf, r.k) {
		added[c.ID] = true
		all = append(all, memory.Signals{Candidate: c, Context: c.Raw, Coverage: c.Score})
	}
	for _, s := range found {
		if !added[s.ID] {
			all = append(all, s)
		}
	}
	return all, err
}
