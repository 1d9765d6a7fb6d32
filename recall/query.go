package recall

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall/language"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/ranking"
)

// laneQuery is a parsed question with the lanes that it asks.
type laneQuery struct {
	memory.Query
	useText, useVectors bool
	intent              question.Intent
	sentenceModel       bool       // the embedder is a sentence transformer, not the binary's own table
	englishModel        bool       // the embedder knows English alone
	noVectorReason      string     // why there is no vector, if the vector lane is asked
	subject             *subject   // whom or what the question is about, if many notes share the name; nil: nothing
	event               *laneQuery // the event that gives the time, as a question of its own; nil: none
}

// newQuery parses a text. If the vector lane is asked, it also embeds the text
// and the event that the text names. If the embedder fails, the vector lane does
// not serve and reports why; the question itself goes on.
func (r *Recaller) newQuery(ctx context.Context, now time.Time, text string, lane memory.Lane, p memory.Predicate) laneQuery {
	speakers, err := r.src.Speakers(ctx, p)
	if err != nil {
		speakers = nil // names only help; the lanes report what is wrong
	}
	q := r.parseQuery(text, lane, speakers, now)
	if r.set.Fusion == FusionRanking && q.intent.MayDropDays() && r.hasWritten(ctx, q.intent.Spans, p) {
		q.Terms = q.intent.DropDays(q.Terms)
	}
	if q.useText && r.set.Fusion == FusionRanking {
		if names := r.stopWordNames(ctx, q.Text, p); len(names) > 0 {
			q.intent.AddNamedWords(names)
			q.Terms = q.intent.Terms
		}
	}
	q.askAbout(r.findSubject(ctx, q, speakers, p))
	questions := []*laneQuery{q}
	if q.intent.Event != nil && r.set.Fusion == FusionRanking {
		q.event = r.parseQuery(q.intent.Event.Phrase, lane, speakers, now)
		questions = append(questions, q.event)
	}
	if q.useVectors {
		texts := make([]string, len(questions))
		for i, q := range questions {
			texts[i] = question.RemoveSubject(question.RemoveNames(q.embeddedText(), speakers), q.subject.droppedNames())
		}
		// Of a subject, the whole question is asked without the name. In talk, names are those of speakers.
		if rest := q.intent.Nameless(q.Text); rest != "" && q.subject == nil && len(speakers) == 0 && q.useText {
			texts = append(texts, rest)
		}
		r.embedQueries(ctx, texts, questions...)
	}
	return *q
}

func (r *Recaller) parseQuery(text string, lane memory.Lane, speakers []string, now time.Time) *laneQuery {
	q := &laneQuery{Query: question.Parse(text), useText: lane != memory.LaneVector, useVectors: lane != memory.LaneText}
	q.sentenceModel = q.useVectors && r.emb != nil && !strings.HasPrefix(r.emb.Model(), "static/")
	q.intent = question.ParseIntent(q.Query, speakers, now.In(r.set.zone()))
	q.englishModel = q.useVectors && r.emb != nil && knowsEnglishAlone(r.emb.Model())
	q.intent.Unknown = q.englishModel && language.IsForeign(text)
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
	if strings.ContainsFunc(q.intent.Rest, language.IsAlnum) {
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

// embedQueries embeds the texts of the questions in one call, and after them the rest of
// the first question, if there is one more text. A question that gets no vector gets the
// reason.
func (r *Recaller) embedQueries(ctx context.Context, texts []string, questions ...*laneQuery) {
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
	if n := len(questions); len(vectors) > n && !embed.IsZero(vectors[n]) {
		questions[0].Rest = vectors[n]
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
