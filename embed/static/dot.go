package static

// interleave writes a vector as the k-th of those that dotProducts takes: of each four numbers
// of the vectors, the first vector's come first.
func interleave(numbers, vector []float32, k int) {
	for i, number := range vector {
		numbers[i/together*together*together+k*together+i%together] = number
	}
}

// dotProductsScalar returns the dot products of a vector with interleaved ones, each as
// dotProductScalar does. The vectors have a multiple of four numbers.
func dotProductsScalar(v, interleaved []float32) (products [together]float32) {
	for k := range products {
		var a, b, c, d float32
		for i := 0; i < len(v); i += together {
			w := interleaved[together*(i+k):][:together]
			a += float32(v[i] * w[0])
			b += float32(v[i+1] * w[1])
			c += float32(v[i+2] * w[2])
			d += float32(v[i+3] * w[3])
		}
		products[k] = a + b + c + d
	}
	return products
}

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
