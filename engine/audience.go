package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// reader is who reads an answer: a person or a model, and whose memories it may contain.
type reader struct {
	isModel bool
	users   []string     // as [memory.Identities.Readable] returns it; nil: everybody's
	scope   memory.Scope // of a query or a filter; empty: all
}

// readerOf returns the reader of a request's answer.
func (e *Engine) readerOf(s memory.Sender, who memory.Audience) (reader, error) {
	return reader{isModel: who == memory.AudienceModel, users: e.options().Identities.Readable(s, who)}, s.Check()
}

// restrict restricts a predicate to what the reader may see.
func (r reader) restrict(p memory.Predicate, now time.Time) memory.Predicate {
	p.Users = r.users
	p.Scope = cmp.Or(r.scope, p.Scope)
	if r.isModel {
		return recall.Injectable(p, now)
	}
	return p
}

// mayRead reports whether a memory is the reader's, or everybody's.
func (r reader) mayRead(m memory.Memory) bool { return memory.IsReadable(r.users, m.User) }

// senders returns the senders whose receipts the reader may see; nil means all. One who
// is not known sees those of requests without a sender, as does the identity of these.
func (r reader) senders() []string {
	if len(r.users) <= 1 || slices.Contains(r.users, memory.NoSender) {
		return r.users
	}
	return r.users[1:]
}

// findMemoryFor is findMemory for a reader. A memory that the reader may not see does
// not exist.
func (s *workspaceState) findMemoryFor(ctx context.Context, now time.Time, r reader, id string) (memory.Memory, error) {
	return s.findOne(ctx, id, func(found []memory.Memory) ([]memory.Memory, error) {
		may, err := s.mayShow(ctx, now, r, found)
		var kept []memory.Memory
		for _, m := range found {
			if may[m.ID] {
				kept = append(kept, m)
			}
		}
		return kept, err
	})
}

// mayShow returns which of the memories may be shown to a reader.
func (s *workspaceState) mayShow(ctx context.Context, now time.Time, r reader, memories []memory.Memory) (map[memory.ID]bool, error) {
	may := map[memory.ID]bool{}
	var ids []memory.ID
	for _, m := range memories {
		may[m.ID] = !r.isModel && r.mayRead(m)
		ids = append(ids, m.ID)
	}
	if !r.isModel {
		return may, nil
	}
	visible, err := s.db.Visible(ctx, ids, r.restrict(memory.Predicate{Archive: true}, now))
	for _, m := range visible {
		may[m.ID] = true
	}
	return may, err
}

// removeTexts removes what was written in the memories that a reader may not see.
func (s *workspaceState) removeTexts(ctx context.Context, now time.Time, r reader, memories []memory.Memory) error {
	may, err := s.mayShow(ctx, now, r, memories)
	for i := range memories {
		if m := &memories[i]; !may[m.ID] {
			m.Text, m.Heading, m.Tags, m.Entities = "", nil, nil, nil
		}
	}
	return err
}

// forgottenForModel returns the error for a model's request for forgotten or missing
// memories.
func forgottenForModel() error {
	return memory.Invalid("forgotten", "no answer for a model contains forgotten memories").
		WithHint("leave out forgotten, or let a person search: memory search --forgotten")
}
