package vectors_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/vectors"
)

func TestEncodedVectorsComeBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	unit := func() []float32 {
		v, square := make([]float32, 256), 0.0
		for i := range v {
			v[i] = float32(random.NormFloat64())
			square += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(square))
		}
		return v
	}
	cosine := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	for range 1000 {
		v, other := unit(), unit()
		got := vectors.Decode(vectors.Encode(v))
		if length := cosine(got, got); math.Abs(length-1) > 1e-5 {
			t.Fatalf("a vector of length %g", length)
		}
		if before, after := cosine(v, other), cosine(got, other); math.Abs(before-after) > 2e-5 {
			t.Fatalf("a cosine of %g became %g", before, after)
		}
		if again := vectors.Encode(got); !slices.Equal(again, vectors.Encode(v)) {
			t.Fatal("another vector is stored the second time")
		}
	}
}

func TestStoredVectorHasTheUpperBytesFirst(t *testing.T) {
	for _, tt := range []struct {
		vector []float32
		want   []byte
	}{
		{[]float32{0.8, -0.6, 0}, []byte{127, 161, 0, 0, 192, 0}}, // 127 * 256, -95 * 256 - 64
		{[]float32{-1, 0, 0}, []byte{129, 0, 0, 0, 0, 0}},
		{[]float32{0, 0, 0}, make([]byte, 6)},
	} {
		if got := vectors.Encode(tt.vector); !slices.Equal(got, tt.want) {
			t.Errorf("%v is stored as %v, not %v", tt.vector, got, tt.want)
		}
	}
	if got := vectors.Upper([]float32{0.8, -0.6, 0}); !slices.Equal(got, []byte{127, 161, 0}) {
		t.Errorf("the upper bytes are %v", got)
	}
	if got := vectors.Append([]float32{7}, make([]byte, 4)); !slices.Equal(got, []float32{7, 0, 0}) {
		t.Errorf("appended zeros: %v", got)
	}
}

func TestValidateRefusesDimensionsThatCannotBeStored(t *testing.T) {
	tests := []struct {
		name    string
		dim     int
		want    int
		invalid bool
	}{
		{"m", 1, 1, false}, {"m", 8192, 8192, false}, {"m", 8193, 0, true}, {"m", -1, 0, true}, {"m", 0, 0, false}, {"", 10, 0, false},
	}
	for _, tt := range tests {
		m, err := vectors.Validate(tt.name, tt.dim)
		if m.Dim != tt.want || (m.Name != "") != (tt.want > 0) || errors.Is(err, memory.ErrInvalid) != tt.invalid {
			t.Errorf("%q of %d: %+v, %v", tt.name, tt.dim, m, err)
		}
	}
}
