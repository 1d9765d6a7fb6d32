package embedtest_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
)

func TestWordsConforms(t *testing.T) {
	embedtest.Run(t, func(*testing.T) embed.Embedder { return embedtest.Words{} })
}

// broken changes the vectors of Words.
type broken struct {
	embedtest.Words
	fault func(ctx context.Context, texts []string, vectors [][]float32) ([][]float32, error)
}

func (b broken) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := b.Words.Embed(ctx, kind, texts)
	if err != nil {
		return nil, err
	}
	return b.fault(ctx, texts, vectors)
}

// noContext ignores its context.
type noContext struct{ embedtest.Words }

func (n noContext) Embed(_ context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	return n.Words.Embed(context.Background(), kind, texts)
}

type nameless struct{ embedtest.Words }

func (nameless) Model() string { return " " }

// forEachVector changes every vector.
func forEachVector(do func(text string, v []float32)) func(context.Context, []string, [][]float32) ([][]float32, error) {
	return func(_ context.Context, texts []string, vectors [][]float32) ([][]float32, error) {
		for i, v := range vectors {
			do(texts[i], v)
		}
		return vectors, nil
	}
}

func TestRunFindsFaults(t *testing.T) {
	nan := float32(math.NaN())
	refuse := errors.New("refused")
	var calls sync.Map
	for _, tt := range []struct {
		name     string
		e        embed.Embedder
		caseName string // of the case that must fail
	}{
		{"no name", nameless{}, "model and dimension are stable"},
		{"context ignored", noContext{}, "cancelled context"},
		{"not a number", broken{fault: forEachVector(func(_ string, v []float32) { v[0] = nan })}, "one unit vector per text"},
		{"not of unit length", broken{fault: forEachVector(func(_ string, v []float32) {
			for i := range v {
				v[i] *= 2
			}
		})}, "one unit vector per text"},
		{"zero", broken{fault: forEachVector(func(_ string, v []float32) { clear(v) })}, "one unit vector per text"},
		{"another dimension", broken{fault: func(_ context.Context, _ []string, vs [][]float32) ([][]float32, error) {
			for i := range vs {
				vs[i] = vs[i][:10]
			}
			return vs, nil
		}}, "one unit vector per text"},
		{"one vector too few", broken{fault: func(_ context.Context, _ []string, vs [][]float32) ([][]float32, error) {
			return vs[:max(0, len(vs)-1)], nil
		}}, "one unit vector per text"},
		{"sorted by text", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for i := range texts {
				for j := i + 1; j < len(texts); j++ {
					if (texts[j] < texts[i]) != (i%2 == 0) {
						vs[i], vs[j] = vs[j], vs[i]
					}
				}
			}
			return vs, nil
		}}, "vectors are in the order of the texts"},
		{"another vector each time", broken{fault: forEachVector(func(text string, v []float32) {
			n, _ := calls.LoadOrStore(text, new(int))
			*n.(*int)++
			clear(v)
			v[*n.(*int)%len(v)] = 1
		})}, "the same text has the same vector"},
		{"vector depends on the batch", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for _, v := range vs {
				v[0] += float32(len(texts))
				embed.Normalize(v)
			}
			return vs, nil
		}}, "a batch does not change a vector"},
		{"empty batch refused", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			if len(texts) == 0 {
				return nil, refuse
			}
			return vs, nil
		}}, "empty batch"},
		{"at most 512 texts", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			if len(texts) > 512 {
				return nil, refuse
			}
			return vs, nil
		}}, "large batch"},
		{"empty texts dropped", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			var kept [][]float32
			for i, text := range texts {
				if text != "" {
					kept = append(kept, vs[i])
				}
			}
			return kept, nil
		}}, "empty text"},
		{"long texts refused", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for _, text := range texts {
				if len(text) > 5000 {
					return nil, refuse
				}
			}
			return vs, nil
		}}, "long text"},
		{"invalid UTF-8 refused", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for _, text := range texts {
				if !utf8.ValidString(text) {
					return nil, refuse
				}
			}
			return vs, nil
		}}, "invalid UTF-8"},
		{"texts modified", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for i := range texts {
				texts[i] = strings.ToUpper(texts[i])
			}
			return vs, nil
		}}, "the texts are not modified"},
		{"one vector for equal texts", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for i := range texts {
				for j := range i {
					if texts[i] == texts[j] {
						vs[i] = vs[j]
					}
				}
			}
			return vs, nil
		}}, "vectors share no memory"},
		{"one direction for all", broken{fault: forEachVector(func(_ string, v []float32) { clear(v); v[0] = 1 })}, "similar texts have closer vectors"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range embedtest.Cases {
				if c.Name == tt.caseName {
					if err := c.Check(t.Context(), tt.e); err == nil {
						t.Errorf("case %q passes", c.Name)
					}
					return
				}
			}
			t.Fatalf("there is no case %q", tt.caseName)
		})
	}
}

func TestRunFindsSharedBuffer(t *testing.T) {
	var mu sync.Mutex
	var last []string
	shared := broken{fault: func(ctx context.Context, texts []string, _ [][]float32) ([][]float32, error) {
		mu.Lock()
		last = texts // one buffer for all callers
		mu.Unlock()
		for range 100 {
			runtime.Gosched() // let another goroutine run
		}
		mu.Lock()
		defer mu.Unlock()
		return embedtest.Words{}.Embed(ctx, embed.Passage, last)
	}}
	for _, c := range embedtest.Cases {
		if c.Name != "concurrent use" {
			continue
		}
		for range 50 { // the race does not happen every time
			if c.Check(t.Context(), shared) != nil {
				return
			}
		}
		t.Error("an embedder with one buffer for all callers passes the case for concurrent use")
	}
}
