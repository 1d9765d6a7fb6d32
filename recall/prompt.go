package recall

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/block"
	"github.com/memory-tiered/memory/recall/question"
)

// Prompt is a prompt for a model, with the limits for the memories before it.
type Prompt struct {
	Text      string
	Predicate memory.Predicate // Recall also excludes what may never be injected
	MaxItems  *int             // nil: as in the settings
	MaxTokens *int             // nil: as in the settings
	InPrompt  []string         // files that the host already puts before the model whole
	Context   *memory.Context  // the current context; nil if none is set, ignored if expired
	Traced    bool             // the trace is read
	Documents Source           // their passages follow the memories, within a budget of their own; nil: there are none

	// Profile returns the memories of the profile, which the beginning of a session has too if
	// the settings say so. nil: there is none.
	Profile func(memory.Predicate) ([]memory.ID, error)

	// Has returns why the model has a memory already; empty: it has not. nil: it has none.
	// answers reports that the memory is what the prompt asks for.
	Has func(m *memory.Memory, answers bool) (reason string)
}

// Recall returns the block for a prompt. The caller fills in the answer's receipt,
// time taken and staleness.
func (r *Recaller) Recall(ctx context.Context, now time.Time, p Prompt) (memory.RecallAnswer, Trace, error) {
	answer, t, err := r.recallMemories(ctx, now, p)
	if err != nil || p.Documents == nil {
		return answer, t, err
	}
	items, tokens := documentItems, documentTokens
	if p.MaxItems != nil {
		items = min(items, *p.MaxItems)
	}
	if p.MaxTokens != nil { // the whole block
		tokens = max(0, min(tokens, *p.MaxTokens-answer.Tokens))
	}
	p.Context, p.MaxItems, p.MaxTokens, p.Traced = nil, &items, &tokens, false
	passages, _, err := r.With(p.Documents).recallMemories(ctx, now, p)
	if len(passages.Hits) > 0 {
		answer.Context = block.WithDocuments(answer.Context, passages.Context)
		answer.Tokens, answer.Skipped = block.TokenCount(answer.Context), nil
		answer.Hits = append(answer.Hits, passages.Hits...)
	}
	return answer, t, err
}

// The budget of documents in a block: two passages of the usual length, or three short ones.
const (
	documentItems  = 3
	documentTokens = 600
)

// recallMemories is Recall without the documents of the prompt.
func (r *Recaller) recallMemories(ctx context.Context, now time.Time, p Prompt) (memory.RecallAnswer, Trace, error) {
	maxItems, maxTokens, err := r.limits(p)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	current := activeContext(p.Context, now)
	p.Predicate.View = Pushed(p.Predicate.View, now)
	predicate := p.Predicate
	predicate.Archive = false
	called, err := r.calls(ctx, p.Text, predicate)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	trivial := question.IsTrivial(p.Text)
	switch {
	case trivial && len(called) == 0: // or empty
		return emptyAnswer(current, maxTokens, memory.SkippedTrivial, nil), Trace{}, nil
	case maxItems == 0 || maxTokens == 0:
		return emptyAnswer(current, maxTokens, memory.SkippedDisabled, nil), Trace{}, nil
	}
	q := r.newQuery(ctx, now, p.Text, memory.LaneHybrid, predicate)
	found, l, err := r.rank(ctx, now, q, predicate, candidatesPerLane)
	defer l.release()
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	if trivial {
		found = nil
	}
	if found, err = r.addCalled(ctx, now, found, called, predicate); err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	t := Trace{}
	if p.Traced {
		t = newTrace(found, l, q)
	}
	chosen, err := r.selectForBlock(ctx, found, q, &t, p, maxItems, block.NewBudget(maxTokens, current))
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	if len(chosen) == 0 {
		return emptyAnswer(current, maxTokens, t.reasonForNothing(), l.statuses()), t, nil
	}
	answer := memory.RecallAnswer{Hits: r.hits(chosen, false), Lanes: l.statuses()}
	entries := make([]*block.Entry, len(chosen))
	for i, c := range chosen {
		entries[i] = &c.entry
	}
	answer.Context = block.Render(current, entries, maxTokens)
	if r.set.SceneLine {
		answer.Context = block.WithScene(answer.Context, entries, maxTokens)
	}
	answer.Tokens = block.TokenCount(answer.Context)
	return answer, t, nil
}

