package recall

import (
	"context"

	"github.com/memory-tiered/memory/embed"
)

// embedQuestions gives the vectors of the questions, in one call of the embedder, to those
// that want one, or says why they have none.
func (r *Recaller) embedQuestions(ctx context.Context, texts []string, questions ...*question) {
	vectors, why := r.embedTexts(ctx, texts)
	for i, q := range questions {
		switch {
		case why != "":
			q.noVectorReason = why
		case embed.IsZero(vectors[i]):
			q.noVectorReason = "the embedding model knows no word of the question"
		default:
			q.Vector, q.Model = vectors[i], r.emb.Model()
		}
	}
}

func (r *Recaller) embedTexts(ctx context.Context, texts []string) (vectors [][]float32, why string) {
	if r.emb == nil || r.emb.Dim() == 0 {
		return nil, "no embedding provider"
	}
	vectors, err := r.emb.Embed(ctx, embed.Query, texts)
	if err == nil {
		err = embed.Check(vectors, len(texts), r.emb.Dim())
	}
	if err != nil {
		return nil, "embed the question: " + err.Error()
	}
	return vectors, ""
}
