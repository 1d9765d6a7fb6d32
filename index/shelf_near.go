package index

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// neighbourWeight is what a term counts that stands one, two, three or four places away
// under the same heading, as a share of what it counts in place. Fitted on three
// conversations of LoCoMo (docs/decisions/0001-ranking.md).
var neighbourWeight = [...]float64{0.6, 0.5, 0.4, 0.3}

// fullWeightBytes is how long two neighbours may be, in bytes and on the average of both,
// to count for each other in full: eight turns of talk. Of longer ones each is its
// own context, and they count by so much less. What stands between them does not
// matter: a long reply parts no question from the next.
const fullWeightBytes = 640

// lengthWeight is what the length of two neighbours leaves of what either says of the
// other.
func lengthWeight(one, other int) float64 {
	return min(1, fullWeightBytes/max(1, float64(one+other)/2))
}

// neighbour is a memory near another, some places before or after it.
type neighbour struct {
	doc          int32
	distance     int
	lengthWeight float64 // see closeness
}

// eachNeighbour calls give for each of the memories up to so many places before and
// after one, nearest first. Forgotten ones are passed over, unless asked for.
func (x *searchIndex) eachNeighbour(at int32, places int, forgotten memory.Inclusion, give func(neighbour)) {
	for _, next := range [...]func(int32) int32{
		func(i int32) int32 { return x.docs[i].prev },
		func(i int32) int32 { return x.docs[i].next },
	} {
		to := at
		for n := 1; n <= places; n++ {
			if to = next(to); to == none {
				break
			}
			if !x.forgotten[to] || forgotten != memory.Exclude {
				give(neighbour{to, n, lengthWeight(x.docs[at].textBytes, x.docs[to].textBytes)})
			}
		}
	}
}

// neighbourList is whom a memory's words support, and how much: what a query would
// otherwise work out for every place where a word stands. It has no holes: after
// none there is nobody.
type neighbourList [2 * len(neighbourWeight)]weightedNeighbour

type weightedNeighbour struct {
	doc    int32
	weight float32
}

// neighboursOf gives whom a memory stands near to.
func (x *searchIndex) neighboursOf(at int32) []weightedNeighbour {
	near := x.neighbours[at][:]
	for i := range near {
		if near[i].doc == none {
			return near[:i]
		}
	}
	return near
}

var noNeighbours = func() (v neighbourList) {
	for i := range v {
		v[i].doc = none
	}
	return v
}()

// linkFile makes neighbours of the memories of a file that stand under the same
// heading.
func (x *searchIndex) linkFile(path string) {
	all := x.fileDocs[path]
	slices.SortFunc(all, func(a, b int32) int { return x.docs[a].ordinal - x.docs[b].ordinal })
	for i, at := range all {
		m := &x.docs[at]
		m.prev, m.next = none, none
		if i > 0 && x.docs[all[i-1]].heading == m.heading {
			m.prev = all[i-1]
		}
		if i+1 < len(all) && x.docs[all[i+1]].heading == m.heading {
			m.next = all[i+1]
		}
	}
	x.splitIntoBlocks(path, all)
	for _, at := range all {
		n := 0
		x.neighbours[at] = noNeighbours
		x.eachNeighbour(at, len(neighbourWeight), memory.Include, func(to neighbour) {
			x.neighbours[at][n].doc, x.neighbours[at][n].weight = to.doc, float32(neighbourWeight[to.distance-1]*to.lengthWeight)
			n++
		})
		x.normaliseLengths(at)
	}
}

// normaliseLengths makes the chunks of a long memory count as longer than they are: half
// way to all of it. A term counts at its best chunk, and of several one is good
// by chance.
func (x *searchIndex) normaliseLengths(at int32) {
	if !x.multiChunk[at] {
		return
	}
	leaves, all := x.docs[at].chunks, float32(0)
	for _, l := range leaves {
		all += x.chunkLen[l]
	}
	for _, l := range leaves {
		x.chunkNorm[l] = (x.chunkLen[l] + all) / 2
	}
}

// blockPosition is in which block a memory stands, and whether it stands so near to
// another that its words support memories there.
type blockPosition struct{ block, adjacent int32 }

// blockSize is how many neighbours make a block, or up to twice as many where a
// heading ends: fewer, and there are more bounds to keep, more, and they are
// loose. Twice what support reaches is the least: so that nobody stands near two
// others.
const blockSize = 8

// splitIntoBlocks gives the memories of a file, in order, to blocks of those that
// stand under one heading.
func (x *searchIndex) splitIntoBlocks(path string, all []int32) {
	for _, block := range x.fileBlocks[path] {
		x.blocks[block] = nil
		x.freeBlocks = append(x.freeBlocks, block)
	}
	delete(x.fileBlocks, path)
	for len(all) > 0 {
		n := 1
		for n < len(all) && x.docs[all[n]].prev == all[n-1] {
			n++
		}
		x.splitHeading(path, all[:n])
		all = all[n:]
	}
}

// splitHeading does so with those of one heading.
func (x *searchIndex) splitHeading(path string, run []int32) {
	before := none
	for len(run) > 0 {
		n := blockSize
		if len(run) < 2*n {
			n = len(run)
		}
		block := x.newBlock(path, run[:n])
		for i, at := range run[:n] {
			x.blockOf[at] = blockPosition{block, none}
			if i < len(neighbourWeight) && before != none {
				x.blockOf[at].adjacent = before
			}
		}
		if before != none {
			members := x.blocks[before]
			for _, at := range members[len(members)-len(neighbourWeight):] {
				x.blockOf[at].adjacent = block
			}
		}
		before, run = block, run[n:]
	}
}

func (x *searchIndex) newBlock(path string, members []int32) int32 {
	at := int32(len(x.blocks))
	if n := len(x.freeBlocks); n > 0 {
		at, x.freeBlocks = x.freeBlocks[n-1], x.freeBlocks[:n-1]
	} else {
		x.blocks = append(x.blocks, nil)
	}
	x.blocks[at] = slices.Clone(members)
	x.fileBlocks[path] = append(x.fileBlocks[path], at)
	return at
}
