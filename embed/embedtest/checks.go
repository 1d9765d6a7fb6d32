package embedtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/embed"
)

// kinds are both kinds, which have the same requirements.
var kinds = []embed.Kind{embed.Passage, embed.Query}

// minEqualCosine is the smallest cosine of two vectors of the same text. A server
// may add numbers in another order the second time.
const minEqualCosine = 0.9999

func checkIdentity(_ context.Context, e embed.Embedder) error {
	name, dim := e.Model(), e.Dim()
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("Model is empty")
	case dim < 0:
		return fmt.Errorf("Dim is %d", dim)
	case e.Model() != name || e.Dim() != dim:
		return errors.New("Model or Dim differ between two calls")
	}
	return nil
}

func checkUnitVectors(ctx context.Context, e embed.Embedder) error {
	for _, kind := range kinds {
		vectors, err := embedChecked(ctx, e, kind, knownTexts)
		if err != nil {
			return err
		}
		for i, v := range vectors {
			if e.Dim() > 0 && embed.IsZero(v) {
				return fmt.Errorf("the vector of %q is zero", knownTexts[i])
			}
		}
	}
	return nil
}

func checkOrder(ctx context.Context, e embed.Embedder) error {
	for _, kind := range kinds {
		forward, err := embedChecked(ctx, e, kind, knownTexts)
		if err != nil {
			return err
		}
		turned := slices.Clone(knownTexts)
		slices.Reverse(turned)
		backward, err := embedChecked(ctx, e, kind, turned)
		if err != nil {
			return err
		}
		slices.Reverse(backward)
		if err := checkEqual(forward, backward); err != nil {
			return fmt.Errorf("in another order: %w", err)
		}
	}
	return nil
}

func checkDeterministic(ctx context.Context, e embed.Embedder) error {
	for _, kind := range kinds {
		once, err := embedChecked(ctx, e, kind, knownTexts)
		if err != nil {
			return err
		}
		again, err := embedChecked(ctx, e, kind, knownTexts)
		if err != nil {
			return err
		}
		if err := checkEqual(once, again); err != nil {
			return fmt.Errorf("in a second call: %w", err)
		}
	}
	return nil
}

func checkSingleText(ctx context.Context, e embed.Embedder) error {
	together, err := embedChecked(ctx, e, embed.Passage, knownTexts)
	if err != nil {
		return err
	}
	for i, text := range knownTexts {
		alone, err := embedChecked(ctx, e, embed.Passage, []string{text})
		if err != nil {
			return err
		}
		if err := checkEqual(together[i:i+1], alone); err != nil {
			return fmt.Errorf("%q alone: %w", text, err)
		}
	}
	return nil
}

// checkLargeBatch sends more texts than any server accepts in one request (2048 is a
// common limit).
func checkLargeBatch(ctx context.Context, e embed.Embedder) error {
	texts := make([]string, 2100)
	for i := range texts {
		texts[i] = knownTexts[i%len(knownTexts)]
	}
	vectors, err := embedChecked(ctx, e, embed.Passage, texts)
	if err != nil {
		return err
	}
	for at := 0; at < len(texts); at += len(knownTexts) {
		if err := checkEqual(vectors[:len(knownTexts)], vectors[at:at+len(knownTexts)]); err != nil {
			return fmt.Errorf("equal texts from %d on: %w", at, err)
		}
	}
	return nil
}

func checkSimilarity(ctx context.Context, e embed.Embedder) error {
	if e.Dim() == 0 {
		return nil
	}
	for _, triple := range [][3]string{
		{"Where does the cat sleep?", "The cat likes to sleep on the kitchen chair.", "An invoice was paid in March."},
		{"When do we deploy the server?", "We deploy the server on Friday morning.", "She drinks green tea without sugar."},
		{"Which tea does she drink?", "Her favourite drink is green tea.", "The meeting moved to another room."},
	} {
		q, err := embedChecked(ctx, e, embed.Query, triple[:1])
		if err != nil {
			return err
		}
		p, err := embedChecked(ctx, e, embed.Passage, triple[1:])
		if err != nil {
			return err
		}
		if near, far := dot(q[0], p[0]), dot(q[0], p[1]); near <= far {
			return fmt.Errorf("%q is as near to %q (%.3f) as to %q (%.3f)", triple[0], triple[2], far, triple[1], near)
		}
	}
	return nil
}

// embedChecked embeds texts and checks the number, dimension and length of the
// vectors.
func embedChecked(ctx context.Context, e embed.Embedder, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, kind, texts)
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	return vectors, embed.Check(vectors, len(texts), e.Dim())
}

func checkEqual(a, b [][]float32) error {
	for i := range a {
		if embed.IsZero(a[i]) && embed.IsZero(b[i]) {
			continue
		}
		if cosine := dot(a[i], b[i]); !(cosine > minEqualCosine) {
			return fmt.Errorf("vector %d differs (cosine %.6f)", i, cosine)
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