// selectForBlock runs the steps from eligibility to packing and adds the rejections
// to the trace. It returns the memories in the order of the block.
func (r *Recaller) selectForBlock(ctx context.Context, found []*candidate, q laneQuery, t *Trace, p Prompt, maxItems int, b *block.Budget) ([]*candidate, error) {
	found = t.sift(found, eligible(p.Predicate.View, p.InPrompt))
	found = t.preferTrusted(found)
	found = t.sift(found, holdingNow(q.intent))
	called, found := takeCalled(found, r.set)
	r.read(ctx, found, q)
	found = t.sift(found, aboveFloor(found, r.set))
	found = t.sift(found, nearBest(found, r.set))
	found = t.sift(found, ofNamedTime(found, q, r.set))
	found = r.dedupe(append(called, found...), q.intent, t)
	found = newerFirst(found, q.intent)
	found = t.sift(found, leaveOut(found, p.Has))
	ids := make([]memory.ID, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	prefixes, err := r.src.IDPrefixes(ctx, ids, p.Predicate.View)
	if err != nil {
		return nil, err
	}
	terms := lowerTerms(q.Terms)
	newRoom := func() room {
		left := *b
		return func(c *candidate) bool {
			if c.entry.Memory == nil {
				c.entry = block.Entry{Memory: c.Memory, Similarity: c.similarity, IDPrefix: prefixes[c.ID], Mark: c.mark(), Zone: r.set.zone(), Terms: terms}
			}
			return left.Fits(&c.entry)
		}
	}
	chosen := t.pack(t.perSession(found, q, r.set, newRoom()), maxItems, r.set.Budgets, newRoom)
	if t.isKept {
		t.Selected = countByTier(chosen)
	}
	markEarned(found, chosen, func(*candidate) float64 { return likely })
	return chosen, nil
}

// limits returns the limits of the prompt, or else of the settings.
func (r *Recaller) limits(p Prompt) (items, tokens int, err error) {
	items, tokens = r.set.MaxItems, r.set.MaxTokens
	if p.MaxItems != nil {
		items = *p.MaxItems
	}
	if p.MaxTokens != nil {
		tokens = *p.MaxTokens
	}
	switch {
	case items < 0:
		return 0, 0, memory.Invalid("max_items", "max_items is %d: it cannot be negative", items)
	case tokens < 0:
		return 0, 0, memory.Invalid("max_tokens", "max_tokens is %d: it cannot be negative", tokens)
	}
	return items, min(tokens, block.MaxTokens), nil
}

// Pushed returns the view of what is put before a prompt at now, although the model did not
// ask for it.
func Pushed(v memory.View, now time.Time) memory.View {
	v.Model, v.Pushed, v.Now = true, true, now
	return v
}

// activeContext returns c, or nil if it has expired.
func activeContext(c *memory.Context, now time.Time) *memory.Context {
	if c == nil || !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(now) {
		return nil
	}
	return c
}

// lowerTerms returns the texts of terms in lower case.
func lowerTerms(terms []memory.Term) []string {
	lower := make([]string, len(terms))
	for i, t := range terms {
		lower[i] = strings.ToLower(t.Text)
	}
	return lower
}

// CutsContext reports whether the current context is longer than its share of a block.
func CutsContext(current *memory.Context, maxTokens int) bool {
	return block.CutsContext(current, maxTokens)
}

// emptyAnswer returns an answer without memories, with the reason.
func emptyAnswer(current *memory.Context, maxTokens int, reason string, lanes map[memory.Lane]string) memory.RecallAnswer {
	rendered := block.Render(current, nil, maxTokens)
	if lanes == nil {
		lanes = map[memory.Lane]string{}
	}
	return memory.RecallAnswer{Context: rendered, Hits: []memory.Hit{}, Tokens: block.TokenCount(rendered), Skipped: &reason, Lanes: lanes}
}

func (c *candidate) hit() memory.Hit {
	return memory.Hit{Memory: *c.Memory, Score: c.score, Similarity: c.similarity, TextScore: c.TextScore, VectorScore: c.vectorScore, Earned: c.earned}
}

// hits returns the answer's form of the candidates, with the parts of their scores if
// explain is set.
func (r *Recaller) hits(found []*candidate, explain bool) []memory.Hit {
	list := make([]memory.Hit, 0, len(found))
	for _, c := range found {
		h := c.hit()
		if explain {
			h.Factors = c.composite.factors(r.set)
			if c.Signals.ID != "" {
				h.Ranking = c.values.Factors(c.sentenceModel)
			}
		}
		list = append(list, h)
	}
	return list
}
