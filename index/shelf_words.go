package index

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
)

// BM25 as FTS5 has it: its k1 and b, its idf, and for a term that more than half
// of the rows hold its smallest one.
const (
	k1       = 1.2
	b        = 0.75
	leastIDF = 1e-6
)

// Weights of the columns, as [bm25] gives them to FTS5.
const (
	inText   = 1.0
	inAround = 0.4
	inParts  = 0.5
)

// support is what a term counts that stands one, two, three or four places away
// under the same heading, as a share of what it counts in place. Fitted on three
// conversations of LoCoMo (docs/decisions/0001-ranking.md).
var support = [...]float64{0.6, 0.5, 0.4, 0.3}

// scale is what BM25 needs to know of the whole index.
type scale struct {
	rows    float64   // chunks there are
	average float64   // tokens in one
	holds   []float64 // a term each: chunks that hold it
}

func (c scale) idf(term int) float64 {
	return max(leastIDF, math.Log((c.rows-c.holds[term]+0.5)/(c.holds[term]+0.5)))
}

// scaleOf counts on a shelf that holds everything.
func (s *shelf) scaleOf(posts [][]post) scale {
	c := scale{rows: float64(s.rows), average: s.tokens / max(1, float64(s.rows))}
	for _, list := range posts {
		n := 0
		for _, p := range list {
			if s.leaves[p.leaf].owner != none {
				n++
			}
		}
		c.holds = append(c.holds, float64(n))
	}
	return c
}

// weigh gives each term its inverse document frequency, as [DB.weigh] does.
func (s *shelf) weigh(terms []looked) (total float64) {
	for i := range terms {
		rarest := float64(s.rows)
		for _, t := range terms[i].tokens {
			n := 0.0
			if id, known := s.ids[t]; known {
				n = float64(s.held[id])
			}
			rarest = min(rarest, n)
		}
		terms[i].idf = math.Log(1 + (float64(s.rows)-rarest+0.5)/(rarest+0.5))
		total += terms[i].idf
	}
	return total
}

// find gives the chunks that hold a term, some of which may be gone.
func (s *shelf) find(l looked) []post {
	parts := strings.HasPrefix(l.match, "parts : ")
	if len(l.tokens) == 1 && !l.prefix && !parts {
		if id, known := s.ids[l.tokens[0]]; known {
			return s.lists[id]
		}
		return nil
	}
	var found []post
	for _, at := range s.maybe(l) {
		if p := s.count(at, l); p.parts > 0 || !parts && p.text+p.around > 0 {
			if parts {
				p.text, p.around = 0, 0
			}
			found = append(found, p)
		}
	}
	return found
}

// maybe lists the chunks that hold the rarest of a term's tokens.
func (s *shelf) maybe(l looked) []int32 {
	var lists [][]post
	fewest := math.MaxInt
	last := len(l.tokens) - 1
	for i, t := range l.tokens {
		if i == last && l.prefix {
			if last > 0 {
				continue // the others say enough
			}
			lists = s.beginning(t)
			break
		}
		id, known := s.ids[t]
		if !known {
			return nil
		}
		if list := s.lists[id]; len(list) < fewest {
			fewest, lists = len(list), [][]post{list}
		}
	}
	var at []int32
	for _, list := range lists {
		for _, p := range list {
			if s.leaves[p.leaf].owner != none {
				at = append(at, p.leaf)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// beginning gives the lists of the tokens that begin so.
func (s *shelf) beginning(prefix string) (lists [][]post) {
	for id, word := range s.words {
		if s.held[id] > 0 && strings.HasPrefix(word, prefix) {
			lists = append(lists, s.lists[id])
		}
	}
	return lists
}

// count looks for a term's tokens one after another in a chunk's columns.
func (s *shelf) count(at int32, l looked) post {
	p := post{leaf: at}
	columns := [...]*uint8{&p.text, &p.around, &p.parts}
	column, run := 0, s.leaves[at].run
	for i, id := range run {
		if id == none {
			column++
			continue
		}
		if s.begins(run[i:], l) && *columns[column] < 255 {
			*columns[column]++
		}
	}
	return p
}

func (s *shelf) begins(run []int32, l looked) bool {
	if len(run) < len(l.tokens) {
		return false
	}
	for i, t := range l.tokens {
		if run[i] == none {
			return false
		}
		have := s.words[run[i]]
		if have != t && !(l.prefix && i == len(l.tokens)-1 && strings.HasPrefix(have, t)) {
			return false
		}
	}
	return true
}

// scores are what a query's words say of every memory that has something to do
// with it. They come from a pool and go back there.
type scores struct {
	context []float32 // by slot: sum over the terms of the best in context
	own     []float32 // BM25 of its own words
	share   []float32 // the idf that its own words answer
	touched []int32   // slots that have any of it

	best, mine, part []float32 // the same of the term at hand
	fresh            []int32
}

var pool = sync.Pool{New: func() any { return new(scores) }}

func (c *scores) reset(n int) {
	for _, at := range c.touched {
		c.context[at], c.own[at], c.share[at] = 0, 0, 0
	}
	c.touched = c.touched[:0]
	if len(c.context) < n {
		n += n / 8 // room to grow
		for _, of := range []*[]float32{&c.context, &c.own, &c.share, &c.best, &c.mine, &c.part} {
			*of = make([]float32, n)
		}
	}
}

// inContext scores every memory for the terms. Forgotten ones neither get nor
// give anything, unless they are asked for.
func (s *shelf) inContext(c *scores, terms []looked, posts [][]post, all scale, forgotten memory.Inclusion) {
	c.reset(len(s.memories))
	for i, list := range posts {
		idf := all.idf(i)
		for _, p := range list {
			at := s.leaves[p.leaf].owner
			if at == none || s.memories[at].forgotten && forgotten == memory.Without {
				continue
			}
			tf := inText*float64(p.text) + inAround*float64(p.around) + inParts*float64(p.parts)
			length := float64(s.leaves[p.leaf].size) / all.average
			score := float32(idf * tf * (k1 + 1) / (tf + k1*(1-b+b*length)))
			s.spread(c, at, score, forgotten)
			c.mine[at] = max(c.mine[at], score)
			c.part[at] = max(c.part[at], float32(terms[i].idf*worth(p)))
		}
		c.add()
	}
}

// worth is how much of a term a chunk answers: less where only its heading or
// its file's name has it.
func worth(p post) float64 {
	if p.text > 0 || p.parts > 0 {
		return 1
	}
	return partial
}

// spread notes a term's score at its memory, and what it is worth to the
// neighbours.
func (s *shelf) spread(c *scores, at int32, score float32, forgotten memory.Inclusion) {
	c.note(at, score)
	before, after := at, at
	for _, d := range support {
		if before != none {
			before = s.memories[before].prev
		}
		if after != none {
			after = s.memories[after].next
		}
		for _, to := range [...]int32{before, after} {
			if to != none && (!s.memories[to].forgotten || forgotten != memory.Without) {
				c.note(to, float32(d)*score)
			}
		}
	}
}

func (c *scores) note(at int32, score float32) {
	if c.best[at] == 0 {
		c.fresh = append(c.fresh, at)
	}
	c.best[at] = max(c.best[at], score)
}

// add takes the term at hand into the sums.
func (c *scores) add() {
	for _, at := range c.fresh {
		if c.context[at] == 0 {
			c.touched = append(c.touched, at)
		}
		c.context[at] += c.best[at]
		c.own[at] += c.mine[at]
		c.share[at] += c.part[at]
		c.best[at], c.mine[at], c.part[at] = 0, 0, 0
	}
	c.fresh = c.fresh[:0]
}
