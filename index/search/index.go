// Package search is the in-memory search index. It holds the postings of words, the
// vectors, the neighbours of each memory in its file, and what an answer shows of
// it. A document is a memory as this index holds it, and consists of chunks.
//
// The index ranks by words in context: each term of a query counts at its best place
// among a document and its neighbours (docs/decisions/0001-ranking.md). It stores
// nothing, starts no goroutine and locks nothing. Many may search at the same time;
// whoever calls [Index.Replace] has to keep them out.
package search

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// Index holds documents. Documents and chunks are numbered, and most fields are
// slices by these numbers.
type Index struct {
	// by document
	docs           []doc
	windows        []window
	blockOf        []blockPosition
	questionBefore []int32 // the previous document under its heading, if that ends with a question; or none
	forgotten      []bool
	attributeIDs   []int32
	multiChunk     []bool // it has several chunks
	freeDocs       []int32
	forgottenCount int

	// by chunk
	chunkDoc    []int32   // its document, or none
	chunkLen    []float32 // its tokens
	chunkNorm   []float32 // the length that BM25 sees: longer in a document of several chunks
	chunkTokens [][]int32 // of text, context and parts, with none after each
	freeChunks  []int32
	deadChunks  int       // removed chunks that the postings still contain
	sets        []vectors // one for each embedding model; the first is that of the serving model

	chunkCount int
	tokenCount float64 // in all chunks

	vocabulary
	postings [][]posting // by token
	docFreq  []int32     // by token: the chunks that contain it

	docIDs     map[memory.ID]int32
	fileDocs   map[string][]int32 // the documents of a file, by ordinal
	fileBlocks map[string][]int32 // the blocks of a file
	blocks     []block            // without documents: the number is free
	freeBlocks []int32
	sections   sections

	speakers      map[speakerOf]int // the number of documents of each
	interned      interner
	attributeSets []*attributeSet // by their number; nil: no document has it
}

// none is the number of no document, chunk, block or token.
const none = int32(-1)

// New returns an empty index for the vectors of a model. A dim of 0 means no vectors.
func New(model string, dim int) *Index {
	return &Index{sets: []vectors{{model: model, dim: dim}}, vocabulary: newVocabulary(), interned: newInterner(),
		docIDs: map[memory.ID]int32{}, fileDocs: map[string][]int32{}, fileBlocks: map[string][]int32{}, sections: sections{ofFile: map[string][]int32{}}, speakers: map[speakerOf]int{}}
}

// AddModel makes an empty index hold the vectors of a second model as well.
func (x *Index) AddModel(model string, dim int) {
	x.sets = append(x.sets, vectors{model: model, dim: dim})
}

// HasModel reports whether the index has the vectors of a model.
func (x *Index) HasModel(model string, dim int) bool {
	set := x.setOf(model)
	return set != nil && set.model == model && set.dim == dim
}

// setOf returns the vectors of a model, or nil. An empty name is that of the serving
// model.
func (x *Index) setOf(model string) *vectors {
	for i := range x.sets {
		if model == "" || x.sets[i].model == model {
			return &x.sets[i]
		}
	}
	return nil
}

// Reserve makes room for as many new documents, which have a chunk each.
func (x *Index) Reserve(n int) {
	x.docs, x.windows = slices.Grow(x.docs, n), slices.Grow(x.windows, n)
	for i := range x.sets {
		set := &x.sets[i]
		set.steps, set.codes = slices.Grow(set.steps, n*set.dim), slices.Grow(set.codes, n*set.codeWords())
	}
}

// Len returns the number of documents.
func (x *Index) Len() int { return len(x.docIDs) }

// ShareIDs makes some ids share the memory of those of the documents.
func (x *Index) ShareIDs(ids []memory.ID) {
	for i, id := range ids {
		if d, known := x.docIDs[id]; known {
			ids[i] = x.docs[d].id
		}
	}
}

// HasForgotten reports whether the index has any forgotten document.
func (x *Index) HasForgotten() bool { return x.forgottenCount > 0 }

// Document is a memory to add to an index.
type Document struct {
	Memory      memory.Memory // as the answer shows it
	Ordinal     int           // its place in its file
	Speaker     string
	ContentHash [32]byte // of all its chunks; the zero value is never equal to another
	Chunks      []Chunk

	prepared doc
}

// Chunk is a part of a document.
type Chunk struct {
	ChunkText
	Vector []float32 // unit length; nil: there is none
	Second []float32 // likewise, of the model of AddModel

	tokens    []int32
	quantised [2]vector16 // in the order of the models
}

// ChunkText is what a chunk is found by: its columns in the keyword index.
type ChunkText struct{ Text, Context, Parts string }

// Prepare does the slow part of adding documents: it tokenizes and quantises them.
// It changes nothing that a search reads.
func (x *Index) Prepare(docs []Document) {
	t := tokenizer{vocabulary: &x.vocabulary}
	for i := range docs {
		d := &docs[i]
		d.prepared = x.newDocOf(d)
		same := x.hasContent(d)
		for j := range d.Chunks {
			c := &d.Chunks[j]
			for set, vector := range [...][]float32{c.Vector, c.Second} {
				if set < len(x.sets) {
					c.quantised[set] = quantise(vector, x.sets[set].dim)
				}
			}
			if !same {
				c.tokens = slices.Clip(t.tokenize(nil, &c.ChunkText))
			}
		}
	}
}

