package verify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/verify"
)

// hashesOf returns what finds texts by a receipt that was written and read again.
func hashesOf(t testing.TB, texts ...string) *verify.Matcher {
	t.Helper()
	r, hashErr := verify.HashTexts(verify.NewKey(), texts)
	src, marshalErr := json.Marshal(r)
	var read verify.Hashed
	h, err := (*verify.Matcher)(nil), json.Unmarshal(src, &read)
	if err == nil {
		h, err = read.Matcher()
	}
	must.Do(t, errors.Join(hashErr, marshalErr, err))
	return h
}

func TestHashesHaveNoTextAndAKeyOfTheirOwn(t *testing.T) {
	first, firstErr := verify.HashTexts(verify.NewKey(), []string{heron, heron, "short"})
	second, secondErr := verify.HashTexts(verify.NewKey(), []string{heron})
	src, err := json.Marshal(first)
	must.Do(t, errors.Join(firstErr, secondErr, err))
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
		if _, err := (verify.Hashed{Key: key, StartBits: 9}).Matcher(); err == nil {
			t.Errorf("the key %q is taken", key)
		}
	}
	for _, form := range []verify.Form{{Length: -1}, {Length: 1 << 40}, {Length: 9, Start: 512}, {Length: 9, Start: -1}} {
		if _, err := (verify.Hashed{Key: strings.Repeat("ab", 32), StartBits: 9, Texts: []verify.HashedText{{Forms: []verify.Form{form}}}}).Matcher(); err == nil {
			t.Errorf("the text %+v is taken", form)
		}
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
