//go:build !(goexperiment.simd && amd64)

package static

func dotProduct(v, w []float32) float32 { return dotProductScalar(v, w) }

func dotProducts(v, interleaved []float32) [together]float32 {
	return dotProductsScalar(v, interleaved)
}
