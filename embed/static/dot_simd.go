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

// dotProducts returns exactly what dotProductsScalar returns. The processor adds to four
// vectors of sums at once.
func dotProducts(v, interleaved []float32) (products [together]float32) {
	if !hasAVX {
		return dotProductsScalar(v, interleaved)
	}
	var a, b, c, d archsimd.Float32x4
	for len(v) >= 4 && len(interleaved) >= 16 {
		x, w := archsimd.LoadFloat32x4((*[4]float32)(v)), (*[16]float32)(interleaved)
		a = a.Add(x.Mul(archsimd.LoadFloat32x4((*[4]float32)(w[0:]))))
		b = b.Add(x.Mul(archsimd.LoadFloat32x4((*[4]float32)(w[4:]))))
		c = c.Add(x.Mul(archsimd.LoadFloat32x4((*[4]float32)(w[8:]))))
		d = d.Add(x.Mul(archsimd.LoadFloat32x4((*[4]float32)(w[12:]))))
		v, interleaved = v[4:], interleaved[16:]
	}
	for k, sum := range [...]archsimd.Float32x4{a, b, c, d} {
		var sums [4]float32
		sum.Store(&sums)
		products[k] = sums[0] + sums[1] + sums[2] + sums[3]
	}
	return products
}
