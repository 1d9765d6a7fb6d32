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
	"sync/atomic"

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
	load func() (*model, error) // unpacks the weights once

	mu        sync.Mutex
	questions map[string][]float32 // the vectors of the last questions
}

var builtIn = sync.OnceValue(func() *Embedder {
	return &Embedder{load: sync.OnceValues(func() (*model, error) { return loadModel(packedModel) }), questions: map[string][]float32{}}
})

// New returns the model in the binary. Its weights are unpacked at the first use, in some
// 40 ms and 43 MB.
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
	var wanted [][]int32
	var at []int // the places of their vectors
	for i, text := range texts {
		if vectors[i] = e.known(text); vectors[i] != nil {
			continue
		}
		ids, err := sentence(text)
		if err != nil {
			return nil, err
		}
		wanted, at = append(wanted, ids), append(at, i)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(wanted) == 0 {
		return vectors, nil
	}
	m, err := e.load()
	if err != nil {
		return nil, err
	}
	err = eachPart(ctx, wanted, func(from, to int) {
		for n, v := range m.states(wanted[from:to], nil).means() {
			embed.Normalize(v)
			vectors[at[from+n]] = v
		}
	})
	if err != nil {
		return nil, err
	}
	if kind == embed.Query {
		for _, i := range at {
			e.keep(texts[i], vectors[i])
		}
	}
	return vectors, nil
}

// sentence returns the tokens of a text that the model reads.
func sentence(text string) ([]int32, error) {
	ids, err := tokens(text, maxTokens-2)
	return append(append([]int32{openingToken}, ids...), closingToken), err
}

// tokens returns the first tokens of a text, as BERT's vocabulary has them. The table in the
// binary has the same one.
func tokens(text string, most int) ([]int32, error) {
	table, err := static.New()
	if err != nil {
		return nil, err
	}
	ids, err := table.Tokens(text)
	return ids[:min(len(ids), most)], err
}

// eachPart calls work for parts of texts, on some cores: from the first text of a part to the
// one after its last. After ctx is done, it returns when the parts that run are ready.
func eachPart(ctx context.Context, texts [][]int32, work func(from, to int)) error {
	cores := min(maxCores, runtime.GOMAXPROCS(0))
	ends := partEnds(texts, cores)
	var next atomic.Int64
	workAll := func() {
		for n := int(next.Add(1)) - 1; n < len(ends) && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
			from := 0
			if n > 0 {
				from = ends[n-1]
			}
			work(from, ends[n])
		}
	}
	var others sync.WaitGroup
	for range min(cores, len(ends)) - 1 {
		others.Go(workAll)
	}
	workAll()
	others.Wait()
	return ctx.Err()
}

// partEnds returns where parts of at most runTokens tokens, or of one text, end. A small
// batch has a part for each core.
func partEnds(texts [][]int32, cores int) (ends []int) {
	total := 0
	for _, ids := range texts {
		total += len(ids)
	}
	most, size := min(runTokens, (total+cores-1)/cores), 0
	for i, ids := range texts {
		if size > 0 && size+len(ids) > most {
			ends, size = append(ends, i), 0
		}
		size += len(ids)
	}
	return append(ends, len(texts))
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
