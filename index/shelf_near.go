package index

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// support is what a term counts that stands one, two, three or four places away
// under the same heading, as a share of what it counts in place. Fitted on three
// conversations of LoCoMo (docs/decisions/0001-ranking.md).
var support = [...]float64{0.6, 0.5, 0.4, 0.3}

// stride is how long two neighbours may be, in bytes and on the average of both,
// to count for each other in full: eight turns of talk. Of longer ones each is its
// own context, and they count by so much less. What stands between them does not
// matter: a long reply parts no question from the next.
const stride = 640

// closeness is what the length of two neighbours leaves of what either says of the
// other.
func closeness(one, other int) float64 {
	return min(1, stride/max(1, float64(one+other)/2))
}

// neighbour is a memory near another, some places before or after it.
type neighbour struct {
	at     int32
	places int
	close  float64 // see closeness
}

// around calls give for each of the memories up to so many places before and
// after one, nearest first. Forgotten ones are passed over, unless asked for.
func (s *shelf) around(at int32, places int, forgotten memory.Inclusion, give func(neighbour)) {
	for _, next := range [...]func(int32) int32{
		func(i int32) int32 { return s.memories[i].prev },
		func(i int32) int32 { return s.memories[i].next },
	} {
		to := at
		for n := 1; n <= places; n++ {
			if to = next(to); to == none {
				break
			}
			if !s.forgotten[to] || forgotten != memory.Exclude {
				give(neighbour{to, n, closeness(s.memories[at].size, s.memories[to].size)})
			}
		}
	}
}

// vicinity is whom a memory's words support, and how much: what a query would
// otherwise work out for every place where a word stands. It has no holes: after
// none there is nobody.
type vicinity [2 * len(support)]nearby

type nearby struct {
	at   int32
	less float32
}

// beside gives whom a memory stands near to.
func (s *shelf) beside(at int32) []nearby {
	near := s.near[at][:]
	for i := range near {
		if near[i].at == none {
			return near[:i]
		}
	}
	return near
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
		s.around(at, len(support), memory.Include, func(to neighbour) {
			s.near[at][n].at, s.near[at][n].less = to.at, float32(support[to.places-1]*to.close)
			n++
		})
		s.lengthen(at)
	}
}

// lengthen makes the chunks of a long memory count as longer than they are: half
// way to all of it. A term counts at its best chunk, and of several one is good
// by chance.
func (s *shelf) lengthen(at int32) {
	if !s.several[at] {
		return
	}
	leaves, all := s.memories[at].leaves, float32(0)
	for _, l := range leaves {
		all += s.sizes[l]
	}
	for _, l := range leaves {
		s.lengths[l] = (s.sizes[l] + all) / 2
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
