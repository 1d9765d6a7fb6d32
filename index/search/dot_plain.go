//go:build !(goexperiment.simd && amd64)

package search

func dot(a, b []int16) float64 { return dotScalar(a, b) }
