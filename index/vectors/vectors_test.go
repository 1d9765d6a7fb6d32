package vectors_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/vectors"
)

func TestEncodedVectorsComeBack(t *testing.T) {
	v := []float32{0, 1, -1, 0.1, math.MaxFloat32, math.SmallestNonzeroFloat32}
	b := vectors.Encode(v)
	if len(b) != 4*len(v) || b[4] != 0 || b[7] != 0x3f {
		t.Errorf("not float32 in little endian: %x", b)
	}
	if got := vectors.Decode(b); !slices.Equal(got, v) {
		t.Errorf("%v became %v", v, got)
	}
	if got := vectors.Append(v[:2:2], b); !slices.Equal(got, slices.Concat(v[:2], v)) {
		t.Errorf("appended: %v", got)
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
