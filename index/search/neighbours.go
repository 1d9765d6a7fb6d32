package search

import (
	"cmp"
	"slices"

	"github.com/memory-tiered/memory"
)

// neighbourWeights is what a term counts that is one, two, three or four places
// away under the same heading. It is a share of what the term counts in place. They
// were fitted on three conversations of LoCoMo (docs/decisions/0001-ranking.md).
var neighbourWeights = [...]float64{0.6, 0.5, 0.4, 0.3}

// Reach is how many places away neighbours count for each other's words.
const Reach = len(neighbourWeights)

// NeighbourWeight returns what a term counts some places away, from 1 to [Reach].
func NeighbourWeight(places int) float64 { return neighbourWeights[places-1] }

// fullWeightBytes is the length up to which two neighbours count for each other in
// full, on average of both: eight turns of talk. Longer texts are each their own
// context and count less in proportion. Texts between the two do not matter: a long
// reply does not separate a question from the next one.
const fullWeightBytes = 640

// lengthWeight returns the share that the lengths of two neighbours leave.
func lengthWeight(bytes, otherBytes int) float64 {
	return min(1, fullWeightBytes/max(1, float64(bytes+otherBytes)/2))
}

// neighbour is a document some places before or after another.
type neighbour struct {
	doc          int32
	places       int
	lengthWeight float64
}

// eachNeighbour calls yield for each document up to some places before and after one,
// nearest first. It skips hidden ones.
func (x *Index) eachNeighbour(d int32, places int, h hidden, yield func(neighbour)) {
	for _, next := range [...]func(int32) int32{
		func(d int32) int32 { return x.docs[d].prev },
		func(d int32) int32 { return x.docs[d].next },
	} {
		other := d
		for n := 1; n <= places; n++ {
			if other = next(other); other == none {
				break
			}
			if !h.has(other) {
				yield(neighbour{other, n, lengthWeight(x.docs[d].textBytes, x.docs[other].textBytes)})
			}
		}
	}
}

// neighbourList holds the neighbours of a document whose words count for it, computed
// once for all queries. Free places at its end have no document.
type neighbourList [2 * Reach]weightedNeighbour

type weightedNeighbour struct {
	doc    int32
	weight float32
}

var noNeighbours = func() (list neighbourList) {
	for i := range list {
		list[i].doc = none
	}
	return list
}()

// neighboursOf returns the neighbours whose words count for a document.
func (x *Index) neighboursOf(d int32) []weightedNeighbour {
	list := x.neighbours[d][:]
	for i := range list {
		if list[i].doc == none {
			return list[:i]
		}
	}
	return list
}

// linkFile computes the neighbours, blocks and sections of a file's documents. Neighbours are
// under the same heading.
func (x *Index) linkFile(path string) {
	docs := x.sortFile(path)
	for i, d := range docs {
		stored := &x.docs[d]
		stored.prev, stored.next = none, none
		if i > 0 && sameList(x.docs[docs[i-1]].heading, stored.heading) {
			stored.prev = docs[i-1]
		}
		if i+1 < len(docs) && sameList(x.docs[docs[i+1]].heading, stored.heading) {
			stored.next = docs[i+1]
		}
	}
	x.splitFile(path, docs)
	x.linkSections(path, docs)
	for _, d := range docs {
		n := 0
		x.neighbours[d] = noNeighbours
		x.eachNeighbour(d, Reach, hidden{}, func(other neighbour) {
			x.neighbours[d][n] = weightedNeighbour{other.doc, float32(NeighbourWeight(other.places) * other.lengthWeight)}
			n++
		})
		x.normaliseLengths(d)
	}
}

// sortFile sorts the documents of a file, and drops those that left it. The number of
// a removed document may belong to a new one of the same file, and be listed twice.
func (x *Index) sortFile(path string) []int32 {
	docs := slices.DeleteFunc(x.fileDocs[path], func(d int32) bool { return x.docs[d].id == "" || x.docs[d].path != path })
	slices.SortFunc(docs, func(a, b int32) int {
		return cmp.Or(x.docs[a].ordinal-x.docs[b].ordinal, int(a-b))
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

// splitFile splits the documents of a file into blocks, each under one heading.
func (x *Index) splitFile(path string, docs []int32) {
	for _, block := range x.fileBlocks[path] {
		x.blocks[block] = nil
		x.freeBlocks = append(x.freeBlocks, block)
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
	for len(docs) > 0 {
		n := blockSize
		if len(docs) <= maxBlock {
			n = len(docs)
		}
		block := x.newBlock(path, docs[:n])
		for i, d := range docs[:n] {
			x.blockOf[d] = blockPosition{block, none}
			if i < Reach && previous != none {
				x.blockOf[d].adjacent = previous
			}
		}
		if previous != none {
			members := x.blocks[previous]
			for _, d := range members[len(members)-Reach:] {
				x.blockOf[d].adjacent = block
			}
		}
		previous, docs = block, docs[n:]
	}
}

func (x *Index) newBlock(path string, docs []int32) int32 {
	block := int32(len(x.blocks))
	if n := len(x.freeBlocks); n > 0 {
		block, x.freeBlocks = x.freeBlocks[n-1], x.freeBlocks[:n-1]
	} else {
		x.blocks = append(x.blocks, nil)
	}
	x.blocks[block] = slices.Clone(docs)
	x.fileBlocks[path] = append(x.fileBlocks[path], block)
	return block
}

// Neighbours returns the ids of the documents whose cosines [Index.AddCosines] reads
// for some memories, and these.
func (x *Index) Neighbours(ids []memory.ID) []memory.ID {
	seen := map[memory.ID]bool{}
	var all []memory.ID
	add := func(id memory.ID) {
		if !seen[id] {
			seen[id] = true
			all = append(all, id)
		}
	}
	for _, id := range ids {
		if d, known := x.docIDs[id]; known {
			add(id)
			x.eachNeighbour(d, cosinePlaces, hidden{}, func(n neighbour) { add(x.docs[n.doc].id) })
		}
	}
	return all
}
