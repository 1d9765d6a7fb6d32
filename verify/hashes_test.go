package verify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/verify"
)

// hashesOf returns what finds texts by a receipt that was written and read again.
func hashesOf(t testing.TB, texts ...string) *verify.Hashes {
	t.Helper()
	r, hashErr := verify.HashTexts(verify.NewKey(), texts)
	src, marshalErr := json.Marshal(r)
	var read verify.Hashed
	h, err := (*verify.Hashes)(nil), json.Unmarshal(src, &read)
	if err == nil {
		h, err = verify.NewHashes(read)
	}
	if err := errors.Join(hashErr, marshalErr, err); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHashesHaveNoTextAndAKeyOfTheirOwn(t *testing.T) {
	first, firstErr := verify.HashTexts(verify.NewKey(), []string{heron, heron, "short"})
	second, secondErr := verify.HashTexts(verify.NewKey(), []string{heron})
	src, err := json.Marshal(first)
	if err := errors.Join(firstErr, secondErr, err); err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(heron) {
		if len(word) > 3 && strings.Contains(string(src), word) {
			t.Errorf("the hashes have the word %q", word)
		}
	}
	if len(first.Texts) != 2 || first.Key == second.Key || first.Texts[0].Block == second.Texts[0].Block || first.Texts[0].Forms[0].Hash == second.Texts[0].Forms[0].Hash {
		t.Errorf("twice:\n%s\n%+v", src, second)
	}
}

func TestHashesFindABlockThatEscapesMarkup(t *testing.T) {
	h := hashesOf(t, "The ferry is #one of two")
	block := chunker.Blocks([]byte("- The ferry is \\#one of two\n"), 0)[0]
	if !h.HasBlock(block.Fingerprint) || h.HasBlock(chunker.Fingerprint(heron)) {
		t.Error("the block is not told from another")
	}
}

func TestHashesWithoutAKeyAreRefused(t *testing.T) {
	for _, key := range []string{"", "12", strings.Repeat("x", 64)} {
		if _, err := verify.NewHashes(verify.Hashed{Key: key, StartBits: 9}); err == nil {
			t.Errorf("the key %q is taken", key)
		}
	}
	for _, form := range []verify.Form{{Length: -1}, {Length: 1 << 40}, {Length: 9, Start: 512}, {Length: 9, Start: -1}} {
		if _, err := verify.NewHashes(verify.Hashed{Key: strings.Repeat("ab", 32), StartBits: 9, Texts: []verify.HashedText{{Forms: []verify.Form{form}}}}); err == nil {
			t.Errorf("the text %+v is taken", form)
		}
	}
}

// Hashes find a text where a matcher does: in random bytes of few kinds, so that parts of it
// come often.
func TestHashesFindWhatAMatcherFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"tea", "coffee", " ", "\n", ">", "\\n", "\\", "n", "\"", "\u00a0", "ü", "\xff", "\x00"}
	random := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	found := 0
	for range 5000 {
		text := strings.ToValidUTF8(strings.TrimSpace(random(1+r.IntN(6))), "")
		src := random(r.IntN(40)) + " " + strings.Join(strings.Fields(text), []string{" ", "\n  ", "\\n"}[r.IntN(3)]) + random(r.IntN(40))
		if strings.Trim(text, "> \u00a0\n") == "" || strings.Trim(text, "> \u00a0\\\nn") != text {
			continue // no memory, or one whose end may be half an escape
		}
		texts := verify.NewTexts(text).Index([]byte(src)) >= 0
		hashes := hashesOf(t, text).Index([]byte(src)) >= 0
		if texts && !hashes {
			t.Fatalf("only the matcher finds %q in %q", text, src)
		}
		if texts {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts were there at all", found)
	}
}

func BenchmarkHashes(b *testing.B) {
	src := make([]byte, 8<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range src {
		src[i] = byte(r.IntN(256))
	}
	for _, n := range []int{1, 1000} {
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprintf("text %d: %s", i, heron))
		}
		h := hashesOf(b, texts...)
		b.Run(fmt.Sprintf("texts=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if h.Index(src) >= 0 {
					b.Fatal("found")
				}
			}
		})
	}
}
