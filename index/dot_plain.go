//go:build !(goexperiment.simd && amd64)

package index

func product(a, b []int16) float64 { return oneByOne(a, b) }
