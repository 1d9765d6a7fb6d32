package index

import (
	"slices"

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
			if !s.forgotten[to] || forgotten != memory.Without {
				give(neighbour{to, n, closeness(n, bytes)})
			}
		}
	}
}

// vicinity is whom a memory's words support, and how much: what a query would
// otherwise work out for every place where a word stands. It has no holes: after
// none there is nobody.
type vicinity [2 * len(support)]struct {
	at   int32
	less float32
}

var nobody = func() (v vicinity) {
	for i := range v {
		v[i].at = none
	}
	return v
}()

// link makes neighbours of the memories of a file that stand under the same
// heading.
func (s *shelf) link(path string) {
	all := s.files[path]
	slices.SortFunc(all, func(a, b int32) int { return s.memories[a].ordinal - s.memories[b].ordinal })
	for i, at := range all {
		m := &s.memories[at]
		m.prev, m.next = none, none
		if i > 0 && s.memories[all[i-1]].heading == m.heading {
			m.prev = all[i-1]
		}
		if i+1 < len(all) && s.memories[all[i+1]].heading == m.heading {
			m.next = all[i+1]
		}
	}
	s.cutIntoBlocks(path, all)
	for _, at := range all {
		n := 0
		s.near[at] = nobody
		s.around(at, len(support), memory.Also, func(to neighbour) {
			s.near[at][n].at, s.near[at][n].less = to.at, float32(support[to.places-1]*to.close)
			n++
		})
	}
}

// within is in which block a memory stands, and whether it stands so near to
// another that its words support memories there.
type within struct{ block, beside int32 }

// blockSize is how many neighbours make a block, or up to twice as many where a
// heading ends: fewer, and there are more bounds to keep, more, and they are
// loose. Twice what support reaches is the least: so that nobody stands near two
// others.
const blockSize = 8

// cutIntoBlocks gives the memories of a file, in order, to blocks of those that
// stand under one heading.
func (s *shelf) cutIntoBlocks(path string, all []int32) {
	for _, block := range s.parts[path] {
		s.blocks[block] = nil
		s.emptied = append(s.emptied, block)
	}
	delete(s.parts, path)
	for len(all) > 0 {
		n := 1
		for n < len(all) && s.memories[all[n]].prev == all[n-1] {
			n++
		}
		s.cutRun(path, all[:n])
		all = all[n:]
	}
}

// cutRun does so with those of one heading.
func (s *shelf) cutRun(path string, run []int32) {
	before := none
	for len(run) > 0 {
		n := blockSize
		if len(run) < 2*n {
			n = len(run)
		}
		block := s.block(path, run[:n])
		for i, at := range run[:n] {
			s.within[at] = within{block, none}
			if i < len(support) && before != none {
				s.within[at].beside = before
			}
		}
		if before != none {
			members := s.blocks[before]
			for _, at := range members[len(members)-len(support):] {
				s.within[at].beside = block
			}
		}
		before, run = block, run[n:]
	}
}

func (s *shelf) block(path string, members []int32) int32 {
	at := int32(len(s.blocks))
	if n := len(s.emptied); n > 0 {
		at, s.emptied = s.emptied[n-1], s.emptied[:n-1]
	} else {
		s.blocks = append(s.blocks, nil)
	}
	s.blocks[at] = slices.Clone(members)
	s.parts[path] = append(s.parts[path], at)
	return at
}
