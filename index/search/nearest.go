package search

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
)

// Up to maxExact vectors are compared one by one. Of more, the signs are compared,
// and the best rerankCount again in full. With 100,000 vectors of 256 numbers that
// is some twenty times faster, and finds 99 of 100 of the same ten. With 1,000,000
// of 384 it is likewise.
const (
	maxExact    = 4096
	rerankCount = 800
)

// docCosine is a document with the cosine of its nearest chunk.
type docCosine struct {
	doc    int32
	cosine float32
}

func (x *Index) toCandidates(all []docCosine) []memory.Candidate {
	candidates := make([]memory.Candidate, len(all))
	for i, n := range all {
		raw := float64(n.cosine)
		candidates[i] = memory.Candidate{ID: x.docs[n.doc].id, Raw: raw, Score: VectorScore(raw)}
	}
	return candidates
}

// nearestMatching returns the k nearest documents that match, nearest first.
func (x *Index) nearestMatching(q queryVector, f Filter, k int) []docCosine {
	buffers := nearestPool.Get().(*nearestBuffers)
	defer nearestPool.Put(buffers)
	if f.restricted {
		return x.bestOfChunks(buffers, q, x.chunksWithVectors(q.set, f.docs), k, f.matches)
	}
	for n := max(rerankCount, 4*k); ; n *= 8 {
		chunks, all := x.nearestBySigns(buffers, q, n, f.hidden)
		found := x.bestOfChunks(buffers, q, chunks, k, f.matches)
		if len(found) == k || all {
			return found
		}
	}
}

func (x *Index) chunksWithVectors(set *vectors, docs []int32) (chunks []int32) {
	for _, d := range docs {
		for _, c := range x.docs[d].chunks {
			if set.has[c] {
				chunks = append(chunks, c)
			}
		}
	}
	return chunks
}

// nearestBuffers holds memory for the chunks of one query and their cosines.
type nearestBuffers struct {
	distances []uint16 // by chunk
	counts    []int    // by distance
	chunks    []int32
	found     []docCosine
	cosines   []float32
	order     []int32
}

var nearestPool = sync.Pool{New: func() any { return new(nearestBuffers) }}

// bestOfChunks returns the k nearest documents of some chunks, nearest first.
func (x *Index) bestOfChunks(buffers *nearestBuffers, q queryVector, chunks []int32, k int, matches func(int32) bool) []docCosine {
	found := slices.Grow(buffers.found[:0], len(chunks))
	place := map[int32]int{} // in found, of a document of several chunks
	for _, c := range chunks {
		d := x.chunkDoc[c]
		if !matches(d) {
			continue
		}
		cosine := float32(q.set.cosine(c, q.vector16))
		if x.multiChunk[d] {
			if i, again := place[d]; again {
				found[i].cosine = max(found[i].cosine, cosine)
				continue
			}
			place[d] = len(found)
		}
		found = append(found, docCosine{d, cosine})
	}
	cosines, order := buffers.cosines[:0], buffers.order[:0]
	for i := range found {
		cosines, order = append(cosines, found[i].cosine), append(order, int32(i))
	}
	buffers.found, buffers.cosines, buffers.order = found, cosines, order
	order = TopByScore(order, k, cosines, func(a, b int32) int {
		return strings.Compare(string(x.docs[found[a].doc].id), string(x.docs[found[b].doc].id))
	})
	best := make([]docCosine, len(order))
	for i, at := range order {
		best[i] = found[at]
	}
	return best
}

