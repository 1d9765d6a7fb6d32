package wording

import (
	"cmp"
	"slices"
)

// Originals are texts that no other text may repeat. Many texts can be compared with them.
type Originals struct {
	words  [][]string       // of each original
	byWord map[string][]int // the originals that have one of these words
}

// NewOriginals reads texts. A copy lacks at most a fifth of the words of its original, so
// it has one of any fifth and one more. Each original is found by its rarest ones.
func NewOriginals(texts []string) *Originals {
	o := &Originals{byWord: map[string][]int{}}
	frequency := map[string]int{}
	for _, text := range texts {
		list := Words(text)
		o.words = append(o.words, list)
		for _, word := range list {
			frequency[word]++
		}
	}
	for i, list := range o.words {
		rare := slices.Clone(list)
		slices.SortFunc(rare, func(a, b string) int { return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b)) })
		for _, word := range slices.Compact(rare[:min(len(rare), len(rare)/5+1)]) {
			o.byWord[word] = append(o.byWord[word], i)
		}
	}
	return o
}

// Repeated reports whether a text repeats one of the originals, as [Repeats] has it.
func (o *Originals) Repeated(text string) bool {
	mine, compared := Words(text), map[int]bool{}
	for _, word := range mine {
		for _, i := range o.byWord[word] {
			if !compared[i] && repeats(mine, o.words[i]) {
				return true
			}
			compared[i] = true
		}
	}
	return false
}
