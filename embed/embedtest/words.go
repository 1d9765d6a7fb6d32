package embedtest

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/embed"
)

// Words is a small embedder for tests, without a model file: a hashed bag of words.
// The zero value has 256 dimensions, so that few words of a test collide.
type Words struct {
	Dimensions int  // 0: 256
	IsRemote   bool // the result of Remote
}

// Model returns a name with the dimension.
func (w Words) Model() string { return fmt.Sprintf("words@%d", w.Dim()) }

// Dim returns Dimensions, or 256.
func (w Words) Dim() int {
	if w.Dimensions == 0 {
		return 256
	}
	return w.Dimensions
}

// Remote returns IsRemote.
func (w Words) Remote() bool { return w.IsRemote }

// Embed counts each word at a position of the vector, given by a hash. A text
// without words gets the zero vector.
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
