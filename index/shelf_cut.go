package index

import "slices"

// uncut is a chunk whose words are to be cut.
type uncut struct{ text, context, parts string }

// cutter cuts chunks into tokens while others are being read. Until all are cut
// it alone has the lexicon.
type cutter struct {
	s     *shelf
	texts chan []uncut
	runs  [][]int32 // in the order in which the chunks came

	slab    []int32 // what runs are cut from
	context string  // of the chunk before, under the same heading as like as not
	around  []int32 // its tokens
}

// ahead is how many batches of texts may wait: few, so that this soon rests too
// when a load gives way to a question.
const ahead = 4

func (c *cutter) begin(n int) {
	c.texts, c.runs = make(chan []uncut, ahead), make([][]int32, 0, n)
}

func (c *cutter) cutAll() {
	var run []int32
	for batch := range c.texts {
		for i := range batch {
			run = c.cut(run[:0], &batch[i])
			c.runs = append(c.runs, c.keep(run))
		}
	}
}

func (c *cutter) cut(run []int32, t *uncut) []int32 {
	if t.context != c.context {
		c.context, c.around = t.context, c.s.number(c.around[:0], t.context)
	}
	run = append(c.s.number(run, t.text), none)
	run = append(append(run, c.around...), none)
	return append(c.s.number(run, t.parts), none)
}

// keep copies a run to where many lie together. A slab is given back when the last
// of them is gone: with some hundred chunks in one that is soon enough.
func (c *cutter) keep(run []int32) []int32 {
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

// number gives the tokens of a text by their numbers, after those of a run.
func (x *lexicon) number(run []int32, text string) []int32 {
	for word := range tokensIn(text) {
		if id := x.token(word); id != none {
			run = append(run, id)
		}
	}
	return run
}

// enter notes in the lists which tokens a leaf has, and how many.
func (s *shelf) enter(at int32) {
	size, column := len(s.runs[at])-columns, 0
	s.sizes[at], s.lengths[at] = float32(size), float32(size)
	s.rows++
	s.tokens += float64(size)
	for _, id := range s.runs[at] {
		if id == none {
			column++
			continue
		}
		p, list := post{at, tenths[column], column != 1}, s.lists[id]
		if n := len(list); n > 0 && list[n-1].leaf == at {
			list[n-1].add(p)
			continue
		}
		s.lists[id] = append(list, p)
		s.held[id]++
	}
}

// enterAll does so for every leaf of a new shelf. Each list is made as long as it
// will be.
func (s *shelf) enterAll() {
	last, long := make([]int32, len(s.words)), make([]int32, len(s.words))
	for at, run := range s.runs {
		for _, id := range run {
			if id != none && last[id] != int32(at)+1 {
				last[id] = int32(at) + 1
				long[id]++
			}
		}
	}
	for id, n := range long {
		s.lists[id] = make([]post, 0, n)
	}
	for at := range s.runs {
		s.enter(int32(at))
	}
}
