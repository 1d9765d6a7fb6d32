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

// hasAVX2 reports whether this processor has the instructions that dotNibbles needs.
var hasAVX2 = archsimd.X86.AVX2()

// dotNibbles returns what dotNibblesScalar returns, 64 nibbles at a time. A sum of two
// products is at most 2 × 15 × 127, and eight of them fit into 16 bits.
func dotNibbles(row []byte, low, high []int8) (sum int32) {
	const step, perSum = 32, 4
	if hasAVX2 {
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

// dotSketches computes the dot products of a row of nibbles and of some sketches. A row of
// the binary's own table is taken apart once for all of them.
func dotSketches(sums []int32, row []byte, sketches []sketch) {
	const step, rowBytes = 32, 128
	if !hasAVX2 || len(row) != rowBytes {
		for i := range sketches {
			sums[i] = dotNibbles(row, sketches[i].low, sketches[i].high)
		}
		return
	}
	mask, ones, fourBits := archsimd.BroadcastUint8x32(15), archsimd.BroadcastInt16x16(1), archsimd.BroadcastUint32x8(4)
	pairs := (*[rowBytes]uint8)(row)
	a, b := archsimd.LoadUint8x32((*[step]uint8)(pairs[:step])), archsimd.LoadUint8x32((*[step]uint8)(pairs[step:2*step]))
	c, d := archsimd.LoadUint8x32((*[step]uint8)(pairs[2*step:3*step])), archsimd.LoadUint8x32((*[step]uint8)(pairs[3*step:]))
	lowA, highA := a.And(mask), a.AsUint32x8().ShiftRight(fourBits).AsUint8x32().And(mask)
	lowB, highB := b.And(mask), b.AsUint32x8().ShiftRight(fourBits).AsUint8x32().And(mask)
	lowC, highC := c.And(mask), c.AsUint32x8().ShiftRight(fourBits).AsUint8x32().And(mask)
	lowD, highD := d.And(mask), d.AsUint32x8().ShiftRight(fourBits).AsUint8x32().And(mask)
	for i := range sketches {
		low, high := (*[rowBytes]int8)(sketches[i].low), (*[rowBytes]int8)(sketches[i].high)
		lower := lowA.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(low[:step]))).
			Add(lowB.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(low[step : 2*step])))).
			Add(lowC.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(low[2*step : 3*step])))).
			Add(lowD.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(low[3*step:]))))
		upper := highA.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(high[:step]))).
			Add(highB.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(high[step : 2*step])))).
			Add(highC.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(high[2*step : 3*step])))).
			Add(highD.DotProductPairsSaturated(archsimd.LoadInt8x32((*[step]int8)(high[3*step:]))))
		total := lower.Add(upper).DotProductPairs(ones)
		var four [4]int32
		total.GetLo().Add(total.GetHi()).Store(&four)
		sums[i] = four[0] + four[1] + four[2] + four[3]
	}
	archsimd.ClearAVXUpperBits()
}
