package transformer_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/memory-tiered/memory/embed/transformer"
)

// TestMultiply compares both implementations with sums in float64.
func TestMultiply(t *testing.T) {
	const rows, cols = 4, 16
	random := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(random.NormFloat64())
		}
		return list
	}
	for steps := range 100 {
		sums, tile, panel := numbers(rows*cols), numbers(rows*steps), numbers(steps*cols)
		plain, asBuilt := transformer.Multiply(sums, tile, panel)
		for i := range sums {
			want := float64(sums[i])
			for step := range steps {
				want += float64(tile[step*rows+i/cols]) * float64(panel[step*cols+i%cols])
			}
			if math.Abs(float64(plain[i])-want) > 1e-4 || math.Abs(float64(asBuilt[i])-want) > 1e-4 {
				t.Fatalf("%d steps: number %d is %v and %v, want %v", steps, i, plain[i], asBuilt[i], want)
			}
		}
	}
}
