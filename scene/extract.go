package scene

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// ExtractSize is how many memories an extract has.
const ExtractSize = 3

// words are the different words of a text, without stop words.
type words map[string]bool

func wordsOf(text string) words {
	w, isStopWord := words{}, lang.IsStopWordIn(text)
	for _, word := range lang.FoldedWords(text) {
		if !isStopWord(word) {
			w[word] = true
		}
	}
	return w
}

// count returns how many of the words others have, or have not.
func (w words) count(others words, has bool) (n int) {
	for word := range w {
		if others[word] == has {
			n++
		}
	}
	return n
}

// Extract returns the positions of the memories that stand for all, at most n, in their order.
// Each adds the most words that those before it do not have. Of a long text, the sentence counts
// that an extract shows. On sets of questions about sessions and notes, three such memories
// answer as many as three at random, or up to twice as many. Those nearest to the mean of all
// words answer fewer.
func Extract(memories []memory.Memory, n int) (chosen []int) {
	each, said := make([]words, len(memories)), words{}
	for i := range memories {
		each[i] = wordsOf(Sentence(memories[i].Text))
	}
	for range min(n, len(memories)) {
		best, most := -1, -1
		for i, w := range each {
			if added := w.count(said, false); added > most && !slices.Contains(chosen, i) {
				best, most = i, added
			}
		}
		chosen = append(chosen, best)
		for word := range each[best] {
			said[word] = true
		}
	}
	slices.Sort(chosen)
	return chosen
}

// Represent returns the memories of an extract, each with those others that share the most words
// with it.
func Represent(memories []memory.Memory) map[memory.ID][]memory.ID {
	chosen, near := Extract(memories, ExtractSize), map[memory.ID][]memory.ID{}
	for i := range memories {
		if slices.Contains(chosen, i) {
			continue
		}
		w := wordsOf(memories[i].Text)
		shared := func(j int) int { return w.count(wordsOf(memories[j].Text), true) }
		nearest := slices.MaxFunc(chosen, func(a, b int) int { return shared(a) - shared(b) })
		near[memories[nearest].ID] = append(near[memories[nearest].ID], memories[i].ID)
	}
	return near
}

// longestSentence is the length from which an extract has one sentence of a text, in bytes.
const longestSentence = 240

// Sentence returns a text, or of a long one the sentence with the most words that is not long
// itself.
func Sentence(text string) string {
	if len(text) <= longestSentence {
		return text
	}
	best, most := "", -1
	for start, end := range lang.Sentences(text) {
		s := text[start:end]
		if n := len(wordsOf(s)); n > most && len(s) <= longestSentence {
			best, most = s, n
		}
	}
	if most < 0 {
		return cut(text, longestSentence)
	}
	return best
}
