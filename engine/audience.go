package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// findMemoryFor is findMemory for an audience. For a model, a memory that may not be
// injected does not exist.
func (s *workspaceState) findMemoryFor(ctx context.Context, now time.Time, who memory.Audience, id string) (memory.Memory, error) {
	if who != memory.AudienceModel {
		return s.findMemory(ctx, id)
	}
	return s.findOne(ctx, id, func(found []memory.Memory) ([]memory.Memory, error) {
		injectable, err := s.injectable(ctx, now, found)
		var kept []memory.Memory
		for _, m := range found {
			if injectable[m.ID] {
				kept = append(kept, m)
			}
		}
		return kept, err
	})
}

// injectable returns which of the memories may be put before a model.
func (s *workspaceState) injectable(ctx context.Context, now time.Time, memories []memory.Memory) (map[memory.ID]bool, error) {
	var ids []memory.ID
	for _, m := range memories {
		ids = append(ids, m.ID)
	}
	visible, err := s.db.Visible(ctx, ids, recall.Injectable(memory.Predicate{Archive: true}, now))
	may := map[memory.ID]bool{}
	for _, m := range visible {
		may[m.ID] = true
	}
	return may, err
}

// removeTexts removes what was written in the memories that may not be put before a
// model, unless a person reads the answer.
func (s *workspaceState) removeTexts(ctx context.Context, now time.Time, who memory.Audience, memories []memory.Memory) error {
	if who != memory.AudienceModel {
		return nil
	}
	may, err := s.injectable(ctx, now, memories)
	for i := range memories {
		if m := &memories[i]; !may[m.ID] {
			m.Text, m.Heading, m.Tags = "", nil, nil
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
