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
	maxItems, maxTokens, err := r.bounds(p)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	slot := live(p.Context, now)
	switch {
	case IsTrivial(p.Text): // an empty one too
		return without(slot, memory.SkippedTrivial, nil), Trace{}, nil
	case maxItems == 0 || maxTokens == 0:
		return without(slot, memory.SkippedDisabled, nil), Trace{}, nil
	}
	q := r.ask(ctx, now, p.Text, memory.LaneHybrid)
	may := injectable(p.Predicate)
	r.place(ctx, now, &q, may)
	found, l, err := r.ranked(ctx, now, q, may, perLane)
	if err != nil {
		return memory.RecallAnswer{}, Trace{}, err
	}
	t := trace(found, l, q)
	chosen := r.choose(found, &t, p.InPrompt, maxItems, newRoom(maxTokens, slot))
	if len(chosen) == 0 {
		return without(slot, memory.SkippedNothing, l.statuses()), t, nil
	}
	answer := memory.RecallAnswer{Hits: r.hits(chosen, false), Lanes: l.statuses()}
	answer.Context = frame(slot, rendered(chosen))
	answer.Tokens = TokenCount(answer.Context)
	return answer, t, nil
}

// choose is everything from order to packing, and notes what it leaves out.
func (r *Recaller) choose(found []*candidate, t *Trace, inPrompt []string, maxItems int, fits func(*candidate) bool) []*candidate {
	steps := []func([]*candidate) ([]*candidate, []Rejection){
		func(in []*candidate) ([]*candidate, []Rejection) { return eligible(in, inPrompt) },
		func(in []*candidate) ([]*candidate, []Rejection) { return overFloor(in, r.set) },
		collapse,
		func(in []*candidate) ([]*candidate, []Rejection) { return pack(in, maxItems, r.set.Budgets, fits) },
	}
	for _, step := range steps {
		var left []Rejection
		found, left = step(found)
		t.Rejections = append(t.Rejections, left...)
	}
	t.Selected = byTier(found)
	return found
}

func (r *Recaller) bounds(p Prompt) (items, tokens int, err error) {
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

// injectable narrows a predicate to what may be put before a model.
func injectable(p memory.Predicate) memory.Predicate {
	p.Injectable = true
	p.Archive = false
	p.Forgotten, p.Missing = memory.Exclude, memory.Exclude
	return p
}

func live(slot *memory.Context, now time.Time) *memory.Context {
	if slot == nil || !slot.ExpiresAt.IsZero() && !slot.ExpiresAt.After(now) {
		return nil
	}
	return slot
}

// without is the answer that holds no memories, and why.
func without(slot *memory.Context, why string, lanes map[memory.Lane]string) memory.RecallAnswer {
	block := frame(slot, nil)
	if lanes == nil {
		lanes = map[memory.Lane]string{}
	}
	return memory.RecallAnswer{Context: block, Hits: []memory.Hit{}, Tokens: TokenCount(block), Skipped: &why, Lanes: lanes}
}

// newRoom says of each memory in turn whether the block still has room for it,
// and gives it the room.
func newRoom(maxTokens int, slot *memory.Context) func(*candidate) bool {
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

// rendered are the lines of what there was room for.
func rendered(chosen []*candidate) []string {
	lines := make([]string, len(chosen))
	for i, c := range chosen {
		lines[i] = c.line
	}
	return lines
}

func (c *candidate) hit() memory.Hit {
	return memory.Hit{Memory: *c.Memory, Score: c.score, Similarity: c.similarity, TextScore: c.text, VectorScore: c.vector}
}

func (r *Recaller) hits(found []*candidate, explain bool) []memory.Hit {
	list := make([]memory.Hit, 0, len(found))
	for _, c := range found {
		h := c.hit()
		if explain {
			h.Factors = c.composite.factors(r.set)
			if c.signals.ID != "" {
				h.Ranking = c.values.factors(c.sentence)
			}
		}
		list = append(list, h)
	}
	return list
}
