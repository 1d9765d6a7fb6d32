package index

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
)

// Up to exactly vectors are compared one by one. Beyond it their signs are, and
// the best closer of them exactly: at 100,000 × 256 that is some twenty times
// faster and finds 99 of 100 of the same ten (1,000,000 × 384: likewise).
const (
	maxExact    = 4096
	rerankCount = 800
)

// vectors are those of the leaves, by their numbers, in 16 bits a number: half of
// what floats take, and the cosines are off by some millionths.
type vectors struct {
	dim    int
	has    []bool // it has one that says something
	scales []float32
	steps  []int16   // dim a leaf; times its scale they are the vector
	codes  []uint64  // their signs, a bit a number, lowest first
	sum    vectorSum // of them all
}

// vector16 is one vector as they are kept. Without steps it is none.
type vector16 struct {
	steps []int16
	scale float32
	code  []uint64
}

// quantise gives nothing for a vector of zeros, or of another length.
func quantise(v []float32, dim int) (q vector16) {
	if dim == 0 || len(v) != dim {
		return q
	}
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	if most == 0 {
		return q
	}
	q = vector16{make([]int16, dim), most / math.MaxInt16, make([]uint64, (dim+63)/64)}
	const up = 1 << 15 // cutting off what follows the point rounds what is above zero
	for i, x := range v {
		q.steps[i] = int16(int32(x/q.scale+up+0.5) - up)
		if x > 0 {
			q.code[i/64] |= 1 << (i % 64)
		}
	}
	return q
}

func (v *vectors) grow() {
	v.has, v.scales = append(v.has, false), append(v.scales, 0)
	v.steps = append(v.steps, make([]int16, v.dim)...)
	v.codes = append(v.codes, make([]uint64, v.words())...)
}

// reserve makes room for so many more.
func (v *vectors) reserve(n int) {
	v.has, v.scales = slices.Grow(v.has, n), slices.Grow(v.scales, n)
	v.steps, v.codes = slices.Grow(v.steps, n*v.dim), slices.Grow(v.codes, n*v.words())
}

func (v *vectors) words() int { return (v.dim + 63) / 64 }

func (v *vectors) set(at int32, q vector16) {
	if v.has[at] {
		v.sum.add(v.steps[int(at)*v.dim:][:v.dim], v.scales[at], -1)
	}
	if v.has[at] = len(q.steps) > 0; v.has[at] {
		v.sum.add(q.steps, q.scale, 1)
		v.scales[at] = q.scale
		copy(v.steps[int(at)*v.dim:], q.steps)
		copy(v.codes[int(at)*v.words():], q.code)
	}
}

// dot is the cosine of a leaf's vector with the query's.
func (v *vectors) dot(at int32, q vector16) float64 {
	return dot(q.steps, v.steps[int(at)*v.dim:][:len(q.steps)]) * float64(q.scale) * float64(v.scales[at])
}

// cosine is a memory's: that of its nearest chunk, 0 where it has no vector.
func (x *searchIndex) cosine(at int32, q vector16) (best float64) {
	first := true
	for _, l := range x.docs[at].chunks {
		if !x.vectors.has[l] {
			continue
		}
		if c := x.vectors.dot(l, q); first || c > best {
			best, first = c, false
		}
	}
	return best
}

// ownCosineShare is what a memory's own cosine counts where none of
// its neighbours says more. Without it a memory that stands alone under its
// heading, or among long texts, would lose against every other.
const ownCosineShare = 0.7

// cosineNeighbours is how far on each side a neighbour's cosine counts.
const cosineNeighbours = 2

// neighbourCosine is the largest cosine among the two neighbours on each side, less
// the farther they are, and never less than a share of the memory's own. Only
// what somebody says is answered by what is said next: neighbours of a plain
// text say nothing of it.
func (x *searchIndex) neighbourCosine(at int32, q vector16, own float64, forgotten memory.Inclusion) float64 {
	best := max(0, ownCosineShare*own)
	if x.docs[at].speaker == "" {
		return best
	}
	x.eachNeighbour(at, cosineNeighbours, forgotten, func(n neighbour) {
		best = max(best, n.lengthWeight*x.cosine(n.doc, q))
	})
	return best
}

// hasModel says whether a model's vectors are those on the shelf.
func (x *searchIndex) hasModel(m model) bool { return x.model == m.name && x.dim == m.dim }

