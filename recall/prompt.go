package recall

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
)

// Prompt is what a model is about to get, and what may be put before it.
type Prompt struct {
	Text      string
	Predicate memory.Predicate // filters; what may never be injected is added to them
	MaxItems  *int             // nil: the settings'
	MaxTokens *int             // nil: the settings'
	InPrompt  []string         // files that the host puts before the model whole
	Context   *memory.Context  // nil where none is set; an expired one is left out
}

// Recall makes the block for a prompt. The answer's receipt, time taken and
// staleness are the caller's to fill in.
func (r *Recaller) Recall(ctx context.Context, now time.Time, p Prompt) (memory.RecallAnswer, Trace, error) {
	maxItems, maxTokens, err := r.limits(p)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	slot := activeContext(p.Context, now)
	switch {
	case IsTrivial(p.Text): // an empty one too
		return emptyAnswer(slot, memory.SkippedTrivial, nil), Trace{}, nil
	case maxItems == 0 || maxTokens == 0:
		return emptyAnswer(slot, memory.SkippedDisabled, nil), Trace{}, nil
	}
	q := r.newQuestion(ctx, now, p.Text, memory.LaneHybrid)
	may := injectable(p.Predicate, now)
	r.resolveEvent(ctx, now, &q, may)
	found, l, err := r.rank(ctx, now, q, may, candidatesPerLane)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	t := newTrace(found, l, q)
	chosen := r.selectForBlock(found, &t, p.InPrompt, maxItems, newBudget(maxTokens, slot))
	if len(chosen) == 0 {
		return emptyAnswer(slot, memory.SkippedNothing, l.statuses()), t, nil
	}
	answer := memory.RecallAnswer{Hits: r.hits(chosen, false), Lanes: l.statuses()}
	answer.Context = renderBlock(slot, renderedLines(chosen))
	answer.Tokens = TokenCount(answer.Context)
	return answer, t, nil
}

// selectForBlock is everything from order to packing, and notes what it leaves out.
func (r *Recaller) selectForBlock(found []*candidate, t *Trace, inPrompt []string, maxItems int, fits func(*candidate) bool) []*candidate {
	steps := []func([]*candidate) ([]*candidate, []Rejection){
		func(in []*candidate) ([]*candidate, []Rejection) { return eligible(in, inPrompt) },
		func(in []*candidate) ([]*candidate, []Rejection) { return aboveFloor(in, r.set) },
		dedupe,
		func(in []*candidate) ([]*candidate, []Rejection) { return pack(in, maxItems, r.set.Budgets, fits) },
	}
	for _, step := range steps {
		var left []Rejection
		found, left = step(found)
		t.Rejections = append(t.Rejections, left...)
	}
	t.Selected = countByTier(found)
	return found
}

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
	return items, tokens, nil
}

// injectable narrows a predicate to the memories that may be injected at now.
func injectable(p memory.Predicate, now time.Time) memory.Predicate {
	p.Injectable, p.Now = true, now
	p.Archive = false
	p.Forgotten, p.Missing = memory.Exclude, memory.Exclude
	return p
}

func activeContext(slot *memory.Context, now time.Time) *memory.Context {
	if slot == nil || !slot.ExpiresAt.IsZero() && !slot.ExpiresAt.After(now) {
		return nil
	}
	return slot
}

// emptyAnswer is the answer that holds no memories, and why.
func emptyAnswer(slot *memory.Context, why string, lanes map[memory.Lane]string) memory.RecallAnswer {
	block := renderBlock(slot, nil)
	if lanes == nil {
		lanes = map[memory.Lane]string{}
	}
	return memory.RecallAnswer{Context: block, Hits: []memory.Hit{}, Tokens: TokenCount(block), Skipped: &why, Lanes: lanes}
}

// newBudget says of each memory in turn whether the block still has room for it,
// and gives it the room.
func newBudget(maxTokens int, slot *memory.Context) func(*candidate) bool {
	room := maxTokens*bytesPerToken - len(blockOpen+renderContext(slot)+blockIntro+blockClose)
	return func(c *candidate) bool {
		if len(c.Text) > room && isClean(c.Text) { // nothing of such a text is left out where it is rendered
			return false
		}
		c.line = renderHit(c.hit())
		if len(c.line) > room {
			return false
		}
		room -= len(c.line)
		return true
	}
}

// renderedLines are the lines of what there was room for.
func renderedLines(chosen []*candidate) []string {
	lines := make([]string, len(chosen))
	for i, c := range chosen {
		lines[i] = c.line
	}
	return lines
}

func (c *candidate) hit() memory.Hit {
	return memory.Hit{Memory: *c.Memory, Score: c.score, Similarity: c.similarity, TextScore: c.textScore, VectorScore: c.vectorScore}
}

func (r *Recaller) hits(found []*candidate, explain bool) []memory.Hit {
	list := make([]memory.Hit, 0, len(found))
	for _, c := range found {
		h := c.hit()
		if explain {
			h.Factors = c.composite.factors(r.set)
			if c.signals.ID != "" {
				h.Ranking = c.values.factors(c.sentenceModel)
			}
		}
		list = append(list, h)
	}
	return list
}
