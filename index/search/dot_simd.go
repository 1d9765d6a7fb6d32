//go:build goexperiment.simd && amd64

package search

import "simd/archsimd"

// hasAVX2 reports whether this processor has the instructions that dot needs.
var hasAVX2 = archsimd.X86.AVX2()

// dot is the dot product of two vectors of the same length, thirty-two numbers at a
// time. The sum of two products is exact. Longer sums are floats, off by some
// ten-millionths.
func dot(a, b []int16) float64 {
	if !hasAVX2 {
		return dotScalar(a, b)
	}
	var s, t archsimd.Float32x8
	for len(a) >= 32 && len(b) >= 32 {
		x, y := (*[32]int16)(a), (*[32]int16)(b)
		lower := archsimd.LoadInt16x16((*[16]int16)(x[:16])).DotProductPairs(archsimd.LoadInt16x16((*[16]int16)(y[:16])))
		upper := archsimd.LoadInt16x16((*[16]int16)(x[16:])).DotProductPairs(archsimd.LoadInt16x16((*[16]int16)(y[16:])))
		s, t = s.Add(lower.ConvertToFloat32()), t.Add(upper.ConvertToFloat32())
		a, b = a[32:], b[32:]
	}
	var sums [8]float32
	s.Add(t).Store(&sums)
	archsimd.ClearAVXUpperBits()
	total := dotScalar(a, b)
	for _, sum := range sums {
		total += float64(sum)
	}
	return total
}
