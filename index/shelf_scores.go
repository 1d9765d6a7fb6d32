package index

import (
	"sync"

	"github.com/memory-tiered/memory"
)

// support is what a term counts that stands one, two, three or four places away
// under the same heading, as a share of what it counts in place. Fitted on three
// conversations of LoCoMo (docs/decisions/0001-ranking.md).
var support = [...]float64{0.6, 0.5, 0.4, 0.3}

// stride is how many bytes lie between the middles of two neighbours that count
// in full: four times a turn of talk. Context is a stretch of text, not a number
// of memories: farther apart, they count by so much less.
const stride = 320

// closeness is what distance leaves of a neighbour's say.
func closeness(places int, bytes float64) float64 {
	return min(1, stride*float64(places)/max(1, bytes))
}

// neighbour is a memory near another, some places before or after it.
type neighbour struct {
	at     int32
	places int
	close  float64
}

// around calls give for each of the memories up to so many places before and
// after one, nearest first. Forgotten ones are passed over, unless asked for.
func (s *shelf) around(at int32, places int, forgotten memory.Inclusion, give func(neighbour)) {
	for _, next := range [...]func(int32) int32{
		func(i int32) int32 { return s.memories[i].prev },
		func(i int32) int32 { return s.memories[i].next },
	} {
		bytes, from := 0.0, at
		for n := 1; n <= places; n++ {
			to := next(from)
			if to == none {
				break
			}
			bytes += float64(s.memories[from].size+s.memories[to].size) / 2
			from = to
			if !s.memories[to].forgotten || forgotten != memory.Without {
				give(neighbour{to, n, closeness(n, bytes)})
			}
		}
	}
}

// scores are what a query's words say of every memory that has something to do
// with it. They come from a pool and go back there.
type scores struct {
	context []float32 // by slot: sum over the terms of the best in context
	covered []float32 // the idf of the terms that stand in context
	own     []float32 // BM25 of its own words, as the query has them
	share   []float32 // the idf that its own words answer
	touched []int32   // slots that have any of it

	best, cover, mine, part []float32 // the same of the term at hand
	fresh                   []int32
}

var pool = sync.Pool{New: func() any { return new(scores) }}

func (c *scores) reset(n int) {
	for _, at := range c.touched {
		c.context[at], c.covered[at], c.own[at], c.share[at] = 0, 0, 0, 0
	}
	c.touched = c.touched[:0]
	if len(c.context) < n {
		n += n / 8 // room to grow
		for _, of := range []*[]float32{&c.context, &c.covered, &c.own, &c.share, &c.best, &c.cover, &c.mine, &c.part} {
			*of = make([]float32, n)
		}
	}
}

// inContext scores every memory for the terms. Forgotten ones neither get nor
// give anything, unless they are asked for.
func (s *shelf) inContext(c *scores, a asked) {
	c.reset(len(s.memories))
	for i, sights := range a.sights {
		for k, seen := range sights {
			rarity := a.scale.rarity(seen.holds)
			if k > 0 && sights[0].holds > 0 { // a word alike says no more than the term itself
				rarity = min(rarity, a.scale.rarity(sights[0].holds))
			}
			s.score(c, a, seen, rarity, a.terms[i].idf)
			if k == 0 {
				s.itself(c, a, seen, a.terms[i].idf)
			}
		}
		c.add()
	}
}

// score notes what one way of finding a term gives, here and to the neighbours.
func (s *shelf) score(c *scores, a asked, seen sight, rarity, whole float64) {
	for _, p := range seen.posts {
		at, ok := s.speaks(p, a.p.Forgotten)
		if !ok {
			continue
		}
		score := seen.weight * rarity * s.frequency(p, a.scale)
		cover := seen.weight * whole * worth(p)
		c.note(at, float32(score), float32(cover))
		s.around(at, len(support), a.p.Forgotten, func(n neighbour) {
			less := support[n.places-1] * n.close
			c.note(n.at, float32(less*score), float32(less*cover))
		})
	}
}

// speaks gives the memory whose chunk a post is of, where it is still there and
// may say anything.
func (s *shelf) speaks(p post, forgotten memory.Inclusion) (at int32, ok bool) {
	at = s.leaves[p.leaf].owner
	return at, at != none && (!s.memories[at].forgotten || forgotten != memory.Without)
}

// itself notes what a term gives as it stands, as FTS5 has it.
func (s *shelf) itself(c *scores, a asked, seen sight, whole float64) {
	idf := a.scale.idf(seen.holds)
	for _, p := range seen.posts {
		if at, ok := s.speaks(p, a.p.Forgotten); ok {
			c.mine[at] = max(c.mine[at], float32(idf*s.frequency(p, a.scale)))
			c.part[at] = max(c.part[at], float32(whole*worth(p)))
		}
	}
}

// frequency is the part of BM25 that a chunk's own counts make: it grows with
// them up to k1+1, and falls with the chunk's length.
func (s *shelf) frequency(p post, all scale) float64 {
	tf := inText*float64(p.text) + inAround*float64(p.around) + inParts*float64(p.parts)
	length := float64(s.leaves[p.leaf].size) / all.average
	return tf * (k1 + 1) / (tf + k1*(1-b+b*length))
}

// worth is how much of a term a chunk answers: less where only its heading or
// its file's name has it.
func worth(p post) float64 {
	if p.text > 0 || p.parts > 0 {
		return 1
	}
	return partial
}

func (c *scores) note(at int32, score, cover float32) {
	if c.best[at] == 0 {
		c.fresh = append(c.fresh, at)
	}
	c.best[at] = max(c.best[at], score)
	c.cover[at] = max(c.cover[at], cover)
}

// add takes the term at hand into the sums.
func (c *scores) add() {
	for _, at := range c.fresh {
		if c.context[at] == 0 {
			c.touched = append(c.touched, at)
		}
		c.context[at] += c.best[at]
		c.covered[at] += c.cover[at]
		c.own[at] += c.mine[at]
		c.share[at] += c.part[at]
		c.best[at], c.cover[at], c.mine[at], c.part[at] = 0, 0, 0, 0
	}
	c.fresh = c.fresh[:0]
}
