package ingest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
)

// minSimilarityWithID is the similarity from which a quote agrees with the beginning of the
// text that has the id of the entry. The text may have been edited since.
const minSimilarityWithID = 0.5

// candidate is a memory that an entry may be about.
type candidate struct {
	id      memory.ID
	path    string
	text    memory.Fingerprint
	quote   string // of an entry about it, normalised
	present bool   // it is in a file
}

func newCandidate(id memory.ID, path, text string, f memory.Fingerprint) candidate {
	return candidate{id: id, path: path, text: f, quote: chunker.NormalizeQuote(chunker.QuoteOf(text))}
}

// candidateIndex finds memories by the id or quote of an entry. If several have
// equal texts, it returns the first one.
type candidateIndex struct {
	all     []candidate
	byID    []int // sorted by digits
	digits  []string
	byQuote map[string][]int
	byPath  []int // sorted by path, then quote, then position
}

func newCandidateIndex(all []candidate) *candidateIndex {
	s := &candidateIndex{all: all, byQuote: map[string][]int{}, digits: make([]string, len(all))}
	for i, one := range all {
		s.digits[i] = digits(one.id)
		s.byID, s.byPath = append(s.byID, i), append(s.byPath, i)
		s.byQuote[one.quote] = append(s.byQuote[one.quote], i)
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

// withID returns the memories whose ids begin with some digits.
func (s *candidateIndex) withID(prefix string) (found []int) {
	at, _ := slices.BinarySearchFunc(s.byID, prefix, func(i int, prefix string) int { return strings.Compare(s.digits[i], prefix) })
	for ; prefix != "" && at < len(s.byID) && strings.HasPrefix(s.digits[s.byID[at]], prefix); at++ {
		found = append(found, s.byID[at])
	}
	return found
}

// findByID finds the memory with an entry's id, if the quote agrees. An entry that protects
// needs none.
func (s *candidateIndex) findByID(e memory.Entry, likelyPath string) (int, bool) {
	quoted := chunker.NormalizeQuote(e.Quote)
	found := slices.DeleteFunc(s.withID(e.IDPrefix), func(i int) bool {
		whole := s.all[i].quote
		agrees := hasWordPrefix(whole, quoted) || identity.Similarity(quoted, whole) >= minSimilarityWithID
		return !agrees && !(quoted == "" && isProtecting(e))
	})
	return s.pickOne(found, likelyPath)
}

// findByQuote finds the memory with exactly this quote, of which the beginning counts. In the
// entry's own file the quote may also be shorter.
func (s *candidateIndex) findByQuote(e memory.Entry, likelyPath string) (int, bool) {
	quoted := chunker.NormalizeQuote(chunker.QuoteOf(e.Quote))
	if quoted == "" {
		return 0, false
	}
	if i, ok := s.pickOne(s.byQuote[quoted], likelyPath); ok {
		return i, true
	}
	at, _ := slices.BinarySearchFunc(s.byPath, quoted, func(i int, quoted string) int { return s.comparePlace(i, likelyPath, quoted) })
	var found []int
	for _, i := range s.byPath[at:] {
		if one := s.all[i]; one.path != likelyPath || !strings.HasPrefix(one.quote, quoted) {
			break
		} else if hasWordPrefix(one.quote, quoted) {
			found = append(found, i)
		}
	}
	slices.Sort(found)
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