// Replace removes the documents of some memories, and adds prepared documents. Its
// time grows with the number of changed memories, and with the size of those files
// in which memories came, went or moved.
func (x *Index) Replace(changed []memory.ID, docs []Document) {
	added := map[memory.ID]bool{}
	for i := range docs {
		added[docs[i].Memory.ID] = true
	}
	files := map[string]bool{} // to be linked again
	for _, id := range changed {
		if d, known := x.docIDs[id]; known && !added[id] {
			files[x.docs[d].path] = true
			x.remove(id)
		}
	}
	for i := range docs {
		x.add(&docs[i], files)
	}
	for path := range files {
		x.linkFile(path)
	}
}

// hasContent reports whether the index has the chunks of a document as they are.
func (x *Index) hasContent(in *Document) bool {
	d, known := x.docIDs[in.Memory.ID]
	return known && in.ContentHash != [32]byte{} && x.docs[d].contentHash == in.ContentHash && len(x.docs[d].chunks) == len(in.Chunks)
}

// add adds a prepared document, in place of an older version. It notes the files that
// have to be linked afterwards.
func (x *Index) add(in *Document, files map[string]bool) {
	x.commitTokens()
	stored := in.prepared
	d, known := x.docIDs[stored.id]
	switch {
	case x.hasContent(in):
		old := &x.docs[d]
		stored.chunks = old.chunks
		if old.isAt(&stored) {
			stored.prev, stored.next = old.prev, old.next
		} else {
			files[old.path], files[stored.path] = true, true
			x.blockOf[d] = blockPosition{none, none}
		}
		if old.path != stored.path {
			x.fileDocs[stored.path] = append(x.fileDocs[stored.path], d)
		}
		x.countSpeaker(d, -1)
	default:
		if known {
			files[x.docs[d].path] = true
			x.remove(stored.id)
		}
		d = x.newDoc()
		for i := range in.Chunks {
			stored.chunks = append(stored.chunks, x.addChunk(d, in.Chunks[i].tokens))
		}
		x.blockOf[d] = blockPosition{none, none}
		x.fileDocs[stored.path] = append(x.fileDocs[stored.path], d)
		files[stored.path] = true
	}
	for i, c := range stored.chunks {
		for set := range x.sets {
			x.sets[set].set(c, in.Chunks[i].quantised[set])
		}
	}
	x.docs[d], x.multiChunk[d] = stored, len(stored.chunks) > 1
	x.setAttributes(d, stored.attributes)
	x.docIDs[stored.id] = d
	x.countSpeaker(d, 1)
}

// newDoc returns the number of a document without content.
func (x *Index) newDoc() int32 {
	if n := len(x.freeDocs); n > 0 {
		d := x.freeDocs[n-1]
		x.freeDocs = x.freeDocs[:n-1]
		return d
	}
	x.docs = append(x.docs, doc{})
	x.windows, x.blockOf = append(x.windows, noWindow), append(x.blockOf, blockPosition{none, none})
	x.forgotten, x.attributeIDs = append(x.forgotten, false), append(x.attributeIDs, 0)
	x.multiChunk, x.questionBefore = append(x.multiChunk, false), append(x.questionBefore, none)
	x.sections.of = append(x.sections.of, none)
	return int32(len(x.docs) - 1)
}

func (x *Index) setAttributes(d int32, a *attributeSet) {
	x.attributeIDs[d] = a.id
	if n := int(a.id) + 1 - len(x.attributeSets); n > 0 {
		x.attributeSets = append(x.attributeSets, make([]*attributeSet, n)...)
	}
	x.attributeSets[a.id] = a
	x.setForgotten(d, a.forgotten)
}

func (x *Index) setForgotten(d int32, forgotten bool) {
	if x.forgotten[d] {
		x.forgottenCount--
	}
	if forgotten {
		x.forgottenCount++
	}
	x.forgotten[d] = forgotten
}

// speakerOf is the speaker of documents with the same attributes.
type speakerOf struct {
	name         string // the first name
	attributesID int32
}

// countSpeaker counts a document with the speaker and the attributes that it has now.
func (x *Index) countSpeaker(d int32, n int) {
	of := speakerOf{x.docs[d].speaker, x.attributeIDs[d]}
	if of.name == "" {
		return
	}
	if x.speakers[of] += n; x.speakers[of] == 0 {
		delete(x.speakers, of)
	}
}

// remove removes the document of a memory. Its number is free for another one after
// its file is linked, which takes it from the list of the file.
func (x *Index) remove(id memory.ID) {
	d, known := x.docIDs[id]
	if !known {
		return
	}
	old := &x.docs[d]
	x.countSpeaker(d, -1)
	for _, c := range old.chunks {
		x.removeChunk(c)
	}
	x.setForgotten(d, false)
	x.docs[d] = doc{prev: none, next: none}
	x.windows[d] = noWindow
	delete(x.docIDs, id)
	x.freeDocs = append(x.freeDocs, d)
}
