package embed_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/internal/property"
)

func TestCheckFindsInvalidVectors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, tt := range []struct {
		name    string
		vectors [][]float32
		n, dim  int
		want    string // in the error; empty: none
	}{
		{"unit", [][]float32{{1, 0}, {0.6, 0.8}}, 2, 2, ""},
		{"zero", [][]float32{{0, 0}}, 1, 2, ""},
		{"no texts", nil, 0, 2, ""},
		{"no dimension", [][]float32{nil, nil}, 2, 0, ""},
		{"too few", [][]float32{{1, 0}}, 2, 2, "1 vectors for 2 texts"},
		{"too many", [][]float32{{1, 0}, {1, 0}}, 1, 2, "2 vectors for 1 texts"},
		{"short", [][]float32{{1, 0}, {1}}, 2, 2, "vector 1 has 1 dimensions, not 2"},
		{"missing", [][]float32{nil}, 1, 2, "vector 0 has 0 dimensions, not 2"},
		{"vector of a provider without vectors", [][]float32{{1}}, 1, 0, "vector 0 has 1 dimensions, not 0"},
		{"not a number", [][]float32{{nan, 0}}, 1, 2, "not a number"},
		{"infinite", [][]float32{{0, inf}}, 1, 2, "not a number"},
		{"both infinities", [][]float32{{-inf, inf}}, 1, 2, "not a number"},
		{"largest", [][]float32{{math.MaxFloat32, math.MaxFloat32}}, 1, 2, "length"},
		{"long", [][]float32{{1, 1}}, 1, 2, "length 1.41"},
		{"rounded", [][]float32{{1.00005, 0}}, 1, 2, ""},
		{"a little long", [][]float32{{1.001, 0}}, 1, 2, "length 1.001"},
		{"short of one", [][]float32{{0.5, 0.5}}, 1, 2, "length 0.707"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := embed.Check(tt.vectors, tt.n, tt.dim)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check = %v; want %q", err, tt.want)
			}
		})
	}
}

func TestNormalizeMakesUnitVectors(t *testing.T) {
	nan := float32(math.NaN())
	for _, tt := range []struct {
		name     string
		in, want []float32
	}{
		{"unit length", []float32{3, 4}, []float32{0.6, 0.8}},
		{"zero vector", []float32{0, 0}, []float32{0, 0}},
		{"largest", []float32{math.MaxFloat32, 0}, []float32{1, 0}},
		{"smallest", []float32{0, math.SmallestNonzeroFloat32}, []float32{0, 1}},
		{"empty", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if embed.Normalize(tt.in); !slices.Equal(tt.in, tt.want) {
				t.Errorf("Normalize = %v, want %v", tt.in, tt.want)
			}
		})
	}
	bad := []float32{1, nan}
	if embed.Normalize(bad); embed.Check([][]float32{bad}, 1, 2) == nil {
		t.Errorf("%v passes Check after Normalize", bad)
	}
}

func TestCheckAcceptsNormalizedVectors(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		v := rapid.SliceOf(rapid.Float32()).Draw(t, "v")
		embed.Normalize(v)
		if err := embed.Check([][]float32{v}, 1, len(v)); err != nil {
			t.Fatal(err)
		}
	})
}
