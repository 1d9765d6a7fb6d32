package memory_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/memory-tiered/memory"
)

// FuzzCaptureMessage: a message is refused as invalid, or stays the same when it is written
// and read again.
func FuzzCaptureMessage(f *testing.F) {
	for _, seed := range []string{`{"role":"user","content":"Tea"}`, `{"role":"user","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}`,
		`{"role":"user","content":[1]}`, `{"role":"","content":"a"}`, `{"role":"user","text":"a"}`, `{"role":7}`, `[]`, `null`, `{"role":"user","content":null,"at":"2026-11-20","key":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if !json.Valid(src) {
			return
		}
		var m, again memory.CaptureMessage
		if err := json.Unmarshal(src, &m); err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%s: %v", src, err)
			}
			return
		}
		text, err := json.Marshal(m)
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if string(src) != "null" && (err != nil || again != m) {
			t.Fatalf("%s: %+v, and then %+v, %v", src, m, again, err)
		}
	})
}
