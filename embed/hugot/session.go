//go:build !nohugot && (amd64 || arm64)

package hugot

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
	"github.com/knights-analytics/hugot/pipelines"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Available reports whether this build can run a model.
const Available = true

// The shapes that a model is compiled for, each at its first use. There are few,
// because each takes memory and half a second. A batch is padded to the next shape.
var (
	batchSizes      = []int{1, batchSize}
	sequenceLengths = []int{16, 32, 64, 128, maxTokens}
)

const (
	// batchSize is how many texts run at once. A query must wait for the batch before
	// it: at most about 0.3 s on two cores.
	batchSize = 8
	// maxSingly is the number of texts up to which each is a batch of its own. Any
	// larger batch is padded to batchSize texts, and takes as long as that many.
	maxSingly = 4
	// maxTokens is how many tokens of a text are used. It is as many as in the
	// training of the models, and half of the number that crashes them.
	maxTokens = 256
	// maxBytes is how much of a text is tokenised. The tokeniser's time grows with the
	// square of the length, and 256 tokens of prose are about 1,200 bytes.
	maxBytes = 2048
)

// Embedder runs one model. It is safe for concurrent use, and runs one batch at a
// time.
type Embedder struct {
	options  Options
	dim      int
	slot     chan struct{}                        // holds one token: who has it runs a batch
	pipeline *pipelines.FeatureExtractionPipeline // of who has the turn; nil: not yet, or it failed and is tried again
}

// Open returns the model in a folder. The model is loaded at the first use, which
// takes about 0.2 s and 300 MB.
func Open(o Options) (embed.Embedder, error) {
	dim, err := dimension(o.Dir)
	if err != nil {
		return nil, err
	}
	return &Embedder{options: o, dim: dim, slot: make(chan struct{}, 1)}, nil
}

func load(dir string) (p *pipelines.FeatureExtractionPipeline, err error) {
	// The library makes the folder readable for everybody.
	if info, err := os.Stat(dir); err == nil {
		defer func() { _ = os.Chmod(dir, info.Mode().Perm()) }()
	}
	defer func() {
		if r := recover(); r != nil { // the library panics on a damaged file
			err = fmt.Errorf("%v", r)
		}
		if err != nil {
			err = memory.Unavailable(err, "load the embedding model in %s", dir).WithHint("copy the model again")
		}
	}()
	// The session is never closed: it has no goroutine, and is used until the process
	// ends.
	session, err := hugot.NewGoSession(context.Background(), options.WithGoMLXBatchBuckets(batchSizes), options.WithGoMLXSequenceBuckets(sequenceLengths))
	if err != nil {
		return nil, err
	}
	return hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: dir, OnnxFilename: "model.onnx", Name: "embed"})
}

// Model returns a name with the digest of the files.
func (e *Embedder) Model() string { return e.options.modelName() }

// Dim returns the model's hidden size.
func (e *Embedder) Dim() int { return e.dim }

// Remote returns false.
func (e *Embedder) Remote() bool { return false }

// Embed runs the texts in batches of similar length. Blank texts get the zero vector.
// When ctx is done, Embed returns, but the current batch runs to its end.
func (e *Embedder) Embed(ctx context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors, order := make([][]float32, len(texts)), make([]int, 0, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, e.dim)
		if strings.TrimSpace(text) != "" {
			order = append(order, i)
		}
	}
	// Texts of similar length share a batch, so that it has little padding.
	slices.SortStableFunc(order, func(a, b int) int { return len(texts[a]) - len(texts[b]) })
	for indexes := range slices.Chunk(order, batchSize) {
		size := batchSize
		if len(indexes) <= maxSingly {
			size = 1
		}
		for part := range slices.Chunk(indexes, size) {
			if err := e.embedBatch(ctx, texts, part, vectors); err != nil {
				return nil, err
			}
		}
	}
	return vectors, nil
}

// embedBatch embeds the texts with these indexes into their vectors.
func (e *Embedder) embedBatch(ctx context.Context, texts []string, indexes []int, vectors [][]float32) error {
	select {
	case e.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	type result struct {
		tokens [][][]float32
		err    error
	}
	done := make(chan result, 1)
	// The library cannot be cancelled. The batch keeps its slot until it is done, even
	// if no caller waits for it any more.
	go func() {
		defer func() { <-e.slot }()
		cut := make([]string, len(indexes))
		for n, i := range indexes {
			cut[n] = clip(texts[i])
		}
		tokens, err := e.run(cut)
		done <- result{tokens, err}
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case r := <-done:
		if r.err != nil {
			return r.err
		}
		for n, i := range indexes {
			meanPool(vectors[i], r.tokens[n])
		}
		return nil
	}
}

// run returns the output vectors of each text's tokens.
func (e *Embedder) run(texts []string) (tokens [][][]float32, err error) {
	if e.pipeline == nil {
		if e.pipeline, err = load(e.options.Dir); err != nil {
			return nil, err
		}
	}
	p := e.pipeline
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("run the embedding model: %v", r)
		}
	}()
	b := backends.NewBatch(len(texts))
	defer func() {
		if destroyed := b.Destroy(); err == nil {
			err = destroyed
		}
	}()
	backends.TokenizeInputs(b, p.Model.Tokenizer, texts)
	truncate(b)
	if err := backends.CreateInputTensors(b, p.Model, p.Runtime); err != nil {
		return nil, fmt.Errorf("run the embedding model: %w", err)
	}
	if err := backends.RunSessionOnBatch(context.Background(), b, p.BasePipeline); err != nil {
		return nil, fmt.Errorf("run the embedding model: %w", err)
	}
	tokens, ok := b.OutputValues[p.OutputIndex].([][][]float32)
	if !ok || len(tokens) != len(texts) {
		return nil, fmt.Errorf("run the embedding model: its output is not one vector per token")
	}
	return tokens, nil
}

// truncate shortens texts to maxTokens, and keeps the closing token, as in the
// training of the model.
func truncate(b *backends.PipelineBatch) {
	b.MaxSequenceLength = 0
	for i := range b.Input {
		t := &b.Input[i]
		if n := len(t.TokenIDs); n > maxTokens {
			t.TokenIDs[maxTokens-1] = t.TokenIDs[n-1]
			t.TokenIDs = t.TokenIDs[:maxTokens]
			t.AttentionMask = t.AttentionMask[:min(len(t.AttentionMask), maxTokens)]
			t.TypeIDs = t.TypeIDs[:min(len(t.TypeIDs), maxTokens)]
			t.MaxAttentionIndex = maxTokens - 1
		}
		b.MaxSequenceLength = max(b.MaxSequenceLength, len(t.TokenIDs))
	}
}

// meanPool computes the mean of a text's token vectors, as a unit vector.
func meanPool(v []float32, tokens [][]float32) {
	for _, t := range tokens {
		for i := range min(len(v), len(t)) {
			v[i] += t[i]
		}
	}
	embed.Normalize(v)
}

// clip shortens a text to maxBytes, and drops bytes that are not UTF-8.
func clip(text string) string {
	if len(text) > maxBytes {
		text = text[:maxBytes]
	}
	return strings.ToValidUTF8(text, "")
}
