package static

import (
	"cmp"
	"math"
	"slices"
)

const (
	// leastAligned is the least cosine at which two words count as related. Below it
	// nearly every text has such a word by chance.
	leastAligned = 0.2

	// maxAlignedWords bounds the words of a question that are compared, those with the
	// longest vectors. Questions have up to ten; a pasted page has hundreds.
	maxAlignedWords = 12

	// rememberedWords is about the number of different words that the notes for a question have.
	rememberedWords = 512

	// together is the number of words of a question that a word is compared with at once.
	together = 4
)

// Align returns a function that compares the words of a question with those of a text.
// All words are in lower case. The result is from 0 to 1: the mean, over the question's
// words, of the highest cosine with a word of the text. A word counts by the length
// of its vector, which is short for words that occur everywhere. A word that the model
// does not know counts as absent. Only one goroutine may call the function, and none after
// release, which gives its memory to the next question.
func (t *Thesaurus) Align(question []string) (align func(text []string) float64, release func()) {
	a, _ := t.aligners.Get().(*aligner)
	if a == nil {
		a = &aligner{vectors: &t.vectors, table: t.table()}
	}
	a.ask(question)
	return a.align, func() { t.aligners.Put(a) }
}

// aligner compares texts with the words of one question.
type aligner struct {
	vectors  *wordVectors
	table    *table
	question []word
	numbers  []float32 // of the question: see dotProducts
	total    float32   // the sum of the lengths
	vector   []float32
	best     []float32
	compared [rememberedWords]comparedWord // by the last digits of its token
	related  []relatedWord                 // of all words that were compared
}

// comparedWord is the place in related of a word that is one token.
type comparedWord struct {
	after    int32 // the number after the token; 0: there is no word
	from, to uint16
}

// relatedWord is a word of the question that is near to a word of a text.
type relatedWord struct {
	question int32
	cosine   float32
}

// ask takes the words of a question, in the place of those of the last one.
func (a *aligner) ask(question []string) {
	words, dim := a.question[:0], a.table.dim
	for _, text := range question {
		if w := a.vectors.find(text, a.table); w.length > 0 {
			words = append(words, w)
		}
	}
	slices.SortStableFunc(words, func(v, w word) int { return cmp.Compare(w.length, v.length) })
	a.question, a.total, a.related = words[:min(maxAlignedWords, len(words))], 0, a.related[:0]
	a.vector, a.best = reserve(a.vector, dim), reserve(a.best, len(a.question))
	a.numbers = reserve(a.numbers, (len(a.question)+together-1)/together*together*dim)
	clear(a.compared[:])
	for i, w := range a.question {
		a.total += w.length
		a.vectors.read(a.vector, &w, a.table)
		interleave(a.numbers[i/together*together*dim:], a.vector, i%together)
	}
}

// reserve returns n numbers, in the memory of others if there is enough.
func reserve(numbers []float32, n int) []float32 { return slices.Grow(numbers[:0], n)[:n] }

// align returns how well the words of a text match the question.
func (a *aligner) align(text []string) float64 {
	if a.total == 0 {
		return 0
	}
	clear(a.best)
	for _, each := range text {
		if w := a.vectors.find(each, a.table); w.length > 0 {
			a.compare(&w)
		}
	}
	return a.share()
}

// compare raises the highest cosines by those of a word. The memories of a
// workspace share many words, so those that are one token are compared once.
func (a *aligner) compare(w *word) {
	from := len(a.related)
	if tokens := w.tokens(); len(tokens) > 1 || from > math.MaxUint16-maxAlignedWords {
		a.appendRelated(w)
		a.raise(a.related[from:])
		a.related = a.related[:from]
	} else if at := &a.compared[tokens[0]%rememberedWords]; at.after == tokens[0]+1 {
		a.raise(a.related[at.from:at.to])
	} else {
		a.appendRelated(w)
		a.raise(a.related[from:])
		*at = comparedWord{tokens[0] + 1, uint16(from), uint16(len(a.related))}
	}
}

func (a *aligner) raise(by []relatedWord) {
	for _, r := range by {
		a.best[r.question] = max(a.best[r.question], r.cosine)
	}
}

// appendRelated appends the words of the question that are near to a word. Few are.
func (a *aligner) appendRelated(w *word) {
	a.vectors.read(a.vector, w, a.table)
	scale := 1 / w.length
	for from := 0; from < len(a.question); from += together {
		products := dotProducts(a.vector, a.numbers[from*a.table.dim:])
		for i, q := range a.question[from:min(from+together, len(a.question))] {
			if cosine := products[i] * scale / q.length; cosine >= leastAligned {
				a.related = append(a.related, relatedWord{int32(from + i), cosine})
			}
		}
	}
}

// share returns the mean of the highest cosines, by the lengths of the question's words.
func (a *aligner) share() float64 {
	sum := float32(0)
	for i, v := range a.question {
		sum += float32(v.length * min(1, a.best[i]))
	}
	return float64(sum / a.total)
}
