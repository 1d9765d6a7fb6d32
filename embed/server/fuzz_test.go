package server_test

import (
	"math"
	"testing"

	"github.com/memory-tiered/memory/embed/server"
)

// FuzzVectors: an answer is refused, or has a vector of unit length for each text.
func FuzzVectors(f *testing.F) {
	for _, seed := range []string{`{"data":[{"index":1,"embedding":[1,0]},{"index":0,"embedding":[3e38,3e38]}]}`, `{"data":[{"embedding":[1e-45]},{"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":null},{"index":0,"embedding":[1]}]}`, `{"data":[{"embedding":[]},{"embedding":[]}]}`, `{"data":[{"index":-1},{"index":9}]}`,
		`{"data":[{"embedding":[1]},{"embedding":[1,2]}]}`, `{"data":[{"embedding":[0]},{"embedding":[1]}]}`, `{"data":[{"embedding":[1e39]},{"embedding":[1]}]}`, `{}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		vectors, err := server.Vectors(body, 2)
		if err != nil {
			return
		}
		for _, v := range vectors {
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if len(v) != len(vectors[0]) || math.Abs(sum-1) > 1e-3 {
				t.Fatalf("%s: a vector of %d numbers has the length %g", body, len(v), math.Sqrt(sum))
			}
		}
	})
}
