package ingest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
)

// How much of a quote must be there, in order, in the words that a text begins
// with. Beside the id half of them will do: the text was edited since. Without
// it nearly all must be there, as a wrong match would put somebody's decision on
// another memory, and of a quote of one or two words only the whole is enough.
const (
	minSimilarityWithID    = 0.5
	minSimilarityWithoutID = 0.7
	minQuoteWords          = 3
)

// candidate is a memory that an entry may be about.
type candidate struct {
	id    memory.ID
	path  string
	text  memory.Fingerprint
	quote string // what an entry about it would quote
}

func newCandidate(id memory.ID, path, text string, f memory.Fingerprint) candidate {
	return candidate{id: id, path: path, text: f, quote: normalizeQuote(frontmatter.Quote(text))}
}

// normalizeQuote takes case and odd white space off a quote: people type them anew.
func normalizeQuote(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(quote, " .…")), " "))
}

// candidateIndex finds memories by what an entry says of them. Several that say the
// same are one to it: of equal texts it takes the first.
type candidateIndex struct {
	all     []candidate
	byID    []int // by digits
	digits  []string
	byQuote map[string][]int
	byWord  map[string][]int
}

func newCandidateIndex(all []candidate) *candidateIndex {
	s := &candidateIndex{all: all, byQuote: map[string][]int{}, byWord: map[string][]int{}, digits: make([]string, len(all))}
	for i, one := range all {
		s.digits[i] = digits(one.id)
		s.byID = append(s.byID, i)
		s.byQuote[one.quote] = append(s.byQuote[one.quote], i)
		for _, w := range distinctWords(one.quote) {
			s.byWord[w] = append(s.byWord[w], i)
		}
	}
	slices.SortStableFunc(s.byID, func(a, b int) int { return strings.Compare(s.digits[a], s.digits[b]) })
	return s
}

func digits(id memory.ID) string { return strings.ReplaceAll(string(id), "-", "") }

func distinctWords(quote string) []string {
	words := strings.Fields(quote)
	slices.Sort(words)
	return slices.Compact(words)
}

// findByID finds what an entry names by id, if the quote agrees.
func (s *candidateIndex) findByID(e memory.Entry, home string) (int, bool) {
	if e.IDPrefix == "" {
		return 0, false
	}
	quote := normalizeQuote(e.Quote)
	at, _ := slices.BinarySearchFunc(s.byID, e.IDPrefix, func(i int, prefix string) int { return strings.Compare(s.digits[i], prefix) })
	var found []int
	for ; at < len(s.byID) && strings.HasPrefix(s.digits[s.byID[at]], e.IDPrefix); at++ {
		if one := s.all[s.byID[at]]; hasWordPrefix(one.quote, quote) || identity.Similarity(quote, one.quote) >= minSimilarityWithID {
			found = append(found, s.byID[at])
		}
	}
	return s.pickOne(found, home)
}

// findByQuote finds what an entry quotes exactly: the whole of its quote, or in
// the entry's own file what begins as the quote does.
func (s *candidateIndex) findByQuote(e memory.Entry, home string) (int, bool) {
	quote := normalizeQuote(e.Quote)
	if quote == "" {
		return 0, false
	}
	if i, ok := s.pickOne(s.byQuote[quote], home); ok {
		return i, true
	}
	var found []int
	for i, one := range s.all {
		if one.path == home && hasWordPrefix(one.quote, quote) {
			found = append(found, i)
		}
	}
	return s.pickOne(found, home)
}

// findSimilar finds what reads nearly as an entry quotes it, if one does better than
// all others.
func (s *candidateIndex) findSimilar(e memory.Entry, home string, taken map[memory.ID]bool) (int, bool) {
	quote := normalizeQuote(e.Quote)
	words := distinctWords(quote)
	if len(words) < minQuoteWords {
		return 0, false
	}
	best, found := minSimilarityWithoutID, []int(nil)
	for _, i := range s.sharingRareWords(words) {
		if taken[s.all[i].id] {
			continue
		}
		switch like := identity.Similarity(quote, s.all[i].quote); {
		case like > best || like == best && found == nil:
			best, found = like, []int{i}
		case like == best:
			found = append(found, i)
		}
	}
	return s.pickOne(found, home)
}

// sharingRareWords gives those that have one of the rarer half of a quote's words: what is
// nearly alike lacks at most one word in three, and some may be misspelt.
func (s *candidateIndex) sharingRareWords(words []string) []int {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(s.byWord[a]), len(s.byWord[b])) })
	var found []int
	for _, w := range words[:1+len(words)/2] {
		found = append(found, s.byWord[w]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// pickOne is the one among those found that an entry means: the only one in its own
// file, else the only one at all. It never guesses among different texts.
func (s *candidateIndex) pickOne(found []int, home string) (int, bool) {
	var here []int
	for _, i := range found {
		if s.all[i].path == home {
			here = append(here, i)
		}
	}
	for _, some := range [][]int{here, found} {
		if len(some) > 0 && !slices.ContainsFunc(some, func(i int) bool { return s.all[i].text != s.all[some[0]].text }) {
			return some[0], true
		}
	}
	return 0, false
}

// hasWordPrefix says that a quote is the beginning of another, at a word's end.
func hasWordPrefix(whole, quote string) bool {
	rest, ok := strings.CutPrefix(whole, quote)
	return ok && quote != "" && (rest == "" || rest[0] == ' ')
}
