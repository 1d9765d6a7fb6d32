package recall

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// question is a parsed query with the lanes that it asks.
type question struct {
	memory.Query
	useText, useVectors bool
	intent              intent
	sentenceModel       bool      // the embedder is a sentence transformer, not the binary's own table
	noVectorReason      string    // why there is no vector, if the vector lane is asked
	event               *question // the event that gives the time, as a question of its own; nil: none
}

// newQuestion parses a text. If the vector lane is asked, it also embeds the text
// and the event that the text names. If the embedder fails, the vector lane does
// not serve and reports why; the question itself goes on.
func (r *Recaller) newQuestion(ctx context.Context, now time.Time, text string, lane memory.Lane) question {
	speakers, err := r.src.Speakers(ctx)
	if err != nil {
		speakers = nil // names only help; the lanes report what is wrong
	}
	q := r.parseQuestion(text, lane, speakers, now)
	questions := []*question{q}
	if q.intent.event != nil && r.set.Fusion == FusionRanking {
		q.event = r.parseQuestion(q.intent.event.phrase, lane, speakers, now)
		questions = append(questions, q.event)
	}
	if q.useVectors {
		texts := make([]string, len(questions))
		for i, q := range questions {
			texts[i] = removeSpeakers(q.Text, speakers)
		}
		r.embedQuestions(ctx, texts, questions...)
	}
	return *q
}

func (r *Recaller) parseQuestion(text string, lane memory.Lane, speakers []string, now time.Time) *question {
	q := &question{Query: Parse(text), useText: lane != memory.LaneVector, useVectors: lane != memory.LaneText}
	q.sentenceModel = q.useVectors && r.emb != nil && !strings.HasPrefix(r.emb.Model(), "static/")
	q.intent = parseIntent(q.Query, speakers, now.In(r.set.zone()))
	if r.set.Fusion == FusionRanking {
		expand(q.Query, speakers, r.set.Expand)
	}
	return q
}

// rank runs the steps from the lanes to the order, which every question shares.
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

// rewind removes the uses and edits after a past moment, so that they make no
// memory younger. Tiers stay those of today, because their history is not kept.
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

// embedQuestions embeds the texts of the questions in one call. A question that
// gets no vector gets the reason.
func (r *Recaller) embedQuestions(ctx context.Context, texts []string, questions ...*question) {
	vectors, reason := r.embedTexts(ctx, texts)
	for i, q := range questions {
		switch {
		case reason != "":
			q.noVectorReason = reason
		case embed.IsZero(vectors[i]):
			q.noVectorReason = "the embedding model knows no word of the question"
		default:
			q.Vector, q.Model = vectors[i], r.emb.Model()
		}
	}
}

func (r *Recaller) embedTexts(ctx context.Context, texts []string) (vectors [][]float32, reason string) {
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
