package ingest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
)

// Minimum similarity between the quote of an entry and the beginning of a text.
// With the right id half is enough, because the text may have been edited
// since. Without it nearly all must match, because a wrong match would apply a
// decision to another memory. A quote of one or two words must match exactly.
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
	quote string // the quote of an entry about it, normalised

	content string // the text
	user    string // whose the text is; only known of a block of the run
	present bool   // it is in a file
}

func newCandidate(id memory.ID, path, text string, f memory.Fingerprint) candidate {
	return candidate{id: id, path: path, text: f, quote: normalizeQuote(frontmatter.Quote(text)), content: text}
}

// normalizeQuote removes case, extra white space and final dots, because people
// type quotes by hand.
func normalizeQuote(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(quote, " .…")), " "))
}

// candidateIndex finds memories by the id or quote of an entry. If several have
// equal texts, it returns the first one.
type candidateIndex struct {
	all      []candidate
	byID     []int // sorted by digits
	digits   []string
	byQuote  map[string][]int
	byWord   map[string][]int
	byPath   []int // sorted by path, then quote, then position
	comparer *identity.Comparer
	words    []identity.Words // of the quotes
	frequent map[string][]int // the candidates that share enough of some frequent words, by these words
}

func newCandidateIndex(all []candidate) *candidateIndex {
	s := &candidateIndex{all: all, byQuote: map[string][]int{}, byWord: map[string][]int{},
		digits: make([]string, len(all)), comparer: identity.NewComparer(), frequent: map[string][]int{}}
	for i, one := range all {
		s.digits[i] = digits(one.id)
		s.byID, s.byPath = append(s.byID, i), append(s.byPath, i)
		s.words = append(s.words, s.comparer.Words(one.quote))
		s.byQuote[one.quote] = append(s.byQuote[one.quote], i)
		for _, w := range distinctWords(one.quote) {
			s.byWord[w] = append(s.byWord[w], i)
		}
	}
	slices.SortStableFunc(s.byID, func(a, b int) int { return strings.Compare(s.digits[a], s.digits[b]) })
	slices.SortStableFunc(s.byPath, func(a, b int) int { return s.comparePlace(a, all[b].path, all[b].quote) })
	return s
}

// comparePlace orders candidate i against a path and a quote.
func (s *candidateIndex) comparePlace(i int, path, quote string) int {
	return cmp.Or(strings.Compare(s.all[i].path, path), strings.Compare(s.all[i].quote, quote))
}

func digits(id memory.ID) string { return strings.ReplaceAll(string(id), "-", "") }

func distinctWords(quote string) []string {
	words := strings.Fields(quote)
	slices.Sort(words)
	return slices.Compact(words)
}

// findByID finds the memory with an entry's id, if the quote agrees.
func (s *candidateIndex) findByID(e memory.Entry, likelyPath string) (int, bool) {
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
	return s.pickOne(found, likelyPath)
}

// findByQuote finds the memory with exactly this quote. In the entry's own file
// the quote may also be shorter.
func (s *candidateIndex) findByQuote(e memory.Entry, likelyPath string) (int, bool) {
	quote := normalizeQuote(e.Quote)
	if quote == "" {
		return 0, false
	}
	if i, ok := s.pickOne(s.byQuote[quote], likelyPath); ok {
		return i, true
	}
	at, _ := slices.BinarySearchFunc(s.byPath, quote, func(i int, quote string) int { return s.comparePlace(i, likelyPath, quote) })
	var found []int
	for _, i := range s.byPath[at:] {
		if one := s.all[i]; one.path != likelyPath || !strings.HasPrefix(one.quote, quote) {
			break
		} else if hasWordPrefix(one.quote, quote) {
			found = append(found, i)
		}
	}
	slices.Sort(found)
	return s.pickOne(found, likelyPath)
}

// findSimilar finds the memory with the most similar quote, if there is only
// one.
func (s *candidateIndex) findSimilar(e memory.Entry, likelyPath string, taken map[memory.ID]bool) (int, bool) {
	quote := normalizeQuote(e.Quote)
	words := distinctWords(quote)
	if len(words) < minQuoteWords {
		return 0, false
	}
	best, found := minSimilarityWithoutID, []int(nil)
	of := s.comparer.Words(quote)
	for _, i := range s.sharingRareWords(words) {
		if taken[s.all[i].id] {
			continue
		}
		switch like := s.comparer.Similarity(of, s.words[i], best); {
		case like > best || like == best && found == nil:
			best, found = like, []int{i}
		case like == best:
			found = append(found, i)
		}
	}
	return s.pickOne(found, likelyPath)
}

// pickOne returns the only memory found in the entry's own file, else the only
// one found. It never chooses between different texts.
func (s *candidateIndex) pickOne(found []int, likelyPath string) (int, bool) {
	var inFile []int
	for _, i := range found {
		if s.all[i].path == likelyPath {
			inFile = append(inFile, i)
		}
	}
	for _, group := range [][]int{inFile, found} {
		if len(group) > 0 && !slices.ContainsFunc(group, func(i int) bool { return s.all[i].text != s.all[group[0]].text }) {
			return group[0], true
		}
	}
	return 0, false
}

// hasWordPrefix reports whether a quote is the beginning of a text, up to the
// end of a word.
func hasWordPrefix(whole, quote string) bool {
	rest, ok := strings.CutPrefix(whole, quote)
	return ok && quote != "" && (rest == "" || rest[0] == ' ')
}
