package search

import (
	"math"
)

// vectors holds the vectors that a model made of the chunks, in 16 bits a number. That is
// half the memory of floats, with cosines that are off by some millionths.
type vectors struct {
	model  string
	dim    int    // numbers in a vector; 0: there are no vectors
	has    []bool // the chunk has a vector that is not zero
	scales []float32
	steps  []int16  // dim a chunk; times the scale they are the vector
	codes  []uint64 // the signs, a bit a number, lowest first
	sum    VectorSum
}

// vector16 is one vector in 16 bits a number. Without steps there is none.
type vector16 struct {
	steps []int16
	scale float32
	code  []uint64
}

// quantise returns no vector for one of zeros or of another length.
func quantise(v []float32, dim int) (q vector16) {
	if dim == 0 || len(v) != dim {
		return q
	}
	var largest float32
	for _, number := range v {
		largest = max(largest, number, -number)
	}
	if largest == 0 {
		return q
	}
	q = vector16{make([]int16, dim), largest / math.MaxInt16, make([]uint64, (dim+63)/64)}
	const offset = 1 << 15 // makes numbers positive, for which cutting the fraction off rounds down
	for i, number := range v {
		q.steps[i] = int16(int32(number/q.scale+offset+0.5) - offset)
		if number > 0 {
			q.code[i/64] |= 1 << (i % 64)
		}
	}
	return q
}

func (v *vectors) grow() {
	v.has, v.scales = append(v.has, false), append(v.scales, 0)
	v.steps = append(v.steps, make([]int16, v.dim)...)
	v.codes = append(v.codes, make([]uint64, v.codeWords())...)
}

func (v *vectors) codeWords() int { return (v.dim + 63) / 64 }

func (v *vectors) set(c int32, q vector16) {
	if v.has[c] {
		v.sum.add(v.steps[int(c)*v.dim:][:v.dim], v.scales[c], -1)
	}
	if v.has[c] = len(q.steps) > 0; v.has[c] {
		v.sum.add(q.steps, q.scale, 1)
		v.scales[c] = q.scale
		copy(v.steps[int(c)*v.dim:], q.steps)
		copy(v.codes[int(c)*v.codeWords():], q.code)
	}
}

// queryVector is the vector of a query, with the vectors to compare it with.
type queryVector struct {
	vector16
	set *vectors
}

// query quantises the vector of a query.
func (v *vectors) query(vector []float32) queryVector {
	return queryVector{quantise(vector, v.dim), v}
}

// cosine is the cosine of a chunk's vector with that of a query.
func (v *vectors) cosine(c int32, q vector16) float64 {
	return dot(q.steps, v.steps[int(c)*v.dim:][:len(q.steps)]) * float64(q.scale) * float64(v.scales[c])
}
