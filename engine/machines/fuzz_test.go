package machines

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/index"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// A log reads as it was written, whatever stands before and after its lines. Of any other bytes
// only whole valid lines are read, and a damaged file restores nothing.
func FuzzDecode(f *testing.F) {
	hash := strings.Repeat("3f", 32)
	whole := encode(index.MachineLog{{Machine: "0badcafe", Key: hash},
		{Text: hash[:16], Session: hash[:16], Day: "2026-11-20", Kind: 2, At: now.UnixMilli()},
		{Text: hash[:16], Tier: "COLD", Was: "HOT", At: now.UnixMilli()},
		{Mark: hash, Wording: hash, Kind: 2, At: 1}, {Mark: hash, At: 2}})
	if log, damaged := decode(whole, now); damaged != 0 || len(log) != 5 || log[0].Machine != "0badcafe" {
		f.Fatalf("%+v, damaged in line %d", log, damaged)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add([]byte("{\"machine\":\"0badcafe\",\"key\":\"00\"}\n{}\n\n<<<<<<<\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		log, damaged := decode(src, now)
		for i, l := range log {
			if !isValid(l, i == 0, now) || damaged > 0 && l.Mark != "" && l.Kind == 0 {
				t.Errorf("read %+v", l)
			}
		}
		if again, damaged := decode(append(bytes.Clone(whole), src...), now); len(again) < 4 || damaged == 0 && len(again) != 5+bytes.Count(src, []byte("\n")) {
			t.Errorf("%d lines of a log, damaged in line %d", len(again), damaged)
		}
	})
}
