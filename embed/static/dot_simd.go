//go:build goexperiment.simd && amd64

package static

import "simd/archsimd"

// hasAVX reports whether this processor has the instructions that dotProduct needs.
var hasAVX = archsimd.X86.AVX()

// dotProduct returns exactly what dotProductScalar returns: its four sums are the lanes of
// one vector.
func dotProduct(v, w []float32) float32 {
	if !hasAVX {
		return dotProductScalar(v, w)
	}
	var sum archsimd.Float32x4
	w = w[:len(v)]
	for len(v) >= 4 && len(w) >= 4 {
		sum = sum.Add(archsimd.LoadFloat32x4((*[4]float32)(v)).Mul(archsimd.LoadFloat32x4((*[4]float32)(w))))
		v, w = v[4:], w[4:]
	}
	var sums [4]float32
	sum.Store(&sums)
	for i := range v {
		sums[0] += float32(v[i] * w[i])
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// hasFastNibbles reports whether this processor has the instructions that make dotNibbles
// faster than dotProduct.
var hasFastNibbles = archsimd.X86.AVX2()

// dotNibbles returns what dotNibblesScalar returns, 64 nibbles at a time. A sum of two
// products is at most 2 × 15 × 127, and eight of them fit into 16 bits.
func dotNibbles(row []byte, low, high []int8) (sum int32) {
	const step, perSum = 32, 4
	if hasFastNibbles {
		mask, ones := archsimd.BroadcastUint8x32(15), archsimd.BroadcastInt16x16(1)
		// ShiftAllRight moves its count with an SSE instruction, which is slow among those of AVX.
		fourBits := archsimd.BroadcastUint32x8(4)
		var total archsimd.Int32x8
		for len(row) >= step && len(low) >= step && len(high) >= step {
			var products archsimd.Int16x16
			for n := 0; n < perSum && len(row) >= step && len(low) >= step && len(high) >= step; n++ {
				pairs := archsimd.LoadUint8x32((*[step]uint8)(row))
				lower, upper := pairs.And(mask), pairs.AsUint32x8().ShiftRight(fourBits).AsUint8x32().And(mask)
				products = products.Add(lower.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(low)))).
					Add(upper.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(high))))
				row, low, high = row[step:], low[step:], high[step:]
			}
			total = total.Add(products.DotProductPairs(ones))
		}
		var sums [8]int32
		total.Store(&sums)
		archsimd.ClearAVXUpperBits()
		for _, s := range sums {
			sum += s
		}
	}
	return sum + dotNibblesScalar(row, low, high)
}
