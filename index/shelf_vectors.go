package index

import (
	"container/heap"
	"math/bits"
	"slices"

	"github.com/memory-tiered/memory"
)

// Up to exactly vectors are compared one by one. Beyond it their signs are, and
// the best closer of them exactly: at 100,000 × 256 that is some twenty times
// faster and finds 99 of 100 of the same ten (1,000,000 × 384: likewise).
const (
	exactly = 4096
	closer  = 800
)

func (s *shelf) words64() int { return (s.dim + 63) / 64 }

func (s *shelf) vector(at int32) []float32 { return s.vectors[int(at)*s.dim:][:s.dim] }

// setVector gives a chunk its vector; one of zeros, or of another length, is
// none.
func (s *shelf) setVector(at int32, v []float32) {
	l := &s.leaves[at]
	l.known = s.dim > 0 && len(v) == s.dim && !isZero(v)
	if !l.known {
		return
	}
	copy(s.vector(at), v)
	sign(s.codes[int(at)*s.words64():][:s.words64()], v)
}

// sign writes one bit a number, set where it is positive.
func sign(code []uint64, v []float32) {
	clear(code)
	for i, x := range v {
		if x > 0 {
			code[i/64] |= 1 << (i % 64)
		}
	}
}

// cosine is a memory's: that of its nearest chunk, 0 where it has no vector.
func (s *shelf) cosine(at int32, vec []float32) (best float64) {
	first := true
	for _, l := range s.memories[at].leaves {
		if !s.leaves[l].known {
			continue
		}
		if c := dot(vec, s.vector(l)); first || c > best {
			best, first = c, false
		}
	}
	return best
}

// standsIn is what a memory's own cosine counts where none of
// its neighbours says more. Without it a memory that stands alone under its
// heading, or among long texts, would lose against every other.
const standsIn = 0.7

// nearCosine is the largest cosine among the two neighbours on each side, less
// the farther they are, and never less than a share of the memory's own. Only
// what somebody says is answered by what is said next: neighbours of a plain
// text say nothing of it.
func (s *shelf) nearCosine(at int32, vec []float32, own float64, forgotten memory.Inclusion) float64 {
	const places = 2
	best := max(0, standsIn*own)
	if s.memories[at].speaker == "" {
		return best
	}
	s.around(at, places, forgotten, func(n neighbour) {
		best = max(best, n.close*s.cosine(n.at, vec))
	})
	return best
}

// nearest gives the n nearest chunks by their memories, nearest first.
func (s *shelf) nearest(vec []float32, n int, forgotten memory.Inclusion) []memory.Candidate {
	best := make(lowest, 0, n+1)
	try := func(at int32) {
		owner := s.memories[s.leaves[at].owner]
		if owner.forgotten && forgotten == memory.Without {
			return
		}
		c := memory.Candidate{ID: owner.id, Raw: dot(vec, s.vector(at))}
		if len(best) == n && byRaw(c, best[0]) > 0 {
			return
		}
		heap.Push(&best, c)
		if len(best) > n {
			heap.Pop(&best)
		}
	}
	if len(s.leaves) <= exactly {
		for at, l := range s.leaves {
			if l.owner != none && l.known {
				try(int32(at))
			}
		}
	} else {
		for _, at := range s.alike(vec, max(closer, 4*n)) {
			try(at)
		}
	}
	slices.SortFunc(best, byRaw)
	return best
}

// alike gives at least the n chunks whose signs differ least from the query's:
// all up to the distance at which there are so many.
func (s *shelf) alike(vec []float32, n int) []int32 {
	w := s.words64()
	code := make([]uint64, w)
	sign(code, vec)
	far := make([]uint16, len(s.leaves))
	counts := make([]int, s.dim+1)
	for at := range s.leaves {
		if l := &s.leaves[at]; l.owner == none || !l.known {
			far[at] = uint16(s.dim) + 1
			continue
		}
		d := 0
		for i, x := range s.codes[at*w:][:w] {
			d += bits.OnesCount64(x ^ code[i])
		}
		far[at] = uint16(d)
		counts[d]++
	}
	most, sum := 0, 0
	for most < s.dim && sum < n {
		sum += counts[most]
		most++
	}
	found := make([]int32, 0, sum)
	for at, d := range far {
		if int(d) < most || int(d) <= s.dim && most == s.dim {
			found = append(found, int32(at))
		}
	}
	return found
}
