package search

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/property"
)

// TestDotProduct compares both implementations with exact arithmetic, at every length
// and with the largest numbers.
func TestDotProduct(t *testing.T) {
	step := rapid.OneOf(rapid.Int16Range(-math.MaxInt16, math.MaxInt16), rapid.SampledFrom([]int16{-math.MaxInt16, math.MaxInt16}))
	property.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 400).Draw(rt, "numbers")
		a := rapid.SliceOfN(step, n, n).Draw(rt, "a")
		b := rapid.SliceOfN(step, n, n).Draw(rt, "b")
		exact, all := new(big.Int), 1.0
		for i := range a {
			product := int64(a[i]) * int64(b[i])
			exact.Add(exact, big.NewInt(product))
			all += math.Abs(float64(product))
		}
		want, _ := new(big.Float).SetInt(exact).Float64()
		for how, got := range map[string]float64{"scalar": dotScalar(a, b), "as built": dot(a, b)} {
			if math.Abs(got-want) > 1e-6*all {
				rt.Fatalf("%s: %v, want %v", how, got, want)
			}
		}
	})
}
