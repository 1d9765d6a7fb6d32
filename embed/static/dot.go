package static

// dotProductScalar returns the dot product of two vectors. Each product is rounded before
// it is added, as in [table.add]. Four sums let the processor work ahead.
func dotProductScalar(v, w []float32) float32 {
	var a, b, c, d float32
	w = w[:len(v)]
	i := 0
	for ; i+4 <= len(v); i += 4 {
		a += float32(v[i] * w[i])
		b += float32(v[i+1] * w[i+1])
		c += float32(v[i+2] * w[i+2])
		d += float32(v[i+3] * w[i+3])
	}
	for ; i < len(v); i++ {
		a += float32(v[i] * w[i])
	}
	return a + b + c + d
}
