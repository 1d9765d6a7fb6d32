//go:build goexperiment.simd && amd64

package transformer

import "simd/archsimd"

// hasFMA reports whether this processor has the instructions that multiply needs.
var hasFMA = archsimd.X86.AVX2() && archsimd.X86.FMA()

// multiply does what multiplyScalar does, with eight sums in each of eight registers.
func multiply(sums []float32, sumStride int, tile, panel []float32, stride int) {
	if !hasFMA {
		multiplyScalar(sums, sumStride, tile, panel, stride)
		return
	}
	var a0, a1, b0, b1, c0, c1, d0, d1 archsimd.Float32x8
	for at := 0; len(tile) >= tileRows; at += stride {
		x, y := (*[tileRows]float32)(tile), (*[panelCols]float32)(panel[at:])
		tile = tile[tileRows:]
		y0, y1 := archsimd.LoadFloat32x8((*[8]float32)(y[:8])), archsimd.LoadFloat32x8((*[8]float32)(y[8:]))
		a, b := archsimd.BroadcastFloat32x8(x[0]), archsimd.BroadcastFloat32x8(x[1])
		c, d := archsimd.BroadcastFloat32x8(x[2]), archsimd.BroadcastFloat32x8(x[3])
		a0, a1 = a.MulAdd(y0, a0), a.MulAdd(y1, a1)
		b0, b1 = b.MulAdd(y0, b0), b.MulAdd(y1, b1)
		c0, c1 = c.MulAdd(y0, c0), c.MulAdd(y1, c1)
		d0, d1 = d.MulAdd(y0, d0), d.MulAdd(y1, d1)
	}
	addTo(sums, a0, a1)
	addTo(sums[sumStride:], b0, b1)
	addTo(sums[2*sumStride:], c0, c1)
	addTo(sums[3*sumStride:], d0, d1)
	archsimd.ClearAVXUpperBits()
}

// addTo adds two registers to the first panelCols sums.
func addTo(sums []float32, first, second archsimd.Float32x8) {
	at := (*[panelCols]float32)(sums)
	lower, upper := (*[8]float32)(at[:8]), (*[8]float32)(at[8:])
	archsimd.LoadFloat32x8(lower).Add(first).Store(lower)
	archsimd.LoadFloat32x8(upper).Add(second).Store(upper)
}
