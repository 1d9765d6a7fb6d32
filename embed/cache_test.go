package embed_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
)

// counting is an embedder that remembers what it was asked.
type counting struct {
	embedtest.Words
	asked []string
	kinds []embed.Kind
	fault func(vectors [][]float32) error
}

func (c *counting) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	c.asked, c.kinds = append(c.asked, texts...), append(c.kinds, kind)
	vectors, err := c.Words.Embed(ctx, kind, texts)
	if err == nil && c.fault != nil {
		err = c.fault(vectors)
	}
	return vectors, err
}

// shelf is a store in memory: model, then fingerprint.
type shelf struct {
	kept     map[string]map[memory.Fingerprint][]float32
	readErr  error
	writeErr error
	writes   int
}

func (s *shelf) Vectors(_ context.Context, model string, keys []memory.Fingerprint) (map[memory.Fingerprint][]float32, error) {
	found := map[memory.Fingerprint][]float32{}
	for _, k := range keys {
		if v, ok := s.kept[model][k]; ok {
			found[k] = v
		}
	}
	return found, s.readErr
}

func (s *shelf) PutVectors(_ context.Context, model string, vectors map[memory.Fingerprint][]float32) error {
	s.writes++
	if s.writeErr != nil {
		return s.writeErr
	}
	if s.kept == nil {
		s.kept = map[string]map[memory.Fingerprint][]float32{}
	}
	if s.kept[model] == nil {
		s.kept[model] = map[memory.Fingerprint][]float32{}
	}
	maps.Copy(s.kept[model], vectors)
	return nil
}

func chunks(texts ...string) (out []memory.Chunk) {
	for _, text := range texts {
		out = append(out, memory.Chunk{Text: text, Fingerprint: sha256.Sum256([]byte(text))})
	}
	return out
}

func TestEmbedsWhatIsNotKept(t *testing.T) {
	e, s := &counting{}, &shelf{}
	c := embed.Cached(e, s)
	if _, err := c.Chunks(t.Context(), chunks("the cat", "the dog", "the cat")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"the cat", "the dog"}; !slices.Equal(e.asked, want) {
		t.Errorf("embedded %q first, want %q", e.asked, want)
	}
	e.asked = nil
	if _, err := c.Chunks(t.Context(), chunks("the dog", "a bird", "the cat")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a bird"}; !slices.Equal(e.asked, want) {
		t.Errorf("embedded %q then, want %q", e.asked, want)
	}
	if slices.Contains(e.kinds, embed.Query) {
		t.Error("a chunk was embedded as a question")
	}
}

func TestWhatIsNeverKept(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault func(vectors [][]float32) error
		fails bool
	}{
		{"zero", func(vs [][]float32) error { clear(vs[0]); return nil }, false},
		{"not a number", func(vs [][]float32) error { vs[0][0] = float32(math.NaN()); return nil }, true},
		{"too short", func(vs [][]float32) error { vs[0] = vs[0][:1]; return nil }, true},
		{"not of unit length", func(vs [][]float32) error { vs[0][0] += 1; return nil }, true},
		{"after an error", func([][]float32) error { return errors.New("rate limit") }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, s := &counting{fault: tt.fault}, &shelf{}
			c := embed.Cached(e, s)
			if _, err := c.Chunks(t.Context(), chunks("the cat")); (err != nil) != tt.fails {
				t.Errorf("Chunks = %v", err)
			}
			if s.writes != 0 {
				t.Errorf("%d writes to the store", s.writes)
			}
			e.fault, e.asked = nil, nil
			vectors, err := c.Chunks(t.Context(), chunks("the cat"))
			if err != nil || len(e.asked) != 1 || embed.IsZero(vectors[0]) {
				t.Errorf("when it is well again: %v, asked %q", err, e.asked)
			}
		})
	}
}

func TestQuestionsPassThrough(t *testing.T) {
	e, s := &counting{}, &shelf{}
	c := embed.Cached(e, s)
	for range 2 {
		if _, err := c.Embed(t.Context(), embed.Query, []string{"the cat"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(e.asked) != 2 || s.writes != 0 {
		t.Errorf("asked %q, %d writes; want the question twice and none", e.asked, s.writes)
	}
}

func TestStoredVectorsOfNoUse(t *testing.T) {
	one := chunks("the cat")
	e := &counting{}
	for _, bad := range [][]float32{nil, {1}, make([]float32, e.Dim()), slices.Repeat([]float32{1}, e.Dim()),
		slices.Repeat([]float32{float32(math.NaN())}, e.Dim())} {
		s := &shelf{kept: map[string]map[memory.Fingerprint][]float32{e.Model(): {one[0].Fingerprint: bad}}}
		vectors, err := embed.Cached(e, s).Chunks(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		if embed.IsZero(vectors[0]) || embed.Check(vectors, 1, e.Dim()) != nil {
			t.Errorf("with %.4v kept, the answer is %.4v", bad, vectors[0])
		}
		if embed.Check([][]float32{s.kept[e.Model()][one[0].Fingerprint]}, 1, e.Dim()) != nil {
			t.Errorf("%.4v is still kept", bad)
		}
	}
}

func TestModelsNeverMeet(t *testing.T) {
	s := &shelf{}
	for _, dim := range []int{64, 128, 64} {
		e := &counting{Words: embedtest.Words{Dimensions: dim}}
		vectors, err := embed.Cached(e, s).Chunks(t.Context(), chunks("the cat"))
		if err != nil || len(vectors[0]) != dim {
			t.Errorf("%s gives %d dimensions, %v", e.Model(), len(vectors[0]), err)
		}
	}
	if len(s.kept) != 2 || s.writes != 2 {
		t.Errorf("%d models kept in %d writes, want 2 in 2", len(s.kept), s.writes)
	}
}

func TestStoreThatFails(t *testing.T) {
	full, torn := errors.New("disk full"), errors.New("torn page")
	if _, err := embed.Cached(&counting{}, &shelf{writeErr: full}).Chunks(t.Context(), chunks("a cat")); !errors.Is(err, full) {
		t.Errorf("writing: %v", err)
	}
	if _, err := embed.Cached(&counting{}, &shelf{readErr: torn}).Chunks(t.Context(), chunks("a cat")); !errors.Is(err, torn) {
		t.Errorf("reading: %v", err)
	}
}

// Whatever came before, a cache answers as its embedder does.
func TestCacheIsNotSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, s := embedtest.Words{}, &shelf{}
		for range rapid.IntRange(1, 4).Draw(t, "asks") {
			texts := rapid.SliceOf(rapid.SampledFrom([]string{"", "cat", "dog", "a bird", "  ", "猫"})).Draw(t, "texts")
			want, _ := e.Embed(context.Background(), embed.Passage, texts)
			got, err := embed.Cached(e, s).Chunks(context.Background(), chunks(texts...))
			if err != nil || !slices.EqualFunc(want, got, slices.Equal) {
				t.Fatalf("Chunks(%q) = %v, %v; want %v", texts, got, err, want)
			}
		}
	})
}
