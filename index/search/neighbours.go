package search

import (
	"cmp"
	"slices"
)

// neighbourWeights is what a term counts that is one, two, three or four places
// away under the same heading. It is a share of what the term counts in place. They
// were fitted on three conversations of LoCoMo (docs/decisions/0001-ranking.md).
var neighbourWeights = [...]float64{0.6, 0.5, 0.4, 0.3}

// Reach is how many places away neighbours count for each other's words.
const Reach = len(neighbourWeights)

// fullWeightBytes is the length up to which two neighbours count for each other in
// full, on average of both: eight turns of talk. Longer texts are each their own
// context and count less in proportion. Texts between the two do not matter: a long
// reply does not separate a question from the next one.
const fullWeightBytes = 640

// lengthWeight returns the share that the lengths of two neighbours leave.
func lengthWeight(bytes, otherBytes int) float64 {
	return min(1, fullWeightBytes/max(1, float64(bytes+otherBytes)/2))
}

// neighbour is a document some places after another, or before it if they are negative.
type neighbour struct {
	doc          int32
	places       int
	lengthWeight float64
}

// eachNeighbour calls yield for each document up to some places before and after one,
// nearest first. It skips hidden ones.
func (x *Index) eachNeighbour(d int32, places int, h hidden, yield func(neighbour)) {
	for _, way := range [...]struct {
		step int
		next func(int32) int32
	}{
		{-1, func(d int32) int32 { return x.docs[d].prev }},
		{1, func(d int32) int32 { return x.docs[d].next }},
	} {
		other := d
		for n := 1; n <= places; n++ {
			if other = way.next(other); other == none {
				break
			}
			if !h.has(other) {
				yield(neighbour{other, n * way.step, lengthWeight(int(x.docs[d].textBytes), int(x.docs[other].textBytes))})
			}
		}
	}
}

// window is a document with its neighbours whose words count for it, in their order:
// the document is in the middle. It is computed once for all queries. A place without
// a document has the weight 0.
type window struct {
	docs    [windowSize]int32
	weights [windowSize]float32 // 1 for the document itself
}

const windowSize = 2*Reach + 1

// noWindow is the window of a document that is in no file.
var noWindow = func() (w window) {
	for i := range w.docs {
		w.docs[i] = none
	}
	return w
}()

func (w *window) set(place int, doc int32, weight float64) {
	w.docs[Reach+place], w.weights[Reach+place] = doc, float32(weight)
}

// linkFile computes the neighbours, blocks and sections of a file's documents. Neighbours are
// under the same heading.
func (x *Index) linkFile(path string) {
	docs := x.sortFile(path)
	for i, d := range docs {
		stored := &x.docs[d]
		stored.prev, stored.next = none, none
		if i > 0 && x.docs[docs[i-1]].heading == stored.heading {
			stored.prev = docs[i-1]
		}
		if i+1 < len(docs) && x.docs[docs[i+1]].heading == stored.heading {
			stored.next = docs[i+1]
		}
	}
	x.splitFile(path, docs)
	x.linkSections(path, docs)
	for _, d := range docs {
		x.questionBefore[d] = none
		if previous := x.docs[d].prev; previous != none && x.docs[previous].isQuestion {
			x.questionBefore[d] = previous
		}
		w := &x.windows[d]
		*w = noWindow
		w.set(0, d, 1)
		x.eachNeighbour(d, Reach, hidden{}, func(other neighbour) {
			w.set(other.places, other.doc, neighbourWeights[max(other.places, -other.places)-1]*other.lengthWeight)
		})
		x.normaliseLengths(d)
	}
}

// sortFile sorts the documents of a file, and drops those that left it. The number of
// a removed document may belong to a new one of the same file, and be listed twice.
func (x *Index) sortFile(path string) []int32 {
	docs := slices.DeleteFunc(x.fileDocs[path], func(d int32) bool { return x.docs[d].id == "" || x.docs[d].path != path })
	slices.SortFunc(docs, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.docs[a].ordinal, x.docs[b].ordinal), int(a-b))
	})
	docs = slices.Compact(docs)
	if x.fileDocs[path] = docs; len(docs) == 0 {
		delete(x.fileDocs, path)
	}
	return docs
}

// normaliseLengths makes BM25 see the chunks of a long document half way between
// their own length and that of the document. A term counts at its best chunk, and of
// several chunks one is good by chance.
func (x *Index) normaliseLengths(d int32) {
	if !x.multiChunk[d] {
		return
	}
	chunks, total := x.docs[d].chunks, float32(0)
	for _, c := range chunks {
		total += x.chunkLen[c]
	}
	for _, c := range chunks {
		x.chunkNorm[c] = (x.chunkLen[c] + total) / 2
	}
}

// blockPosition is the block of a document, and the adjacent block that it has
// neighbours in, or none.
type blockPosition struct{ block, adjacent int32 }

// blockSize is the number of documents in a block, or up to twice as many at the end
// of a heading. Smaller blocks mean more upper bounds to compute, larger ones make
// the bounds loose. Twice Reach is the minimum: then no document has neighbours in
// two other blocks.
const blockSize = 2 * Reach

// maxBlock is the largest number of documents in a block.
const maxBlock = 2*blockSize - 1

// block is some documents under one heading that are scored together. It holds them
// with their neighbours in other blocks, in order, so that scoring looks nothing up.
type block struct {
	near     [maxBlock + 2*Reach]int32
	count    uint8 // in near
	from, to uint8 // the documents of the block itself are near[from:to]
}

// newBlock returns the block of docs[from:to]. docs lists those under one heading.
func newBlock(docs []int32, from, to int) (b block) {
	first := max(0, from-Reach)
	b.count = uint8(copy(b.near[:], docs[first:min(len(docs), to+Reach)]))
	b.from, b.to = uint8(from-first), uint8(to-first)
	return b
}

// splitFile splits the documents of a file into blocks, each under one heading.
func (x *Index) splitFile(path string, docs []int32) {
	for _, number := range x.fileBlocks[path] {
		x.blocks[number] = block{}
		x.freeBlocks = append(x.freeBlocks, number)
	}
	delete(x.fileBlocks, path)
	for len(docs) > 0 {
		n := 1
		for n < len(docs) && x.docs[docs[n]].prev == docs[n-1] {
			n++
		}
		x.splitHeading(path, docs[:n])
		docs = docs[n:]
	}
}

// splitHeading splits the documents under one heading.
func (x *Index) splitHeading(path string, docs []int32) {
	previous := none
	for from := 0; from < len(docs); {
		to := from + blockSize
		if len(docs)-from <= maxBlock {
			to = len(docs)
		}
		number := x.addBlock(path, newBlock(docs, from, to))
		for i, d := range docs[from:to] {
			x.blockOf[d] = blockPosition{number, none}
			if i < Reach && previous != none {
				x.blockOf[d].adjacent = previous
			}
		}
		if previous != none {
			for _, d := range docs[from-Reach : from] {
				x.blockOf[d].adjacent = number
			}
		}
		previous, from = number, to
	}
}

func (x *Index) addBlock(path string, b block) int32 {
	number := int32(len(x.blocks))
	if n := len(x.freeBlocks); n > 0 {
		number, x.freeBlocks = x.freeBlocks[n-1], x.freeBlocks[:n-1]
	} else {
		x.blocks = append(x.blocks, block{})
	}
	x.blocks[number] = b
	x.fileBlocks[path] = append(x.fileBlocks[path], number)
	return number
}
