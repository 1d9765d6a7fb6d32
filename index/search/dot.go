package search

// dotScalar is the dot product of two vectors of the same length.
func dotScalar(a, b []int16) float64 {
	var s0, s1, s2, s3 int64
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]int16)(a), (*[8]int16)(b)
		s0 += int64(x[0])*int64(y[0]) + int64(x[4])*int64(y[4])
		s1 += int64(x[1])*int64(y[1]) + int64(x[5])*int64(y[5])
		s2 += int64(x[2])*int64(y[2]) + int64(x[6])*int64(y[6])
		s3 += int64(x[3])*int64(y[3]) + int64(x[7])*int64(y[7])
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += int64(a[i]) * int64(b[i])
	}
	return float64(s0 + s1 + s2 + s3)
}
