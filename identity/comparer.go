package identity

import "slices"

// Comparer computes [Similarity] for many pairs of texts. It splits each text into
// words once.
type Comparer struct{ vocabulary *vocabulary }

// NewComparer returns a Comparer without texts.
func NewComparer() *Comparer { return &Comparer{newVocabulary()} }

// Words are the words of a text, for the Comparer that split it.
type Words []int32

// Words splits a text.
func (c *Comparer) Words(text string) Words { return c.vocabulary.wordIDs(text) }

// Similarity returns the similarity of two texts. It returns 0 if a cheap bound
// shows that the similarity is below atLeast.
func (c *Comparer) Similarity(a, b Words, atLeast float64) float64 {
	if len(a) <= maxTypoWords && len(b) <= maxTypoWords && c.bound(a, b) < atLeast {
		return 0
	}
	return c.vocabulary.compare(a, b).dice
}

// bound returns a similarity that two texts cannot exceed. It ignores the order of
// the words, and takes each word for a typo that may be one.
func (c *Comparer) bound(a, b Words) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	common := 0.0
	for _, x := range a {
		switch {
		case slices.Contains(b, x):
			common++
		case slices.ContainsFunc(b, func(y int32) bool { return c.vocabulary.mayBeTypo(x, y) }):
			common += typoWeight
		}
	}
	return 2 * common / float64(len(a)+len(b))
}
