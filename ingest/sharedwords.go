package ingest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

const (
	// maxRareWord is in how many candidates a word is rare. Each of them is compared.
	maxRareWord = 256
	// maxFrequentWord is in how many candidates a word is counted. A word in more of
	// them tells nothing.
	maxFrequentWord = 4096
	// minSharedWords is the share of a quote's words that a candidate must have if it
	// has no rare one. It is below minSimilarityWithoutID, because words have typos.
	minSharedWords = 0.6
)

// dropTaken removes the quotes of candidates that entries have matched already. Among thousands
// of lines of one pattern, the one that was edited then stands alone.
func (s *candidateIndex) dropTaken(taken map[memory.ID]bool) {
	for word, list := range s.byWord {
		s.byWord[word] = slices.DeleteFunc(list, func(i int) bool { return taken[s.all[s.quotes[i].at].id] })
	}
}

// sharingRareWords returns the quotes that have one of the rarer half of a
// quote's words. A similar text lacks at most one word in three, and some words
// may have typos. If these words are frequent, the candidate must share most words. A
// quote that fits more than maxRareWord candidates alike fits none. So the work for
// each quote is limited, also for thousands of lines of one pattern.
func (s *candidateIndex) sharingRareWords(words []string) []int {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(s.byWord[a]), len(s.byWord[b])) })
	rarer := words[:1+len(words)/2]
	var found []int
	for _, w := range rarer {
		if len(s.byWord[w]) <= maxRareWord {
			found = append(found, s.byWord[w]...)
		}
	}
	if len(s.byWord[rarer[len(rarer)-1]]) > maxRareWord {
		found = append(found, s.sharingFrequentWords(words)...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// sharingFrequentWords returns the quotes that share most words of a quote, all of
// them frequent. It returns none if there are too many.
func (s *candidateIndex) sharingFrequentWords(words []string) []int {
	var counted []string
	unknown := 0 // words that nearly all candidates have
	for _, w := range words {
		switch n := len(s.byWord[w]); {
		case n > maxFrequentWord:
			unknown++
		case n > maxRareWord:
			counted = append(counted, w)
		}
	}
	need := int(minSharedWords*float64(len(words))+0.5) - unknown
	if need <= 0 || need > len(counted) {
		return nil
	}
	slices.Sort(counted)
	key := strings.Join(append(counted, strings.Repeat(".", need)), " ")
	if found, known := s.frequent[key]; known {
		return found
	}
	counts := map[int]int{}
	var found []int
	for _, w := range counted {
		for _, i := range s.byWord[w] {
			if counts[i]++; counts[i] == need {
				found = append(found, i)
			}
		}
	}
	if len(found) > maxRareWord {
		found = nil
	}
	s.frequent[key] = found
	return found
}
