package static

import (
	"cmp"
	"slices"
)

const (
	// leastAligned is the least cosine at which two words count as related. Below it
	// nearly every text has such a word by chance.
	leastAligned = 0.2

	// maxAlignedWords bounds the words of a question that are compared, those with the
	// longest vectors. Questions have up to ten; a pasted page has hundreds.
	maxAlignedWords = 12

	// usualWords is the number of different words that the notes for a question have.
	usualWords = 512
)

// Align returns a function that compares the words of a question with those of a text.
// All words are in lower case. The result is from 0 to 1: the mean, over the question's
// words, of the highest cosine with a word of the text. A word counts by the length
// of its vector, which is short for words that occur everywhere. A word that the model
// does not know counts as absent. Only one goroutine may call the function.
func (t *Thesaurus) Align(question []string) func(text []string) float64 {
	return newAligner(&t.vectors, t.table(), question).align
}

// aligner compares texts with the words of one question.
type aligner struct {
	vectors  *wordVectors
	table    *table
	question []wordVector
	total    float32 // the sum of the lengths
	vector   []float32
	best     []float32
	compared map[int32]span // the place in related of a token that is a word
	related  []relatedWord  // of all words that were compared
}

// relatedWord is a word of the question that is near to a word of a text.
type relatedWord struct {
	question int32
	cosine   float32
}

// span is a part of a list.
type span struct{ from, to int32 }

func newAligner(vectors *wordVectors, t *table, question []string) *aligner {
	a := &aligner{vectors: vectors, table: t, vector: make([]float32, t.dim)}
	for _, word := range question {
		v := wordVector{numbers: make([]float32, t.dim)}
		if v.length = vectors.read(v.numbers, vectors.find(word, t), t); v.length > 0 {
			a.question = append(a.question, v)
		}
	}
	slices.SortStableFunc(a.question, func(v, w wordVector) int { return cmp.Compare(w.length, v.length) })
	a.question = a.question[:min(maxAlignedWords, len(a.question))]
	for _, v := range a.question {
		a.total += v.length
	}
	a.best = make([]float32, len(a.question))
	a.compared = make(map[int32]span, usualWords)
	return a
}

// align returns how well the words of a text match the question.
func (a *aligner) align(text []string) float64 {
	if a.total == 0 {
		return 0
	}
	clear(a.best)
	for _, each := range text {
		if w := a.vectors.find(each, a.table); w.length > 0 {
			a.compare(w)
		}
	}
	return a.share()
}

// compare raises the highest cosines by those of a word. The memories of a
// workspace share many words, so those that are one token are compared once.
func (a *aligner) compare(w word) {
	tokens, at := w.tokens(), span{}
	known := false
	if len(tokens) == 1 {
		at, known = a.compared[tokens[0]]
	}
	if !known {
		at.from = int32(len(a.related))
		a.appendRelated(w)
		at.to = int32(len(a.related))
	}
	for _, r := range a.related[at.from:at.to] {
		a.best[r.question] = max(a.best[r.question], r.cosine)
	}
	switch {
	case len(tokens) > 1:
		a.related = a.related[:at.from]
	case !known:
		a.compared[tokens[0]] = at
	}
}

// appendRelated appends the words of the question that are near to a word. Few are.
func (a *aligner) appendRelated(w word) {
	a.vectors.read(a.vector, w, a.table)
	for i := range a.question {
		if cosine := a.cosine(i, w); cosine >= leastAligned {
			a.related = append(a.related, relatedWord{int32(i), cosine})
		}
	}
}

// cosine returns the cosine of a word of the question with the one in vector.
func (a *aligner) cosine(i int, w word) float32 {
	q, scale := &a.question[i], 1/w.length
	return dotProduct(q.numbers, a.vector) * scale / q.length
}

// share returns the mean of the highest cosines, by the lengths of the question's words.
func (a *aligner) share() float64 {
	sum := float32(0)
	for i, v := range a.question {
		sum += float32(v.length * min(1, a.best[i]))
	}
	return float64(sum / a.total)
}
