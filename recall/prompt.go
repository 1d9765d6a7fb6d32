package recall

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
)

// Prompt is a prompt for a model, with the limits for the memories before it.
type Prompt struct {
	Text      string
	Predicate memory.Predicate // Recall also excludes what may never be injected
	MaxItems  *int             // nil: as in the settings
	MaxTokens *int             // nil: as in the settings
	InPrompt  []string         // files that the host already puts before the model whole
	Context   *memory.Context  // the current context; nil if none is set, ignored if expired
}

// Recall returns the block for a prompt. The caller fills in the answer's receipt,
// time taken and staleness.
func (r *Recaller) Recall(ctx context.Context, now time.Time, p Prompt) (memory.RecallAnswer, Trace, error) {
	maxItems, maxTokens, err := r.limits(p)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	current := activeContext(p.Context, now)
	switch {
	case IsTrivial(p.Text): // or empty
		return emptyAnswer(current, memory.SkippedTrivial, nil), Trace{}, nil
	case maxItems == 0 || maxTokens == 0:
		return emptyAnswer(current, memory.SkippedDisabled, nil), Trace{}, nil
	}
	q := r.newQuestion(ctx, now, p.Text, memory.LaneHybrid)
	predicate := injectable(p.Predicate, now)
	r.resolveEvent(ctx, now, &q, predicate)
	found, l, err := r.rank(ctx, now, q, predicate, candidatesPerLane)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	t := newTrace(found, l, q)
	chosen := r.selectForBlock(found, &t, p.InPrompt, maxItems, newBudget(maxTokens, current))
	if len(chosen) == 0 {
		return emptyAnswer(current, memory.SkippedNothing, l.statuses()), t, nil
	}
	answer := memory.RecallAnswer{Hits: r.hits(chosen, false), Lanes: l.statuses()}
	answer.Context = renderBlock(current, renderedLines(chosen))
	answer.Tokens = TokenCount(answer.Context)
	return answer, t, nil
}

// selectForBlock runs the steps from eligibility to packing and adds the rejections
// to the trace.
func (r *Recaller) selectForBlock(found []*candidate, t *Trace, inPrompt []string, maxItems int, fits func(*candidate) bool) []*candidate {
	steps := []func([]*candidate) ([]*candidate, []Rejection){
		func(in []*candidate) ([]*candidate, []Rejection) { return eligible(in, inPrompt) },
		func(in []*candidate) ([]*candidate, []Rejection) { return aboveFloor(in, r.set) },
		dedupe,
		func(in []*candidate) ([]*candidate, []Rejection) { return pack(in, maxItems, r.set.Budgets, fits) },
	}
	for _, step := range steps {
		var rejected []Rejection
		found, rejected = step(found)
		t.Rejections = append(t.Rejections, rejected...)
	}
	t.Selected = countByTier(found)
	return found
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
	return items, tokens, nil
}

// injectable restricts a predicate to the memories that may be put before a model
// at now.
func injectable(p memory.Predicate, now time.Time) memory.Predicate {
	p.Injectable, p.Now = true, now
	p.Archive = false
	p.Forgotten, p.Missing = memory.Exclude, memory.Exclude
	return p
}

// activeContext returns c, or nil if it has expired.
func activeContext(c *memory.Context, now time.Time) *memory.Context {
	if c == nil || !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(now) {
		return nil
	}
	return c
}

// emptyAnswer returns an answer without memories, with the reason.
func emptyAnswer(current *memory.Context, reason string, lanes map[memory.Lane]string) memory.RecallAnswer {
	block := renderBlock(current, nil)
	if lanes == nil {
		lanes = map[memory.Lane]string{}
	}
	return memory.RecallAnswer{Context: block, Hits: []memory.Hit{}, Tokens: TokenCount(block), Skipped: &reason, Lanes: lanes}
}

// newBudget returns a function that reports whether the block still has space for a
// memory. If so, it takes the space and stores the rendered line in the candidate.
func newBudget(maxTokens int, current *memory.Context) func(*candidate) bool {
	space := maxTokens*bytesPerToken - len(blockOpen+renderContext(current)+blockIntro+blockClose)
	return func(c *candidate) bool {
		if len(c.Text) > space && isClean(c.Text) { // rendering never shortens a clean text
			return false
		}
		c.line = renderHit(c.hit())
		if len(c.line) > space {
			return false
		}
		space -= len(c.line)
		return true
	}
}

// renderedLines returns the lines that newBudget stored.
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

// hits returns the answer's form of the candidates, with the parts of their scores if
// explain is set.
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
