package erasure_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/erasure"
)

// FuzzParse: a receipt is refused as invalid, or stays the same when it is written and read
// again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":"` + erasure.Format + `","places":[{"place":"database","looked":3,"before":1,"after":0,"verdict":"ERASED","held":["a"]}],"memories":["3f8a"],"key":"00","start_bits":9,"texts":[{"block":"x","forms":[{"length":1}]}]}`))
	f.Add([]byte(`{"format":"` + erasure.Format + `","places":null,"begun":"2026-11-20T09:00:00+14:00"}`))
	for _, seed := range []string{`{"format":"other"}`, `{`, `[]`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := erasure.Parse(src)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatalf("%s: %v", src, err)
			}
			return
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		again, err := erasure.Parse(text)
		second, encodeErr := json.Marshal(again)
		if err != nil || encodeErr != nil || !reflect.DeepEqual(text, second) {
			t.Fatalf("%s: %s, and then %s: %v", src, text, second, errors.Join(err, encodeErr))
		}
	})
}
