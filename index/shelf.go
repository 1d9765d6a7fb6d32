package index

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// searchIndex holds memories as the lanes need them, in memory: their words, their
// vectors, who stands beside whom, and what is shown of them. It knows no SQL
// and no lock. A shelf of everything is what makes recall fast ([DB.Load]);
// without one, a shelf of what a query could be about is made for it
// (beside.go), and both rank alike.
type searchIndex struct {
	model string // whose vectors they are
	dim   int    // of the vectors; 0: there are none

	docs           []doc
	neighbours     []neighbourList    // by slot
	blockOf        []blockPosition    // by slot
	blocks         [][]int32          // neighbours that are looked at together
	fileBlocks     map[string][]int32 // a file's blocks
	freeBlocks     []int32            // blocks that nobody stands in
	forgotten      []bool             // by slot
	attributeIDs   []int32            // by slot: the number of what it is like
	maxAttributeID int32              // the highest of these
	multiChunk     []bool             // by slot: it has more than one leaf
	forgottenCount int                // how many of them are
	docIDs         map[memory.ID]int32
	fileDocs       map[string][]int32 // a file's memories, by ordinal
	freeDocs       []int32            // memory slots that nobody has
	speakers       map[string]int     // how many memories each says, by the name as it is written
	interned       interner

	chunkDoc    []int32   // by leaf (a chunk): the memory's slot, or none
	chunkLen    []float32 // by leaf: how many tokens it has
	chunkNorm   []float32 // likewise, in context: more, where its memory has several leaves
	chunkTokens [][]int32 // by leaf: its tokens: text, context, parts, with none between the columns
	freeChunks  []int32   // leaves that nobody has
	deadChunks  int       // leaves taken down that the lists still speak of
	vectors     vectors

	vocabulary
	postings [][]posting // by token: the leaves that hold it
	docFreq  []int32     // by token: how many leaves do

	chunkCount int     // leaves there are
	tokenCount float64 // in all of them
}

// doc is one memory.
type doc struct {
	docFields
	id          memory.ID // empty: the slot is free
	path        string
	ordinal     int
	heading     string
	prev, next  int32 // neighbours under the same heading, or none
	chunks      []int32
	contentHash hash // of what the leaves hold
	textBytes   int  // bytes of its text
	speaker     string
	isQuestion  bool // its text ends with a question mark
}

// posting says that a leaf holds a token.
type posting struct {
	chunk  int32
	tf     uint16 // how often, weighed by the columns, in tenths
	inText bool   // its text or parts do, not only what stands round it
}

const none = int32(-1)

func newSearchIndex(m model) *searchIndex {
	return &searchIndex{model: m.name, vectors: vectors{dim: m.dim}, dim: m.dim, docIDs: map[memory.ID]int32{}, fileDocs: map[string][]int32{}, fileBlocks: map[string][]int32{}, speakers: map[string]int{},
		interned: newInterner(), vocabulary: newVocabulary()}
}

// inputDoc is a memory on its way from the tables, and made ready: putting it on
// the shelf is quick then, and nobody waits long.
type inputDoc struct {
	doc
	forgotten bool
	chunks    []inputChunk
}

type inputChunk struct {
	chunkText
	vector []float32

	tokens    []int32
	quantised vector16
}

// prepare does what changes nothing on the shelf that a reader sees.
func (x *searchIndex) prepare(m *inputDoc) {
	for i := range m.chunks {
		c := &m.chunks[i]
		c.quantised = quantise(c.vector, x.dim)
		if !x.has(m) {
			c.tokens = slices.Clip((&chunkTokeniser{s: x}).tokenise(nil, &c.chunkText))
		}
	}
}

// has says whether the words of a memory are on the shelf as they are now.
func (x *searchIndex) has(m *inputDoc) bool {
	at, known := x.docIDs[m.id]
	return known && m.contentHash != (hash{}) && x.docs[at].contentHash == m.contentHash && len(x.docs[at].chunks) == len(m.chunks)
}

