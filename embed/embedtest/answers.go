package embedtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/embed"
)

// kinds are both: whatever holds for passages holds for questions.
var kinds = []embed.Kind{embed.Passage, embed.Query}

// sameCosine is how near to 1 the cosine of two answers to the same text is: a
// server may sum in another order the second time, and no more.
const sameCosine = 0.9999

func describes(_ context.Context, e embed.Embedder) error {
	name, dim := e.Model(), e.Dim()
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("Model is empty")
	case dim < 0:
		return fmt.Errorf("Dim is %d", dim)
	case e.Model() != name || e.Dim() != dim:
		return errors.New("Model or Dim is another one when asked again")
	}
	return nil
}

func unitVectors(ctx context.Context, e embed.Embedder) error {
	for _, kind := range kinds {
		vectors, err := answer(ctx, e, kind, known)
		if err != nil {
			return err
		}
		for i, v := range vectors {
			if e.Dim() > 0 && embed.IsZero(v) {
				return fmt.Errorf("the vector of %q is zero", known[i])
			}
		}
	}
	return nil
}

func inOrder(ctx context.Context, e embed.Embedder) error {
	for _, kind := range kinds {
		forward, err := answer(ctx, e, kind, known)
		if err != nil {
			return err
		}
		turned := slices.Clone(known)
		slices.Reverse(turned)
		backward, err := answer(ctx, e, kind, turned)
		if err != nil {
			return err
		}
		slices.Reverse(backward)
		if err := same(forward, backward); err != nil {
			return fmt.Errorf("asked in another order: %w", err)
		}
	}
	return nil
}

func deterministic(ctx context.Context, e embed.Embedder) error {
	for _, kind := range kinds {
		once, err := answer(ctx, e, kind, known)
		if err != nil {
			return err
		}
		again, err := answer(ctx, e, kind, known)
		if err != nil {
			return err
		}
		if err := same(once, again); err != nil {
			return fmt.Errorf("asked again: %w", err)
		}
	}
	return nil
}

func batchOfOne(ctx context.Context, e embed.Embedder) error {
	together, err := answer(ctx, e, embed.Passage, known)
	if err != nil {
		return err
	}
	for i, text := range known {
		alone, err := answer(ctx, e, embed.Passage, []string{text})
		if err != nil {
			return err
		}
		if err := same(together[i:i+1], alone); err != nil {
			return fmt.Errorf("%q alone: %w", text, err)
		}
	}
	return nil
}

// manyTexts is more than any server takes at once (2048 is the usual limit).
func manyTexts(ctx context.Context, e embed.Embedder) error {
	texts := make([]string, 2100)
	for i := range texts {
		texts[i] = known[i%len(known)]
	}
	vectors, err := answer(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	for at := 0; at < len(texts); at += len(known) {
		if err := same(vectors[:len(known)], vectors[at:at+len(known)]); err != nil {
			return fmt.Errorf("equal texts from %d on: %w", at, err)
		}
	}
	return nil
}

func similarCloser(ctx context.Context, e embed.Embedder) error {
	if e.Dim() == 0 {
		return nil
	}
	for _, triple := range [][3]string{
		{"Where does the cat sleep?", "The cat likes to sleep on the kitchen chair.", "An invoice was paid in March."},
		{"When do we deploy the server?", "We deploy the server on Friday morning.", "She drinks green tea without sugar."},
		{"Which tea does she drink?", "Her favourite drink is green tea.", "The meeting moved to another room."},
	} {
		q, err := answer(ctx, e, embed.Query, triple[:1])
		if err != nil {
			return err
		}
		p, err := answer(ctx, e, embed.Passage, triple[1:])
		if err != nil {
			return err
		}
		if near, far := dot(q[0], p[0]), dot(q[0], p[1]); near <= far {
			return fmt.Errorf("%q is as near to %q (%.3f) as to %q (%.3f)", triple[0], triple[2], far, triple[1], near)
		}
	}
	return nil
}

// answer asks for vectors and checks their number, size and length.
func answer(ctx context.Context, e embed.Embedder, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, kind, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	return vectors, embed.Check(vectors, len(texts), e.Dim())
}

func same(a, b [][]float32) error {
	for i := range a {
		if embed.IsZero(a[i]) && embed.IsZero(b[i]) {
			continue
		}
		if cosine := dot(a[i], b[i]); !(cosine > sameCosine) {
			return fmt.Errorf("vector %d is another one (cosine %.6f)", i, cosine)
		}
	}
	return nil
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
