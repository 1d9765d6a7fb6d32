package recall

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// question is a parsed query and which lanes it asks.
type question struct {
	memory.Query
	useText, useVectors bool
	intent              intent
	sentenceModel       bool      // a sentence transformer embeds, not the table of the binary
	noVectorReason      string    // why there is no vector, where the vector lane is asked
	event               *question // what it is placed in time by; nil: nothing that has to be looked for
}

// newQuestion parses a text and embeds it where the vector lane is asked, together with
// what it is placed in time by. An embedder that fails never fails the question:
// the lane is out and says why.
func (r *Recaller) newQuestion(ctx context.Context, now time.Time, text string, choice memory.Lane) question {
	speakers, err := r.src.Speakers(ctx)
	if err != nil {
		speakers = nil // the names are a hint; what is wrong the lanes will say
	}
	q := r.parseQuestion(text, choice, speakers, now)
	asked := []*question{q}
	if q.intent.event != nil && r.set.Fusion == FusionRanking {
		q.event = r.parseQuestion(q.intent.event.phrase, choice, speakers, now)
		asked = append(asked, q.event)
	}
	if q.useVectors {
		texts := make([]string, len(asked))
		for i, q := range asked {
			texts[i] = removeSpeakers(q.Text, speakers)
		}
		r.embedQuestions(ctx, texts, asked...)
	}
	return *q
}

func (r *Recaller) parseQuestion(text string, choice memory.Lane, speakers []string, now time.Time) *question {
	q := &question{Query: Parse(text), useText: choice != memory.LaneVector, useVectors: choice != memory.LaneText}
	q.sentenceModel = q.useVectors && r.emb != nil && !strings.HasPrefix(r.emb.Model(), "static/")
	q.intent = parseIntent(q.Query, speakers, now.In(r.set.zone()))
	if r.set.Fusion == FusionRanking {
		expand(q.Query, speakers, r.set.Expand)
	}
	return q
}

// rank is everything from lanes to order: what every question shares.
func (r *Recaller) rank(ctx context.Context, now time.Time, q question, p memory.Predicate, k int) ([]*candidate, lanes, error) {
	l, err := r.searchLanes(ctx, q, p, k)
	if err != nil {
		return nil, l, err
	}
	found, err := r.loadCandidates(ctx, l, p)
	if err != nil {
		return nil, l, err
	}
	if !p.AsOf.IsZero() {
		rewind(found, p.AsOf)
	}
	fuse(found, l, q, r.set)
	score(found, now, r.set)
	order(found, q, r.set)
	return found, l, nil
}

// rewind takes back what happened to the memories after a past moment, as far
// as it is known: later uses and edits make nothing younger. Its tier stays that
// of now: what moved it is not kept moment by moment.
func rewind(found []*candidate, then time.Time) {
	for _, c := range found {
		m := c.Memory
		if m.LastAccessedAt != nil && m.LastAccessedAt.After(then) {
			m.LastAccessedAt = nil
		}
		if m.EditedAt != nil && m.EditedAt.After(then) {
			m.EditedAt = nil
		}
	}
}

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
