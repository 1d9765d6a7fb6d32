//go:build !(goexperiment.simd && amd64)

package transformer

func multiply(sums []float32, sumStride int, tile, panel []float32, stride int) {
	multiplyScalar(sums, sumStride, tile, panel, stride)
}
