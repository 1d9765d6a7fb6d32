package index

import "slices"

// chunkText is a chunk whose words are to be cut.
type chunkText struct{ text, context, parts string }

// chunkTokeniser cuts chunks into tokens while others are being read. Until all are cut
// it alone has the lexicon.
type chunkTokeniser struct {
	s      *searchIndex
	texts  chan []chunkText
	tokens [][]int32 // in the order in which the chunks came

	slab          []int32 // what runs are cut from
	context       string  // of the chunk before, under the same heading as like as not
	contextTokens []int32 // its tokens
}

// maxWaitingBatches is how many batches of texts may wait: few, so that this soon rests too
// when a load gives way to a question.
const maxWaitingBatches = 4

func (c *chunkTokeniser) reserve(n int) {
	c.texts, c.tokens = make(chan []chunkText, maxWaitingBatches), make([][]int32, 0, n)
}

func (c *chunkTokeniser) tokeniseAll() {
	var run []int32
	for batch := range c.texts {
		for i := range batch {
			run = c.tokenise(run[:0], &batch[i])
			c.tokens = append(c.tokens, c.copyTokens(run))
		}
	}
}

func (c *chunkTokeniser) tokenise(run []int32, t *chunkText) []int32 {
	if t.context != c.context {
		c.context, c.contextTokens = t.context, c.s.tokenIDs(c.contextTokens[:0], t.context)
	}
	run = append(c.s.tokenIDs(run, t.text), none)
	run = append(append(run, c.contextTokens...), none)
	return append(c.s.tokenIDs(run, t.parts), none)
}

// copyTokens copies a run to where many lie together. A slab is given back when the last
// of them is gone: with some hundred chunks in one that is soon enough.
func (c *chunkTokeniser) copyTokens(run []int32) []int32 {
	const slab = 4096
	if len(run) > len(c.slab) {
		if len(run) > slab/4 {
			return slices.Clone(run)
		}
		c.slab = make([]int32, slab)
	}
	kept := c.slab[:len(run):len(run)]
	copy(kept, run)
	c.slab = c.slab[len(run):]
	return kept
}

// tokenIDs gives the tokens of a text by their numbers, after those of a run.
func (v *vocabulary) tokenIDs(run []int32, text string) []int32 {
	for word := range splitWords(text) {
		if id := v.tokenID(word); id != none {
			run = append(run, id)
		}
	}
	return run
}

// addPostings notes in the lists which tokens a leaf has, and how many.
func (x *searchIndex) addPostings(at int32) {
	size, column := len(x.chunkTokens[at])-columnCount, 0
	x.chunkLen[at], x.chunkNorm[at] = float32(size), float32(size)
	x.chunkCount++
	x.tokenCount += float64(size)
	for _, id := range x.chunkTokens[at] {
		if id == none {
			column++
			continue
		}
		p, list := posting{at, columnWeights[column], column != 1}, x.postings[id]
		if n := len(list); n > 0 && list[n-1].chunk == at {
			list[n-1].add(p)
			continue
		}
		x.postings[id] = append(list, p)
		x.docFreq[id]++
	}
}

// buildPostings does so for every leaf of a new shelf. Each list is made as long as it
// will be.
func (x *searchIndex) buildPostings() {
	last, long := make([]int32, len(x.tokens)), make([]int32, len(x.tokens))
	for at, run := range x.chunkTokens {
		for _, id := range run {
			if id != none && last[id] != int32(at)+1 {
				last[id] = int32(at) + 1
				long[id]++
			}
		}
	}
	for id, n := range long {
		x.postings[id] = make([]posting, 0, n)
	}
	for at := range x.chunkTokens {
		x.addPostings(int32(at))
	}
}
