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
)

// Align returns a function that compares the words of a question with those of a text.
// All words are in lower case. The result is from 0 to 1: the mean, over the question's
// words, of the highest cosine with a word of the text. A word counts by the length
// of its vector, which is short for words that occur everywhere. The result is 0 for
// words that the model does not know. Only one goroutine may call the function.
func (t *Thesaurus) Align(question []string) func(text []string) float64 {
	table, err := t.table()
	if err != nil {
		return func([]string) float64 { return 0 }
	}
	a := newAligner(&t.vectors, table, question)
	return a.align
}

// aligner compares texts with the words of one question.
type aligner struct {
	vectors  *wordVectors
	table    *table
	question []wordVector
	total    float32          // the sum of the lengths
	places   map[string]int32 // of a word's cosines, in rows of cosines
	cosines  []float32        // with each word of the question
	best     []float32
}

func newAligner(vectors *wordVectors, t *table, question []string) *aligner {
	a := &aligner{vectors: vectors, table: t, places: map[string]int32{}}
	for _, word := range question {
		if v := vectors.of(word, t); v.length > 0 {
			a.question = append(a.question, v)
		}
	}
	slices.SortStableFunc(a.question, func(v, w wordVector) int { return cmp.Compare(w.length, v.length) })
	a.question = a.question[:min(maxAlignedWords, len(a.question))]
	for _, v := range a.question {
		a.total += v.length
	}
	a.best = make([]float32, len(a.question))
	return a
}

// align returns how well the words of a text match the question.
func (a *aligner) align(text []string) float64 {
	if a.total == 0 {
		return 0
	}
	clear(a.best)
	for _, word := range text {
		for i, cosine := range a.cosinesOf(word) {
			a.best[i] = max(a.best[i], cosine)
		}
	}
	sum := float32(0)
	for i, v := range a.question {
		if a.best[i] >= leastAligned {
			sum += float32(v.length * min(1, a.best[i]))
		}
	}
	return float64(sum / a.total)
}

// cosinesOf returns the cosines of a word with those of the question. It computes them
// once, because the memories of a workspace share many words.
func (a *aligner) cosinesOf(word string) []float32 {
	n := len(a.question)
	place, known := a.places[word]
	if !known {
		place = int32(len(a.cosines))
		a.places[word] = place
		v := a.vectors.of(word, a.table)
		scale := 1 / max(v.length, math.SmallestNonzeroFloat32)
		for _, q := range a.question {
			a.cosines = append(a.cosines, dotProduct(q.numbers, v.numbers)*scale/q.length)
		}
	}
	return a.cosines[place:][:n]
}
