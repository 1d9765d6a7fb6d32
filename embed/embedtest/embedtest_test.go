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

func TestWords(t *testing.T) {
	embedtest.Run(t, func(*testing.T) embed.Embedder { return embedtest.Words{} })
}

// broken is Words with a fault.
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

// deaf does not look at its context.
type deaf struct{ embedtest.Words }

func (d deaf) Embed(_ context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	return d.Words.Embed(context.Background(), kind, texts)
}

type nameless struct{ embedtest.Words }

func (nameless) Model() string { return " " }

// each applies a fault to every vector.
func each(do func(text string, v []float32)) func(context.Context, []string, [][]float32) ([][]float32, error) {
	return func(_ context.Context, texts []string, vectors [][]float32) ([][]float32, error) {
		for i, v := range vectors {
			do(texts[i], v)
		}
		return vectors, nil
	}
}

func TestTheSuiteSeesFaults(t *testing.T) {
	nan := float32(math.NaN())
	refuse := errors.New("refused")
	var asked sync.Map
	for _, tt := range []struct {
		name string
		e    embed.Embedder
		seen string // the case that must fail
	}{
		{"no name", nameless{}, "says what it is"},
		{"deaf to its context", deaf{}, "a cancelled context"},
		{"not a number", broken{fault: each(func(_ string, v []float32) { v[0] = nan })}, "unit vectors, one a text"},
		{"not of unit length", broken{fault: each(func(_ string, v []float32) {
			for i := range v {
				v[i] *= 2
			}
		})}, "unit vectors, one a text"},
		{"zero", broken{fault: each(func(_ string, v []float32) { clear(v) })}, "unit vectors, one a text"},
		{"another dimension", broken{fault: func(_ context.Context, _ []string, vs [][]float32) ([][]float32, error) {
			for i := range vs {
				vs[i] = vs[i][:10]
			}
			return vs, nil
		}}, "unit vectors, one a text"},
		{"one too few", broken{fault: func(_ context.Context, _ []string, vs [][]float32) ([][]float32, error) {
			return vs[:max(0, len(vs)-1)], nil
		}}, "unit vectors, one a text"},
		{"sorted by text", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for i := range texts {
				for j := i + 1; j < len(texts); j++ {
					if (texts[j] < texts[i]) != (i%2 == 0) {
						vs[i], vs[j] = vs[j], vs[i]
					}
				}
			}
			return vs, nil
		}}, "in order"},
		{"another vector each time", broken{fault: each(func(text string, v []float32) {
			n, _ := asked.LoadOrStore(text, new(int))
			*n.(*int)++
			clear(v)
			v[*n.(*int)%len(v)] = 1
		})}, "the same text, the same vector"},
		{"depends on the batch", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for _, v := range vs {
				v[0] += float32(len(texts))
				embed.Normalize(v)
			}
			return vs, nil
		}}, "alone or in a batch"},
		{"crashes on nothing", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			if len(texts) == 0 {
				return nil, refuse
			}
			return vs, nil
		}}, "an empty batch"},
		{"at most 512", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			if len(texts) > 512 {
				return nil, refuse
			}
			return vs, nil
		}}, "a batch of many"},
		{"leaves out the empty", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			var kept [][]float32
			for i, text := range texts {
				if text != "" {
					kept = append(kept, vs[i])
				}
			}
			return kept, nil
		}}, "an empty text"},
		{"refuses the long", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for _, text := range texts {
				if len(text) > 5000 {
					return nil, refuse
				}
			}
			return vs, nil
		}}, "a long text"},
		{"refuses the invalid", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for _, text := range texts {
				if !utf8.ValidString(text) {
					return nil, refuse
				}
			}
			return vs, nil
		}}, "invalid UTF-8"},
		{"changes the texts", broken{fault: func(_ context.Context, texts []string, vs [][]float32) ([][]float32, error) {
			for i := range texts {
				texts[i] = strings.ToUpper(texts[i])
			}
			return vs, nil
		}}, "leaves the texts' slice alone"},
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
		{"one direction for all", broken{fault: each(func(_ string, v []float32) { clear(v); v[0] = 1 })}, "similar texts are closer than others"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range embedtest.Cases {
				if c.Name == tt.seen {
					if err := c.Holds(t.Context(), tt.e); err == nil {
						t.Errorf("%q holds", c.Name)
					}
					return
				}
			}
			t.Fatalf("there is no case %q", tt.seen)
		})
	}
}

func TestTheSuiteSeesARace(t *testing.T) {
	var mu sync.Mutex
	var last []string
	shared := broken{fault: func(ctx context.Context, texts []string, _ [][]float32) ([][]float32, error) {
		mu.Lock()
		last = texts // one buffer for all who ask
		mu.Unlock()
		for range 100 {
			runtime.Gosched() // let another ask
		}
		mu.Lock()
		defer mu.Unlock()
		return embedtest.Words{}.Embed(ctx, embed.Passage, last)
	}}
	for _, c := range embedtest.Cases {
		if c.Name != "in concurrent use" {
			continue
		}
		for range 50 { // a race need not show at once
			if c.Holds(t.Context(), shared) != nil {
				return
			}
		}
		t.Error("asking for different texts at once holds with one buffer for all")
	}
}
