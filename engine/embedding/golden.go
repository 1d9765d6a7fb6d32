package embedding

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// golden has a text and its question a line. They share words, so that a simple model passes too.
//
//go:embed golden.tsv
var golden string

const (
	// minGolden is the share of questions that must find their text first. The models inside
	// the binary find all; vectors at random, one of twelve.
	minGolden = 0.75
	// maxLatency is the 95th percentile of the time to embed a question. An agent waits for it.
	maxLatency = 500 * time.Millisecond
	// goldenTimeout bounds a check by a server that does not answer.
	goldenTimeout = 30 * time.Second
)

// errSlow reports a model that finds the texts, and takes too long.
var errSlow = errors.New("too slow")

// Golden asks a model known questions about a handful of known texts. An error is the reason why
// the model cannot be trusted to answer now.
func Golden(ctx context.Context, e embed.Embedder) error {
	ctx, cancel := context.WithTimeout(ctx, goldenTimeout)
	defer cancel()
	var texts, questions []string
	for line := range strings.Lines(golden) {
		text, question, _ := strings.Cut(strings.TrimSpace(line), "\t")
		texts, questions = append(texts, text), append(questions, question)
	}
	passages, err := EmbedTexts(ctx, e, texts)
	if err != nil {
		return err
	}
	found, took := 0, make([]time.Duration, len(questions))
	for i, question := range questions {
		start := time.Now()
		vectors, err := e.Embed(ctx, embed.Query, []string{question})
		if took[i] = time.Since(start); err == nil {
			err = embed.Check(vectors, 1, e.Dim())
		}
		if err != nil {
			return memory.Unavailable(err, "embed a question")
		}
		own := dot(vectors[0], passages[i])
		isNearer := func(p []float32) bool { return dot(vectors[0], p) >= own }
		if others := slices.Delete(slices.Clone(passages), i, i+1); own > 0 && !slices.ContainsFunc(others, isNearer) {
			found++
		}
	}
	switch slow := percentile95(took); {
	case float64(found) < minGolden*float64(len(questions)):
		return fmt.Errorf("the model %s finds %d of %d known texts", e.Model(), found, len(questions))
	case slow > maxLatency:
		return fmt.Errorf("%w: %s takes %d ms for a question, and the limit is %d", errSlow, e.Model(), slow.Milliseconds(), maxLatency.Milliseconds())
	}
	return nil
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func percentile95(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[(len(sorted)-1)*95/100]
}

// GoldenOnce returns [Golden] with one check of each model: workspaces share models.
func GoldenOnce() func(context.Context, embed.Embedder) error {
	results := map[string]error{}
	return func(ctx context.Context, e embed.Embedder) error {
		if _, known := results[e.Model()]; !known {
			results[e.Model()] = Golden(ctx, e)
		}
		return results[e.Model()]
	}
}
