//go:build !(goexperiment.simd && amd64)

package static

func dotProduct(v, w []float32) float32 { return dotProductScalar(v, w) }

func dotNibbles(row []byte, low, high []int8) int32 { return dotNibblesScalar(row, low, high) }

func dotSketches(sums []int32, row []byte, sketches []sketch) {
	for i := range sketches {
		sums[i] = dotNibbles(row, sketches[i].low, sketches[i].high)
	}
}
