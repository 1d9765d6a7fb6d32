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

// TestMultiplyGroups compares both implementations with sums in float64. The first group is
// zeros, and the numbers of the others are at both ends of their range.
func TestMultiplyGroups(t *testing.T) {
	const size = 384
	random := rand.New(rand.NewPCG(1, 2))
	var rows [4][]float32
	var weights [16][]int8
	for i := range rows {
		rows[i] = make([]float32, size)
		for k := 16; k < size; k++ {
			rows[i][k] = float32(random.NormFloat64()) - 1000*float32(k/32%2)
		}
	}
	for i := range weights {
		weights[i] = make([]int8, size)
		for k := range weights[i] {
			weights[i][k] = int8(random.IntN(64) - 32)
		}
		weights[i][20], weights[i][21] = -32, 31
	}
	plain, asBuilt := transformer.MultiplyGroups(rows, weights)
	for i := range plain {
		want, bound := 0.0, 1e-6
		for k, x := range rows[i/16] {
			product := float64(x) * float64(weights[i%16][k]) / 32
			want, bound = want+product, bound+math.Abs(product)*2e-5
		}
		if math.Abs(float64(plain[i])-want) > bound || math.Abs(float64(asBuilt[i])-want) > bound {
			t.Fatalf("number %d is %v and %v, want %v ± %v", i, plain[i], asBuilt[i], want, bound)
		}
	}
}
