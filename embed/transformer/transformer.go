// Package transformer is the sentence transformer in the binary: all-MiniLM-L6-v2 with its
// weights in 4 and 6 bits. It runs in this process, from the packed weights. README.md
// describes their file, its format and its origin.
package transformer

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
)

// Model is the name of the model's vectors. It has the beginning of the SHA-256 of the
// ONNX file that the packed weights stand for.
const Model = "minilm/all-MiniLM-L6-v2-e4l6@3c3e4e3e6687"

// Dim is the length of a vector.
const Dim = hidden

// The tokens before and after each text.
const (
	openingToken = 101
	closingToken = 102
)

const (
	// maxTokens is how many tokens of a text are used, as in the training of the model.
	maxTokens = 256
	// runTokens is how many tokens run at once: with more, their numbers leave the cache of
	// a core.
	runTokens = 128
	// maxCores is how many cores a batch uses. The others stay free for questions.
	maxCores = 2
)

// Embedder runs the model. It is safe for concurrent use.
type Embedder struct {
	load       func() *model // unpacks the weights once
	loadReader func() *reader

	mu        sync.Mutex
	questions map[string][]float32 // the vectors of the last questions
}

var builtIn = sync.OnceValue(func() *Embedder {
	load := sync.OnceValue(func() *model { return loadModel(packedModel) })
	loadReader := sync.OnceValue(func() *reader { return loadReader(packedReader, load()) })
	return &Embedder{load: load, loadReader: loadReader, questions: map[string][]float32{}}
})

// New returns the model in the binary. Its weights are unpacked at the first use, in some
// 40 ms and 13 MB.
func New() *Embedder { return builtIn() }

// Model returns [Model].
func (e *Embedder) Model() string { return Model }

// Dim returns [Dim].
func (e *Embedder) Dim() int { return Dim }

// Remote returns false.
func (e *Embedder) Remote() bool { return false }

// Embed embeds queries and passages in the same way. Blank texts get the zero vector. The
// vectors of the last questions come from a cache. After ctx is done, Embed returns when
// the texts that run are ready.
func (e *Embedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var b batch
	for i, text := range texts {
		if vectors[i] = e.known(text); vectors[i] != nil {
			continue
		}
		b.texts, b.at = append(b.texts, tokens(text)), append(b.at, i)
	}
	if err := b.run(ctx, func(texts [][]int32) [][]float32 { return e.load().vectors(texts) }, vectors); err != nil {
		return nil, err
	}
	for _, i := range b.at {
		embed.Normalize(vectors[i])
	}
	if kind == embed.Query {
		for _, i := range b.at {
			e.keep(texts[i], vectors[i])
		}
	}
	return vectors, nil
}

// tokens returns the tokens of a text, as BERT's vocabulary has them. The table in the
// binary has the same one.
func tokens(text string) []int32 {
	return append([]int32{openingToken}, closed(text, maxTokens-2)...)
}

// closed returns the first tokens of a text and the closing one.
func closed(text string, most int) []int32 {
	ids := static.New().Tokens(text)
	return append(ids[:min(len(ids), most)], closingToken)
}

// batch is the tokens of texts, and the places of their vectors.
type batch struct {
	texts [][]int32
	at    []int
}

// run computes the numbers of a batch on some cores.
func (b *batch) run(ctx context.Context, compute func(texts [][]int32) [][]float32, numbers [][]float32) error {
	if err := ctx.Err(); err != nil || len(b.texts) == 0 {
		return err
	}
	cores := min(maxCores, runtime.GOMAXPROCS(0))
	parts := make(chan batch, len(b.texts))
	for part := range b.split(cores) {
		parts <- part
	}
	close(parts)
	work := func() {
		for part := range parts {
			if ctx.Err() != nil {
				return
			}
			for n, v := range compute(part.texts) {
				numbers[part.at[n]] = v
			}
		}
	}
	var others sync.WaitGroup
	for range min(cores, len(parts)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	return ctx.Err()
}

// split yields parts of at most runTokens tokens, or of one text. A small batch has a part
// for each core.
func (b *batch) split(cores int) func(yield func(batch) bool) {
	total := 0
	for _, ids := range b.texts {
		total += len(ids)
	}
	most := min(runTokens, (total+cores-1)/cores)
	return func(yield func(batch) bool) {
		from, size := 0, 0
		for i, ids := range b.texts {
			if i > from && size+len(ids) > most {
				if !yield(batch{b.texts[from:i], b.at[from:i]}) {
					return
				}
				from, size = i, 0
			}
			size += len(ids)
		}
		yield(batch{b.texts[from:], b.at[from:]})
	}
}

// maxQuestions is the number of questions whose vectors are kept: those of a day's work,
// in 0.4 MB. A host asks some questions again within seconds: a recall is followed by a
// search, and a page is loaded again.
const maxQuestions = 256

// known returns the vector of a blank text or of one of the last questions, or nil.
func (e *Embedder) known(text string) []float32 {
	if strings.TrimSpace(text) == "" {
		return make([]float32, Dim)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.questions[text])
}

// keep keeps the vector of a question. If there are too many, the others go.
func (e *Embedder) keep(question string, vector []float32) {
	const maxBytes = 4 << 10 // longer texts are pasted pages, which nobody asks twice
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.questions) >= maxQuestions {
		clear(e.questions)
	}
	if len(question) <= maxBytes {
		e.questions[question] = slices.Clone(vector)
	}
}
