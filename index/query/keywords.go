package query

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqlite"
	"github.com/memory-tiered/memory/index/text"
)

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

// SearchText returns the k memories whose own words match the query's terms best and that
// pass the predicate, best first. Raw is the BM25 of a memory's best chunks, plus a bonus
// for exact identifiers; for Score see [search.KeywordScore]. Unknown words find nothing,
// which is no error. It is [Searcher.Search] without neighbours, so both count the same.
func (s *Searcher) SearchText(ctx context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	q = memory.Query{Text: q.Text, Terms: q.Terms}
	found, err := s.Search(ctx, q, p, 2*k, false)
	if err != nil {
		return nil, err
	}
	all := make([]memory.Candidate, 0, len(found.Signals))
	for _, c := range found.Signals {
		if c.Score > 0 {
			all = append(all, c.Candidate)
		}
	}
	if all, err = s.preferLiteral(ctx, text.CompileTerms(q.Terms), p, all); err != nil {
		return nil, sqlite.Wrap("search words", err)
	}
	best := bestPerMemory(all)
	return best[:min(k, len(best))], nil
}

// preferLiteral scores memories again that were found for a query with identifiers. The
// memory with the very path or code comes before those with its parts.
func (s *Searcher) preferLiteral(ctx context.Context, terms []text.Term, p memory.Predicate, found []memory.Candidate) ([]memory.Candidate, error) {
	if len(found) == 0 || !slices.ContainsFunc(terms, func(t text.Term) bool { return t.Literal != "" }) {
		return found, nil
	}
	idf, err := s.termIDFsFor(ctx, terms, p)
	if err != nil {
		return nil, err
	}
	raw := make(map[memory.ID]float64, len(found))
	for _, c := range found {
		raw[c.ID] = c.Raw
	}
	hits, err := s.chunkHits(ctx, `SELECT memory_id, 0.0, text, context, parts FROM chunks
		WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY id`, sqlite.JSONList(idsOf(found)))
	for i := range hits {
		hits[i].Raw = raw[hits[i].ID]
	}
	return scoreHits(hits, terms, idf, len(found)), err
}

// chunkHit is a chunk that was found. Its Raw is BM25.
type chunkHit struct {
	memory.Candidate
	search.ChunkText
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
