package identity_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/internal/property"
)

// The bound skips no pair that is similar enough.
func TestComparerAgreesWithSimilarity(t *testing.T) {
	word := rapid.StringOf(rapid.SampledFrom([]rune("abcde1é")))
	property.Check(t, func(t *rapid.T) {
		a := strings.Join(rapid.SliceOfN(word, 0, 9).Draw(t, "a"), " ")
		b := strings.Join(rapid.SliceOfN(word, 0, 9).Draw(t, "b"), " ")
		if rapid.Bool().Draw(t, "edited") {
			b = strings.Replace(a, "a", rapid.SampledFrom([]string{"", "b", "ca", "x y"}).Draw(t, "edit"), 1)
		}
		c := identity.NewComparer()
		want := identity.Similarity(a, b)
		for _, atLeast := range []float64{0, 0.5, 0.7, 1} {
			got := c.Similarity(c.Words(a), c.Words(b), atLeast)
			if got != want && (want >= atLeast || got != 0) {
				t.Fatalf("%q and %q: %v, want %v", a, b, got, want)
			}
		}
	})
}