// docCosine is a memory, by its slot, and the cosine of its nearest chunk.
type docCosine struct {
	doc    int32
	cosine float32
}

// toCandidates are those that lie close, as a lane gives them.
func (x *searchIndex) toCandidates(all []docCosine) []memory.Candidate {
	out := make([]memory.Candidate, len(all))
	for i, c := range all {
		raw := float64(c.cosine)
		out[i] = memory.Candidate{ID: x.docs[c.doc].id, Raw: raw, Score: vectorScore(raw)}
	}
	return out
}

// docsOf gives those of some memories that are on the shelf.
func (x *searchIndex) docsOf(all []memory.Candidate) (slots []int32) {
	for _, c := range all {
		if at, known := x.docIDs[c.ID]; known {
			slots = append(slots, at)
		}
	}
	return slots
}

// nearestMatching gives the k nearest memories that a predicate lets through.
func (x *searchIndex) nearestMatching(q vector16, p memory.Predicate, k int) []docCosine {
	if len(p.IDs) > 0 {
		return x.bestOfChunks(q, x.chunksWithVectors(p.IDs), k, x.compile(p))
	}
	return x.nearest(q, k, x.compile(p))
}

// nearest gives the k nearest memories that are let through, nearest first.
func (x *searchIndex) nearest(q vector16, k int, lets func(int32) bool) []docCosine {
	for n := max(rerankCount, 4*k); ; n *= 8 {
		tried, all := x.nearestBySigns(q, n)
		found := x.bestOfChunks(q, tried, k, lets)
		if len(found) == k || all {
			return found
		}
	}
}

// bestOfChunks keeps the k best memories of some leaves.
func (x *searchIndex) bestOfChunks(q vector16, leaves []int32, k int, lets func(int32) bool) []docCosine {
	near := make([]float32, len(leaves)) // by place in found
	found, among := make([]int32, 0, len(leaves)), make([]int32, 0, len(leaves))
	where := map[int32]int{} // in found, of a memory of several leaves
	for _, l := range leaves {
		at := x.chunkDoc[l]
		if !lets(at) {
			continue
		}
		cosine := float32(x.vectors.dot(l, q))
		if x.multiChunk[at] {
			if i, again := where[at]; again {
				near[i] = max(near[i], cosine)
				continue
			}
			where[at] = len(found)
		}
		near[len(found)] = cosine
		among = append(among, int32(len(found)))
		found = append(found, at)
	}
	among = topByScore(among, k, near, func(a, b int32) int {
		return strings.Compare(string(x.docs[found[a]].id), string(x.docs[found[b]].id))
	})
	out := make([]docCosine, len(among))
	for n, i := range among {
		out[n] = docCosine{found[i], near[i]}
	}
	return out
}

// distanceBuffers are how far each leaf's signs are from a query's. They come from a
// pool and go back there.
var distanceBuffers = sync.Pool{New: func() any { return new([]uint16) }}

// nearestBySigns gives at least n leaves whose signs differ least from the query's: all
// up to the distance at which there are so many. all says that there are no
// others.
func (x *searchIndex) nearestBySigns(q vector16, n int) (found []int32, all bool) {
	v := &x.vectors
	if len(v.has) <= max(n, maxExact) {
		for at, known := range v.has {
			if known {
				found = append(found, int32(at))
			}
		}
		return found, true
	}
	pooled := distanceBuffers.Get().(*[]uint16)
	defer distanceBuffers.Put(pooled)
	*pooled = slices.Grow((*pooled)[:0], len(v.has))[:len(v.has)]
	far := *pooled
	counts := make([]int, v.dim+2)
	v.hammingDistances(q.code, far, counts)
	most, sum := 0, counts[0]
	for most < v.dim && sum < n {
		most++
		sum += counts[most]
	}
	found = make([]int32, 0, sum)
	for at, d := range far {
		if int(d) <= most {
			found = append(found, int32(at))
		}
	}
	return found, most == v.dim
}

// hammingDistances counts the bits in which each leaf's code differs; a leaf without a
// vector is farther than any.
func (v *vectors) hammingDistances(code []uint64, far []uint16, counts []int) {
	w := v.words()
	for at := range far {
		d := 0
		for i, x := range v.codes[at*w:][:len(code)] {
			d += bits.OnesCount64(x ^ code[i])
		}
		if !v.has[at] {
			d = v.dim + 1
		}
		far[at] = uint16(d)
		counts[d]++
	}
}
