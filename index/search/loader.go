package search

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// Loader fills an empty index from tables that are read one after another. It reads
// all chunks, then all memories, then all places, in the order in which they lie on
// disk. [Loader.Build] makes the index searchable, and vectors come last.
type Loader struct {
	x         *Index
	tokenizer tokenizer
	tokens    [][]int32 // by chunk, in the order of the chunks

	lastChunk   map[[32]byte]int32 // the last chunk with a fingerprint
	sameAsChunk []int32            // by chunk: the one before with the same fingerprint, or none
}

// Loader returns a loader of about n chunks. The index has to be empty.
func (x *Index) Loader(n int) *Loader {
	l := &Loader{x: x, tokenizer: tokenizer{vocabulary: &x.vocabulary}, tokens: make([][]int32, 0, n),
		lastChunk: map[[32]byte]int32{}, sameAsChunk: make([]int32, 0, n)}
	// Nearly every chunk is a memory of its own.
	x.docs, x.windows, x.blockOf = slices.Grow(x.docs, n), slices.Grow(x.windows, n), slices.Grow(x.blockOf, n)
	x.forgotten, x.attributeIDs, x.multiChunk = slices.Grow(x.forgotten, n), slices.Grow(x.attributeIDs, n), slices.Grow(x.multiChunk, n)
	x.questionBefore = slices.Grow(x.questionBefore, n)
	x.docIDs = make(map[memory.ID]int32, n)
	x.chunkDoc, x.chunkLen, x.chunkNorm = slices.Grow(x.chunkDoc, n), slices.Grow(x.chunkLen, n), slices.Grow(x.chunkNorm, n)
	for i := range x.sets {
		x.sets[i].reserve(n)
	}
	return l
}

// AddChunk adds the next chunk, and its memory when it is the first chunk of it.
// fingerprint names the chunk's vector.
func (l *Loader) AddChunk(id memory.ID, speaker, text string, fingerprint [32]byte) {
	x, c := l.x, int32(len(l.x.chunkDoc))
	d := int32(len(x.docs) - 1)
	if d < 0 || x.docs[d].id != id {
		var known bool
		if d, known = x.docIDs[id]; !known {
			d = x.newDoc()
			x.docIDs[id] = d
			x.docs[d] = doc{id: id, speaker: x.interned.str(speaker), prev: none, next: none}
		}
	}
	x.docs[d].chunks = append(x.docs[d].chunks, c)
	x.docs[d].addText(text)
	x.chunkDoc, x.chunkLen, x.chunkNorm = append(x.chunkDoc, d), append(x.chunkLen, 0), append(x.chunkNorm, 0)
	x.growVectors()
	previous := none
	if other, known := l.lastChunk[fingerprint]; known {
		previous = other
	}
	l.lastChunk[fingerprint], l.sameAsChunk = c, append(l.sameAsChunk, previous)
}

// growVectors makes room for the vectors of another chunk.
func (x *Index) growVectors() {
	for i := range x.sets {
		x.sets[i].grow()
	}
}

// Tokenize tokenizes chunks, in the order of AddChunk. One other goroutine may call it
// while this one calls the methods that add.
func (l *Loader) Tokenize(chunks []ChunkText) {
	var tokens []int32
	for i := range chunks {
		tokens = l.tokenizer.tokenize(tokens[:0], &chunks[i])
		l.tokens = append(l.tokens, l.tokenizer.copyTokens(tokens))
	}
}

// AddMemory adds what is known of a memory, except its place. A memory without chunks
// is left out.
func (l *Loader) AddMemory(m *memory.Memory, contentHash [32]byte) {
	x := l.x
	d, known := x.docIDs[m.ID]
	if !known {
		return
	}
	stored := &x.docs[d]
	stored.setFields(m, &x.interned)
	stored.contentHash = contentHash
	x.multiChunk[d] = len(stored.chunks) > 1
	x.setAttributes(d, stored.attributes)
	x.countSpeaker(d, 1)
}

// AddPlace adds where a memory is.
func (l *Loader) AddPlace(id memory.ID, p Place) {
	x := l.x
	d, known := x.docIDs[id]
	if !known || x.docs[d].attributes == nil {
		return
	}
	x.docs[d].setPlace(&p, &x.interned)
	x.fileDocs[x.docs[d].path] = append(x.fileDocs[x.docs[d].path], d)
}

// Build makes the index searchable by words. Every chunk has to be tokenized. Chunks
// without a memory or a place are removed.
func (l *Loader) Build() {
	x := l.x
	x.chunkTokens = l.tokens
	x.commitTokens()
	x.buildPostings()
	for d := range x.docs {
		stored := &x.docs[d]
		if stored.attributes == nil { // AddMemory never counted its speaker
			stored.speaker = ""
		}
		if stored.attributes == nil || stored.path == "" {
			x.remove(stored.id)
		}
	}
	for path := range x.fileDocs {
		x.linkFile(path)
	}
}

// AddVector adds the vector that a model of the index made of a fingerprint to all
// chunks that have it.
func (l *Loader) AddVector(model string, fingerprint [32]byte, vector []float32) {
	c, known := l.lastChunk[fingerprint]
	if !known {
		return
	}
	set := l.x.setOf(model)
	q := quantise(vector, set.dim)
	for ; c != none; c = l.sameAsChunk[c] {
		if l.x.chunkDoc[c] != none {
			set.set(c, q)
		}
	}
}
