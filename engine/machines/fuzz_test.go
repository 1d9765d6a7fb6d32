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
	written := index.MachineLog{Machine: "0badcafe", Key: bytes.Repeat([]byte{7}, 32), Lines: []index.MachineLine{
		{ID: "3f8a91c2-b7d0", Text: hash[:16], Use: hash[:16], Day: "2026-11-20", Kind: 2, At: now.UnixMilli()},
		{ID: "3f8a91c2-b7d0", Text: hash[:16], Tier: "COLD", Was: "HOT", At: now.UnixMilli()},
		{Forget: hash, Wording: hash, Gone: true, At: 1}, {Restore: hash, At: 2},
	}}
	lines, err := encode(written)
	if err != nil {
		f.Fatal(err)
	}
	whole := append(bytes.Join(lines, []byte("\n")), '\n')
	if log, damaged := decode(whole, now); damaged != 0 || len(log.Lines) != 4 || log.Machine != "0badcafe" {
		f.Fatalf("%+v, damaged in line %d", log, damaged)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-5])
	f.Add([]byte("{\"machine\":\"0badcafe\",\"key\":\"00\"}\n{}\n\n<<<<<<<\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		log, damaged := decode(src, now)
		for _, l := range log.Lines {
			if !isValid(l, now) || damaged > 0 && l.Restore != "" {
				t.Errorf("read %+v", l)
			}
		}
		if again, damaged := decode(append(bytes.Clone(whole), src...), now); len(again.Lines) < 3 || damaged == 0 && len(again.Lines) != 4+len(split(src)) {
			t.Errorf("%d lines of a log, damaged in line %d", len(again.Lines), damaged)
		}
	})
}
