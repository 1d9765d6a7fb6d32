// Package embedtest contains the conformance tests for providers ([Run]), a fake
// server that speaks OpenAI's API ([Serve]), and an embedder for other tests ([Words]).
package embedtest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/memory-tiered/memory/embed"
)

// knownTexts are texts in plain words that every model knows.
var knownTexts = []string{
	"The cat sleeps on the kitchen chair.",
	"We deploy the server every Friday morning.",
	"She prefers green tea without sugar.",
	"The invoice was paid in March.",
}

// oddTexts are texts without words, longer than any model accepts, or not UTF-8.
var oddTexts = []string{"", " ", "\n\t", "\x00", "\u200b", strings.Repeat("The cat sleeps on the chair. ", 2000),
	strings.Repeat("x", 10_000), strings.Repeat("?! ", 5000), strings.Repeat("猫", 5000),
	"\xff\xfe", "the cat \xc3 sleeps", "cut short \xe2\x82", "\xed\xa0\x80 surrogate", "nul \x00 byte \ufffd"}

// Run tests an embedder that is ready to use. open closes its resources with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) embed.Embedder) {
	t.Helper()
	s := suite{open(t)}
	want := s.embed(t, knownTexts...)
	t.Run("each text has its vector, in any order and batch", func(t *testing.T) {
		for i, v := range want {
			if s.Dim() > 0 && embed.IsZero(v) {
				t.Errorf("the vector of %q is zero", knownTexts[i])
			}
			s.requireEqual(t, want[i:i+1], s.embed(t, knownTexts[i]))
		}
		turned := slices.Clone(knownTexts)
		slices.Reverse(turned)
		backward := s.embed(t, turned...)
		slices.Reverse(backward)
		s.requireEqual(t, want, backward)
		many := s.embed(t, slices.Repeat(knownTexts, 525)...) // more than servers accept in one request
		s.requireEqual(t, want, many[len(many)-len(want):])
		s.embed(t)
	})
	t.Run("odd texts change no other vector", func(t *testing.T) {
		for _, text := range oddTexts {
			s.embed(t, text)
			got := s.embed(t, slices.Insert(slices.Clone(knownTexts), 2, text)...)
			s.requireEqual(t, want, slices.Delete(got, 2, 3))
		}
	})
	t.Run("vectors share no memory", func(t *testing.T) {
		vectors := s.embed(t, knownTexts[0], knownTexts[1], knownTexts[0])
		clear(vectors[0])
		_ = append(vectors[0], 7) // must not overwrite the next vector
		s.requireEqual(t, [][]float32{want[1], want[0]}, vectors[1:])
		s.requireEqual(t, want, s.embed(t, knownTexts...))
	})
	t.Run("concurrent use", func(t *testing.T) {
		var wait sync.WaitGroup
		for n := range 16 {
			wait.Go(func() { s.requireEqual(t, want[n%4:], s.embed(t, knownTexts[n%4:]...)) })
		}
		wait.Wait()
	})
	t.Run("cancelled context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if vectors, err := s.Embed(ctx, embed.Passage, knownTexts); !errors.Is(err, context.Canceled) || vectors != nil {
			t.Errorf("%d vectors, %v", len(vectors), err)
		}
	})
	t.Run("similar texts have closer vectors", s.testSimilarity)
}

// suite tests one embedder.
type suite struct{ embed.Embedder }

// embed embeds texts, and checks the number, dimension and length of the vectors.
func (s suite) embed(t *testing.T, texts ...string) [][]float32 {
	t.Helper()
	given := slices.Clone(texts)
	vectors, err := s.Embed(t.Context(), embed.Passage, given)
	if err == nil {
		err = embed.Check(vectors, len(texts), s.Dim())
	}
	if err != nil {
		t.Errorf("embed %d texts, the first of them %.20q: %v", len(texts), slices.Concat(texts, []string{""})[0], err)
		return make([][]float32, len(texts))
	}
	if !slices.Equal(given, texts) {
		t.Error("the texts were modified")
	}
	return vectors
}

// requireEqual compares vectors. A server may add numbers in another order the second time.
func (s suite) requireEqual(t *testing.T, want, got [][]float32) {
	t.Helper()
	const minCosine = 0.9999
	for i := range want {
		if !embed.IsZero(want[i]) && (len(got[i]) != len(want[i]) || !(embed.Cosine(want[i], got[i]) > minCosine)) {
			t.Errorf("vector %d differs", i)
		}
	}
}

func (s suite) testSimilarity(t *testing.T) {
	if s.Dim() == 0 {
		return
	}
	for _, triple := range [][3]string{
		{"Where does the cat sleep?", "The cat likes to sleep on the kitchen chair.", "An invoice was paid in March."},
		{"When do we deploy the server?", "We deploy the server on Friday morning.", "She drinks green tea without sugar."},
		{"Which tea does she drink?", "Her favourite drink is green tea.", "The meeting moved to another room."},
	} {
		query, err := s.Embed(t.Context(), embed.Query, triple[:1])
		if err != nil {
			t.Fatal(err)
		}
		passages := s.embed(t, triple[1:]...)
		if near, far := embed.Cosine(query[0], passages[0]), embed.Cosine(query[0], passages[1]); near <= far {
			t.Errorf("%q is as near to %q (%.3f) as to %q (%.3f)", triple[0], triple[2], far, triple[1], near)
		}
	}
}