// add shelves a memory that was prepared, in place of what was there of it. Its
// file has to be linked afterwards.
func (x *searchIndex) add(m inputDoc) {
	x.commitTokens()
	at, known := x.docIDs[m.id]
	if x.has(&m) {
		x.detach(at)
		m.doc.chunks = x.docs[at].chunks
	} else {
		if known {
			x.remove(m.id)
		}
		at = x.newDoc()
		for i := range m.chunks {
			m.doc.chunks = append(m.doc.chunks, x.addChunk(at, &m.chunks[i]))
		}
	}
	for i := range m.chunks {
		x.vectors.set(m.doc.chunks[i], m.chunks[i].quantised)
	}
	m.prev, m.next = none, none
	x.docs[at], x.multiChunk[at] = m.doc, len(m.chunks) > 1
	if m.attributes != nil { // on a shelf made for one query it is not known
		x.attributeIDs[at], x.maxAttributeID = m.attributes.id, max(x.maxAttributeID, m.attributes.id)
	}
	x.blockOf[at] = blockPosition{none, none}
	x.docIDs[m.id] = at
	x.fileDocs[m.path] = append(x.fileDocs[m.path], at)
	x.setForgotten(at, m.forgotten)
	if m.speaker != "" {
		x.speakers[m.speaker]++
	}
}

func (x *searchIndex) newDoc() int32 {
	if n := len(x.freeDocs); n > 0 {
		at := x.freeDocs[n-1]
		x.freeDocs = x.freeDocs[:n-1]
		return at
	}
	x.docs = append(x.docs, doc{})
	x.neighbours, x.blockOf = append(x.neighbours, noNeighbours), append(x.blockOf, blockPosition{none, none})
	x.forgotten, x.attributeIDs = append(x.forgotten, false), append(x.attributeIDs, 0)
	x.multiChunk = append(x.multiChunk, false)
	return int32(len(x.docs) - 1)
}

func (x *searchIndex) setForgotten(at int32, forgotten bool) {
	if x.forgotten[at] {
		x.forgottenCount--
	}
	if forgotten {
		x.forgottenCount++
	}
	x.forgotten[at] = forgotten
}

// detach takes a memory out of its file and its speaker's count.
func (x *searchIndex) detach(at int32) {
	m := &x.docs[at]
	x.fileDocs[m.path] = slices.DeleteFunc(x.fileDocs[m.path], func(other int32) bool { return other == at })
	if len(x.fileDocs[m.path]) == 0 {
		delete(x.fileDocs, m.path)
	}
	if m.speaker != "" {
		if x.speakers[m.speaker]--; x.speakers[m.speaker] == 0 {
			delete(x.speakers, m.speaker)
		}
	}
}

// remove takes a memory down.
func (x *searchIndex) remove(id memory.ID) {
	at, known := x.docIDs[id]
	if !known {
		return
	}
	x.detach(at)
	for _, l := range x.docs[at].chunks {
		x.removeChunk(l)
	}
	x.setForgotten(at, false)
	x.docs[at] = doc{prev: none, next: none}
	x.neighbours[at] = noNeighbours
	delete(x.docIDs, id)
	x.freeDocs = append(x.freeDocs, at)
}

// addChunk gives a chunk a number and enters its tokens into the lists.
func (x *searchIndex) addChunk(owner int32, c *inputChunk) int32 {
	at := int32(len(x.chunkDoc))
	if n := len(x.freeChunks); n > 0 {
		at, x.freeChunks = x.freeChunks[n-1], x.freeChunks[:n-1]
	} else {
		x.chunkDoc, x.chunkLen, x.chunkTokens = append(x.chunkDoc, none), append(x.chunkLen, 0), append(x.chunkTokens, nil)
		x.chunkNorm = append(x.chunkNorm, 0)
		x.vectors.grow()
	}
	x.chunkDoc[at], x.chunkTokens[at] = owner, c.tokens
	x.addPostings(at)
	return at
}

// removeChunk leaves a chunk's entries in the lists until enough of them are dead.
func (x *searchIndex) removeChunk(at int32) {
	seen := map[int32]bool{none: true}
	for _, id := range x.chunkTokens[at] {
		if !seen[id] {
			seen[id] = true
			x.docFreq[id]--
		}
	}
	x.chunkCount--
	x.tokenCount -= float64(x.chunkLen[at])
	x.chunkDoc[at], x.chunkLen[at], x.chunkTokens[at] = none, 0, nil
	x.vectors.set(at, vector16{})
	const worthIt = 1024 // sweeping looks at every list
	if x.deadChunks++; x.deadChunks > worthIt && x.deadChunks > x.chunkCount/2 {
		x.compact()
	}
}

// compact takes the dead out of the lists, so that their slots can be used again.
func (x *searchIndex) compact() {
	for id, list := range x.postings {
		x.postings[id] = slices.DeleteFunc(list, func(p posting) bool { return x.chunkDoc[p.chunk] == none })
	}
	x.freeChunks, x.deadChunks = x.freeChunks[:0], 0
	for at, owner := range x.chunkDoc {
		if owner == none {
			x.freeChunks = append(x.freeChunks, int32(at))
		}
	}
}
