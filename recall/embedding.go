package recall

import (
	"context"

	"github.com/memory-tiered/memory/embed"
)

// embed gives the vector of a question, or why it has none.
func (r *Recaller) embed(ctx context.Context, text string) (vec []float32, why string) {
	if r.emb == nil || r.emb.Dim() == 0 {
		return nil, "no embedding provider"
	}
	vectors, err := r.emb.Embed(ctx, embed.Query, []string{text})
	if err == nil {
		err = embed.Check(vectors, 1, r.emb.Dim())
	}
	switch {
	case err != nil:
		return nil, "embed the question: " + err.Error()
	case embed.IsZero(vectors[0]):
		return nil, "the embedding model knows no word of the question"
	}
	return vectors[0], ""
}
