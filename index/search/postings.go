package search

import "slices"

// columnCount is the number of columns in the keyword index: text, context, parts.
const columnCount = 3

// columnWeights are the weights of the columns in BM25, in tenths. A word in a
// heading, a date or a file name says less about a memory than one in its text. So
// does a part of a longer word.
var columnWeights = [columnCount]uint16{10, 4, 5}

const contextColumn = 1

// posting is an entry of a token's postings: a chunk that contains the token.
type posting struct {
	chunk  int32
	tf     uint16 // term frequency in tenths, weighted by column
	inText bool   // it is in the text or the parts, not only in the context
}

// add counts more occurrences. It stops at a number where BM25 hardly rises any more.
func (p *posting) add(more posting) {
	p.tf = min(p.tf, 1<<15) + min(more.tf, 1<<14)
	p.inText = p.inText || more.inText
}

// vocabulary numbers the tokens. A new token is pending until commitTokens: searches
// that run meanwhile do not see it.
type vocabulary struct {
	ids           map[string]int32 // the number of each token
	tokens        []string         // by number
	byWord        map[string]int32 // the token of each word as written, or none
	pending       map[string]int32 // the numbers of pending tokens
	pendingTokens []string         // these in the order of their numbers
}

func newVocabulary() vocabulary {
	return vocabulary{ids: map[string]int32{}, byWord: map[string]int32{}, pending: map[string]int32{}}
}

// commitTokens makes pending tokens visible to searches.
func (x *Index) commitTokens() {
	for _, token := range x.pendingTokens {
		x.ids[token] = int32(len(x.tokens))
		x.tokens, x.postings, x.docFreq = append(x.tokens, token), append(x.postings, nil), append(x.docFreq, 0)
	}
	if len(x.pendingTokens) > 0 {
		clear(x.pending)
		x.pendingTokens = x.pendingTokens[:0]
	}
}

// addChunk adds a chunk to a document and to the postings of its tokens.
func (x *Index) addChunk(d int32, tokens []int32) int32 {
	c := int32(len(x.chunkDoc))
	if n := len(x.freeChunks); n > 0 {
		c, x.freeChunks = x.freeChunks[n-1], x.freeChunks[:n-1]
	} else {
		x.growChunks()
	}
	x.chunkDoc[c], x.chunkTokens[c] = d, tokens
	x.addPostings(c)
	return c
}

// growChunks makes room for one more chunk.
func (x *Index) growChunks() {
	x.chunkDoc, x.chunkLen, x.chunkNorm = append(x.chunkDoc, none), append(x.chunkLen, 0), append(x.chunkNorm, 0)
	x.chunkTokens = append(x.chunkTokens, nil)
	for i := range x.sets {
		x.sets[i].grow()
	}
}

// addPostings counts the tokens of a chunk and adds it to their postings.
func (x *Index) addPostings(c int32) {
	size, column := len(x.chunkTokens[c])-columnCount, 0
	x.chunkLen[c], x.chunkNorm[c] = float32(size), float32(size)
	x.chunkCount++
	x.tokenCount += float64(size)
	for _, token := range x.chunkTokens[c] {
		if token == none {
			column++
			continue
		}
		p, list := posting{c, columnWeights[column], column != contextColumn}, x.postings[token]
		if n := len(list); n > 0 && list[n-1].chunk == c {
			list[n-1].add(p)
			continue
		}
		x.postings[token] = append(list, p)
		x.docFreq[token]++
	}
}

// minDead is the number of removed chunks from which Compact is worth its walk
// through all postings.
const minDead = 1024

// removeChunk removes a chunk. Its postings stay until Compact.
func (x *Index) removeChunk(c int32) {
	seen := map[int32]bool{none: true}
	for _, token := range x.chunkTokens[c] {
		if !seen[token] {
			seen[token] = true
			x.docFreq[token]--
		}
	}
	x.chunkCount--
	x.tokenCount -= float64(x.chunkLen[c])
	x.chunkDoc[c], x.chunkLen[c], x.chunkTokens[c] = none, 0, nil
	for i := range x.sets {
		x.sets[i].set(c, vector16{})
	}
	if x.deadChunks++; x.deadChunks > minDead && x.deadChunks > x.chunkCount/2 {
		x.Compact()
	}
}

// Compact removes the postings of dead chunks, so that their numbers are free again. The
// others have no room to spare then.
func (x *Index) Compact() {
	for token, list := range x.postings {
		x.postings[token] = slices.Clone(slices.DeleteFunc(list, func(p posting) bool { return x.chunkDoc[p.chunk] == none }))
	}
	x.freeChunks, x.deadChunks = x.freeChunks[:0], 0
	for c, d := range x.chunkDoc {
		if d == none {
			x.freeChunks = append(x.freeChunks, int32(c))
		}
	}
}
