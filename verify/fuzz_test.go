package verify_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/verify"
)

// FuzzIndexReader looks for a text in any bytes. What is found by the text is found by its
// hashes. Both find the text where it was put.
func FuzzIndexReader(f *testing.F) {
	for _, seed := range [][2]string{{"A blue heron\n> lives", "A blue heron lives"}, {`{"a":"say \"no\" \u0026 go"}`, `say "no" & go`}, {"tea >\n  > coffee", "tea > coffee"},
		{`write \newline`, `\newline here`}, {"go to", "go to it"}, {"\u00a0é\u2028\\n\\t", "é \\n"}, {"a b a b c", "a b c"}, {">>>", ">"}, {"\\\\n", "\\n"}} {
		f.Add([]byte(seed[0]), seed[1])
	}
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		isMemory := utf8.ValidString(text) && strings.ContainsFunc(text, unicode.IsLetter)
		if !isMemory || len(text) > 1<<10 || len(src) > 1<<12 {
			return
		}
		wanted := map[string]*verify.Matcher{"texts": verify.NewMatcher(text), "hashes": hashesOf(t, text)}
		found := map[string]int64{}
		for kind, w := range wanted {
			at, err := w.IndexReader(strings.NewReader(string(src)))
			if err != nil || at >= int64(len(src)) {
				t.Fatalf("%s: %q is at %d of %q: %v", kind, text, at, src, err)
			}
			found[kind] = at
			for _, written := range []string{text, quoted(t, text)} {
				if at, err := w.IndexReader(strings.NewReader(string(src) + "\n" + written + "\n")); at < 0 {
					t.Fatalf("%s: %q is not found as %q behind %q: %v", kind, text, written, src, err)
				}
			}
		}
		if found["texts"] >= 0 && found["hashes"] < 0 {
			t.Fatalf("%q in %q: %v", text, src, found)
		}
	})
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	src, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// FuzzNewHashes reads any hashes of a receipt. Those that are not refused can be looked for.
func FuzzNewHashes(f *testing.F) {
	whole, err := verify.HashTexts(verify.NewKey(), []string{heron, "tea > coffee"})
	src, encodeErr := json.Marshal(whole)
	if err != nil || encodeErr != nil {
		f.Fatal(err, encodeErr)
	}
	for _, change := range [][2]string{{"", ""}, {`"start_bits":`, `"start_bits":6`}, {`"length":`, `"length":-`}, {`"length":`, `"length":99999999`}, {`"start":`, `"start":-`}, {`"key":"`, `"key":"zz`}} {
		f.Add([]byte(strings.Replace(string(src), change[0], change[1], 1)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var r verify.Hashed
		if json.Unmarshal(src, &r) != nil {
			return
		}
		for _, text := range r.Texts {
			for _, form := range text.Forms {
				if form.Length > 1<<20 {
					return // looking for it takes memory, up to its limit
				}
			}
		}
		h, err := r.Matcher()
		if err != nil {
			return
		}
		if at, err := h.IndexReader(strings.NewReader(heron)); err != nil || at >= int64(len(heron)) {
			t.Fatalf("found at %d: %v", at, err)
		}
	})
}
