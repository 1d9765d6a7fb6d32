package machines

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/index"
)

// TestDamageHidesNoOtherLine damages a log as git's markers, an editor and a torn write do.
func TestDamageHidesNoOtherLine(t *testing.T) {
	hash := strings.Repeat("3f", 32)
	lines := strings.SplitAfter(string(encode(index.MachineLog{{Machine: "0badcafe", Key: hash}, {Mark: hash, Kind: 1, At: 1},
		{Mark: strings.Repeat("4e", 32), Kind: 2, At: 2}, {Mark: strings.Repeat("5d", 32), At: 3}})), "\n")
	head, first, second, restored := lines[0], lines[1], lines[2], lines[3]
	for name, tt := range map[string]struct {
		text          string
		marks, damage int
	}{
		"whole":                     {head + first + second + restored, 3, 0},
		"a marker before the first": {"<<<<<<< HEAD\n" + head + first + second + restored, 2, 1},
		"an empty line":             {"\n" + head + first + second, 2, 1},
		"a byte order mark":         {"\ufeff" + head + first + second, 2, 1},
		"a marker between":          {head + first + "=======\n" + second, 2, 3},
		"a torn line":               {head + first[:20] + second + restored, 1, 2},
		"still being copied":        {head + first + second[:20], 1, 0},
		"no first line":             {first + second, 0, 1},
	} {
		log, damaged := decode([]byte(tt.text), now)
		if marks := max(0, len(log)-1); marks != tt.marks || damaged != tt.damage {
			t.Errorf("%s: %d marks, damaged in line %d", name, marks, damaged)
		}
	}
}
