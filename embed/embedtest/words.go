package embedtest

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/embed"
)

// Words is a small embedder for tests: texts are as near as the words that they
// share, whatever their order. It needs no model file. The zero value is ready,
// with 256 dimensions: few words of a test fall on one place.
type Words struct {
	Dimensions int  // 0: 256
	Elsewhere  bool // what Remote says
}

// Model names the dimension, which is all that tells two apart.
func (w Words) Model() string { return fmt.Sprintf("words@%d", w.Dim()) }

// Dim is Dimensions, or 256.
func (w Words) Dim() int {
	if w.Dimensions == 0 {
		return 256
	}
	return w.Dimensions
}

// Remote is Elsewhere.
func (w Words) Remote() bool { return w.Elsewhere }

// Embed gives each word its place by a hash. A text without a word gets the zero
// vector.
func (w Words) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = w.vector(text)
	}
	return vectors, nil
}

func (w Words) vector(text string) []float32 {
	v := make([]float32, w.Dim())
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		h := fnv.New32a()
		h.Write([]byte(word))
		v[h.Sum32()%uint32(len(v))]++
	}
	embed.Normalize(v)
	return v
}