// nearestBySigns returns at least n chunks whose signs differ least from the query's:
// all up to the distance at which there are n. all reports that there are no others. Hidden
// documents take no place.
func (x *Index) nearestBySigns(buffers *nearestBuffers, q queryVector, n int, h hidden) (chunks []int32, all bool) {
	v := q.set
	chunks = buffers.chunks[:0]
	defer func() { buffers.chunks = chunks }()
	if len(v.has)-int(h.chunks) <= max(n, maxExact) {
		for c, has := range v.has {
			if has && !h.hasChunk(x, int32(c)) {
				chunks = append(chunks, int32(c))
			}
		}
		return chunks, true
	}
	buffers.distances = slices.Grow(buffers.distances[:0], len(v.has))[:len(v.has)]
	buffers.counts = slices.Grow(buffers.counts[:0], v.dim+2)[:v.dim+2]
	distances, counts := buffers.distances, buffers.counts
	clear(counts)
	v.hammingDistances(q.code, distances, counts)
	if h.attributes != nil {
		for c, distance := range distances {
			if int(distance) <= v.dim && h.hasChunk(x, int32(c)) {
				counts[distance]--
				distances[c] = uint16(v.dim + 1)
			}
		}
	}
	limit, count := 0, counts[0]
	for limit < v.dim && count < n {
		limit++
		count += counts[limit]
	}
	for c, distance := range distances {
		if int(distance) <= limit {
			chunks = append(chunks, int32(c))
		}
	}
	return chunks, limit == v.dim
}

// hammingDistances counts the bits in which the code of each chunk differs, and the
// chunks at each distance. A chunk without a vector is farther than any other.
func (v *vectors) hammingDistances(code []uint64, distances []uint16, counts []int) {
	rest := v.codes
	for c := range distances {
		distance := hammingDistance(rest, code)
		rest = rest[len(code):]
		if !v.has[c] {
			distance = v.dim + 1
		}
		distances[c] = uint16(distance)
		counts[distance]++
	}
}

// hammingDistance counts the bits in which a code and the first words of others differ.
func hammingDistance(others, code []uint64) (distance int) {
	if len(code) == 4 && len(others) >= 4 { // of the binary's own table
		return bits.OnesCount64(others[0]^code[0]) + bits.OnesCount64(others[1]^code[1]) +
			bits.OnesCount64(others[2]^code[2]) + bits.OnesCount64(others[3]^code[3])
	}
	for i, word := range code {
		distance += bits.OnesCount64(others[i] ^ word)
	}
	return distance
}

// ownCosineShare is the share of a document's own cosine that counts where none of its
// neighbours has more. Without it a document without neighbours, or among long texts,
// would lose against every other.
const ownCosineShare = 0.7

// cosinePlaces is how many places away a neighbour's cosine counts.
const cosinePlaces = 2

func (q *query) hasVector() bool { return len(q.vector.steps) > 0 }
func (q *query) hasRest() bool   { return len(q.rest.steps) > 0 }

// addCosines adds to the signals what the vectors tell.
func (x *Index) addCosines(q *query, s *memory.Signals, d int32) {
	if q.hasVector() {
		s.MeanCosine, s.Cosine = q.meanCosine, x.cosine(d, q.vector)
		s.NeighbourCosine = x.neighbourCosine(d, q.vector, s.Cosine, q.filter.hidden)
	}
	if q.hasRest() {
		s.RestLift = x.cosine(d, q.rest) - q.meanRest
	}
}

// cosine returns the cosine of a document's nearest chunk, or 0 without a vector.
func (x *Index) cosine(d int32, q queryVector) (best float64) {
	first := true
	for _, c := range x.docs[d].chunks {
		if !q.set.has[c] {
			continue
		}
		if cosine := q.set.cosine(c, q.vector16); first || cosine > best {
			best, first = cosine, false
		}
	}
	return best
}

// neighbourCosine returns the highest cosine among two neighbours on each side,
// less for long ones, and at least a share of the document's own. It looks at
// neighbours only where somebody speaks. What is said is answered by what is said
// next. The neighbours of a plain text tell nothing about it.
func (x *Index) neighbourCosine(d int32, q queryVector, own float64, h hidden) float64 {
	best := max(0, ownCosineShare*own)
	if x.docs[d].speaker == "" {
		return best
	}
	x.eachNeighbour(d, cosinePlaces, h, func(n neighbour) {
		best = max(best, n.lengthWeight*x.cosine(n.doc, q))
	})
	return best
}

// SetVector sets the vector that a model of the index made of the n-th chunk of a memory,
// if the index has the chunk.
func (x *Index) SetVector(model string, id memory.ID, n int, vector []float32) {
	if d, known := x.docIDs[id]; known && n < len(x.docs[d].chunks) {
		set := x.setOf(model)
		set.set(x.docs[d].chunks[n], quantise(vector, set.dim))
	}
}
