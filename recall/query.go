package recall

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/ranking"
)

// laneQuery is a parsed question with the lanes that it asks.
type laneQuery struct {
	memory.Query
	useText, useVectors bool
	intent              question.Intent
	sentenceModel       bool     // the embedder is a sentence transformer, not the binary's own table
	englishModel        bool     // the embedder knows English alone
	noVectorReason      string   // why there is no vector, if the vector lane is asked
	subject             *subject // whom or what the question is about, if many notes share the name; nil: nothing
}

// newQuery parses a text. If the vector lane is asked, it also embeds the text. If the
// embedder fails, the vector lane does not serve and reports why; the question itself goes on.
func (r *Recaller) newQuery(ctx context.Context, now time.Time, text string, lane memory.Lane, p memory.Predicate) laneQuery {
	speakers, err := r.src.Speakers(ctx, p)
	if err != nil {
		speakers = nil // names only help; the lanes report what is wrong
	}
	q := r.parseQuery(text, lane, speakers, now)
	q.askAbout(r.findSubject(ctx, q, speakers, p))
	if q.useVectors {
		texts := []string{question.RemoveSubject(question.RemoveNames(q.embeddedText(), speakers), q.subject.droppedNames())}
		// Of a subject, the whole question is asked without the name. In talk, names are those of speakers.
		if rest := q.intent.Nameless(q.Text); rest != "" && q.subject == nil && len(speakers) == 0 && q.useText {
			texts = append(texts, rest)
		}
		r.embedQuery(ctx, q, texts)
	}
	return *q
}

func (r *Recaller) parseQuery(text string, lane memory.Lane, speakers []string, now time.Time) *laneQuery {
	q := &laneQuery{Query: question.Parse(text), useText: lane != memory.LaneVector, useVectors: lane != memory.LaneText}
	q.sentenceModel = q.useVectors && r.emb != nil && !strings.HasPrefix(r.emb.Model(), "static/")
	q.intent = question.ParseIntent(q.Query, speakers, now.In(r.set.zone()))
	q.englishModel = q.useVectors && r.emb != nil && knowsEnglishAlone(r.emb.Model())
	q.intent.Unknown = q.englishModel && lang.IsForeign(text)
	if r.set.Fusion == FusionRanking {
		q.Terms = q.intent.Terms
		q.Sections = ranking.WantsSections(q.intent)
		question.Expand(q.Query, speakers, r.set.Expand)
	}
	return q
}

// embeddedText returns the question without the days that it names, unless nothing is
// left. They describe the time of a memory, and not what it is about.
func (q *laneQuery) embeddedText() string {
	if strings.ContainsFunc(q.intent.Rest, lang.IsAlnum) {
		return q.intent.Rest
	}
	return q.Text
}

// knowsEnglishAlone reports whether a model is one of the two in the binary, which were
// trained on English.
func knowsEnglishAlone(model string) bool {
	return strings.HasPrefix(model, "static/") || strings.HasPrefix(model, "minilm/")
}

// rank runs the steps from the lanes to the order, which every question shares. The
// caller releases the lanes when it needs no candidate any more.
func (r *Recaller) rank(ctx context.Context, now time.Time, q laneQuery, p memory.Predicate, k int) ([]*candidate, lanes, error) {
	l, err := r.searchLanes(ctx, q, p, k)
	if err != nil {
		return nil, l, err
	}
	if l.aboutSubject, err = r.searchSubject(ctx, q, l, p, k); err != nil {
		return nil, l, err
	}
	if l.writtenThen, err = r.searchTimes(ctx, q, p, k); err != nil {
		return nil, l, err
	}
	found, err := r.loadCandidates(ctx, &l, p)
	if err != nil {
		return nil, l, err
	}
	if !p.AsOf.IsZero() {
		rewind(found, p.AsOf)
	}
	if err := r.addFeedback(ctx, q, found); err != nil {
		return nil, l, err
	}
	fuse(found, l, q, r.set)
	applyFeedback(found)
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

// embedQuery embeds a question, and its rest without names if there is a second text. A
// question that gets no vector gets the reason.
func (r *Recaller) embedQuery(ctx context.Context, q *laneQuery, texts []string) {
	vectors, reason := r.embedTexts(ctx, texts)
	switch {
	case reason != "":
		q.noVectorReason = reason
		return
	case embed.IsZero(vectors[0]):
		q.noVectorReason = "the embedding model knows no word of the question"
	default:
		q.Vector, q.Model = vectors[0], r.emb.Model()
	}
	if len(vectors) > 1 && !embed.IsZero(vectors[1]) {
		q.Rest = vectors[1]
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
