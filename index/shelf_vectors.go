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
	exactly = 4096
	closer  = 800
)

// vectors are those of the leaves, by their numbers, in 16 bits a number: half of
// what floats take, and the cosines are off by some millionths.
type vectors struct {
	dim    int
	known  []bool // it has one that says something
	scales []float32
	steps  []int16  // dim a leaf; times its scale they are the vector
	codes  []uint64 // their signs, a bit a number, lowest first
	total  total    // of them all
}

// quantised is one vector as they are kept. Without steps it is none.
type quantised struct {
	steps []int16
	scale float32
	code  []uint64
}

// quantise gives nothing for a vector of zeros, or of another length.
func quantise(v []float32, dim int) (q quantised) {
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
	q = quantised{make([]int16, dim), most / math.MaxInt16, make([]uint64, (dim+63)/64)}
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
	v.known, v.scales = append(v.known, false), append(v.scales, 0)
	v.steps = append(v.steps, make([]int16, v.dim)...)
	v.codes = append(v.codes, make([]uint64, v.words())...)
}

// reserve makes room for so many more.
func (v *vectors) reserve(n int) {
	v.known, v.scales = slices.Grow(v.known, n), slices.Grow(v.scales, n)
	v.steps, v.codes = slices.Grow(v.steps, n*v.dim), slices.Grow(v.codes, n*v.words())
}

func (v *vectors) words() int { return (v.dim + 63) / 64 }

func (v *vectors) set(at int32, q quantised) {
	if v.known[at] {
		v.total.add(v.steps[int(at)*v.dim:][:v.dim], v.scales[at], -1)
	}
	if v.known[at] = len(q.steps) > 0; v.known[at] {
		v.total.add(q.steps, q.scale, 1)
		v.scales[at] = q.scale
		copy(v.steps[int(at)*v.dim:], q.steps)
		copy(v.codes[int(at)*v.words():], q.code)
	}
}

// dot is the cosine of a leaf's vector with the query's.
func (v *vectors) dot(at int32, q quantised) float64 {
	return product(q.steps, v.steps[int(at)*v.dim:][:len(q.steps)]) * float64(q.scale) * float64(v.scales[at])
}

// cosine is a memory's: that of its nearest chunk, 0 where it has no vector.
func (s *shelf) cosine(at int32, q quantised) (best float64) {
	first := true
	for _, l := range s.memories[at].leaves {
		if !s.vectors.known[l] {
			continue
		}
		if c := s.vectors.dot(l, q); first || c > best {
			best, first = c, false
		}
	}
	return best
}

// standsIn is what a memory's own cosine counts where none of
// its neighbours says more. Without it a memory that stands alone under its
// heading, or among long texts, would lose against every other.
const standsIn = 0.7

// nearPlaces is how far on each side a neighbour's cosine counts.
const nearPlaces = 2

// nearCosine is the largest cosine among the two neighbours on each side, less
// the farther they are, and never less than a share of the memory's own. Only
// what somebody says is answered by what is said next: neighbours of a plain
// text say nothing of it.
func (s *shelf) nearCosine(at int32, q quantised, own float64, forgotten memory.Inclusion) float64 {
	best := max(0, standsIn*own)
	if s.memories[at].speaker == "" {
		return best
	}
	s.around(at, nearPlaces, forgotten, func(n neighbour) {
		best = max(best, n.close*s.cosine(n.at, q))
	})
	return best
}

// compares says whether a model's vectors are those on the shelf.
func (s *shelf) compares(m model) bool { return s.model == m.name && s.dim == m.dim }

// closeBy is a memory, by its slot, and the cosine of its nearest chunk.
type closeBy struct {
	at     int32
	cosine float32
}

// candidates are those that lie close, as a lane gives them.
func (s *shelf) candidates(all []closeBy) []memory.Candidate {
	out := make([]memory.Candidate, len(all))
	for i, c := range all {
		raw := float64(c.cosine)
		out[i] = memory.Candidate{ID: s.memories[c.at].id, Raw: raw, Score: vectorScore(raw)}
	}
	return out
}

// slotsOf gives those of some memories that are on the shelf.
func (s *shelf) slotsOf(all []memory.Candidate) (slots []int32) {
	for _, c := range all {
		if at, known := s.slots[c.ID]; known {
			slots = append(slots, at)
		}
	}
	return slots
}

// nearestLet gives the k nearest memories that a predicate lets through.
func (s *shelf) nearestLet(q quantised, p memory.Predicate, k int) []closeBy {
	if len(p.IDs) > 0 {
		return s.closest(q, s.leavesOf(p.IDs), k, s.letting(p))
	}
	return s.nearest(q, k, s.letting(p))
}

// nearest gives the k nearest memories that are let through, nearest first.
func (s *shelf) nearest(q quantised, k int, lets func(int32) bool) []closeBy {
	for n := max(closer, 4*k); ; n *= 8 {
		tried, all := s.alike(q, n)
		found := s.closest(q, tried, k, lets)
		if len(found) == k || all {
			return found
		}
	}
}

// closest keeps the k best memories of some leaves.
func (s *shelf) closest(q quantised, leaves []int32, k int, lets func(int32) bool) []closeBy {
	near := make([]float32, len(leaves)) // by place in found
	found, among := make([]int32, 0, len(leaves)), make([]int32, 0, len(leaves))
	where := map[int32]int{} // in found, of a memory of several leaves
	for _, l := range leaves {
		at := s.owners[l]
		if !lets(at) {
			continue
		}
		cosine := float32(s.vectors.dot(l, q))
		if s.several[at] {
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
	among = bestOf(among, k, near, func(x, y int32) int {
		return strings.Compare(string(s.memories[found[x]].id), string(s.memories[found[y]].id))
	})
	out := make([]closeBy, len(among))
	for n, i := range among {
		out[n] = closeBy{found[i], near[i]}
	}
	return out
}

// distances are how far each leaf's signs are from a query's. They come from a
// pool and go back there.
var distances = sync.Pool{New: func() any { return new([]uint16) }}

// alike gives at least n leaves whose signs differ least from the query's: all
// up to the distance at which there are so many. all says that there are no
// others.
func (s *shelf) alike(q quantised, n int) (found []int32, all bool) {
	v := &s.vectors
	if len(v.known) <= max(n, exactly) {
		for at, known := range v.known {
			if known {
				found = append(found, int32(at))
			}
		}
		return found, true
	}
	pooled := distances.Get().(*[]uint16)
	defer distances.Put(pooled)
	*pooled = slices.Grow((*pooled)[:0], len(v.known))[:len(v.known)]
	far := *pooled
	counts := make([]int, v.dim+2)
	v.measure(q.code, far, counts)
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

// measure counts the bits in which each leaf's code differs; a leaf without a
// vector is farther than any.
func (v *vectors) measure(code []uint64, far []uint16, counts []int) {
	w := v.words()
	for at := range far {
		d := 0
		for i, x := range v.codes[at*w:][:len(code)] {
			d += bits.OnesCount64(x ^ code[i])
		}
		if !v.known[at] {
			d = v.dim + 1
		}
		far[at] = uint16(d)
		counts[d]++
	}
}
