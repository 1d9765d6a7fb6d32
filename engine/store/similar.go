package store

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/relations"
)

// maxSimilar is how many similar memories an answer lists.
const maxSimilar = 3

// similarTo returns the memories about the same thing that a new text leaves as they are. The
// caller knows the conversation and can tell whether the text replaces one of them. The view
// shows them all.
func (w Writer) similarTo(ctx context.Context, who memory.View, found relations.Found, replaced []memory.Memory) (similar []memory.SimilarMemory, err error) {
	var list []memory.Memory
	for _, m := range found.List {
		isReplaced := slices.ContainsFunc(replaced, func(r memory.Memory) bool { return r.ID == m.ID })
		if (m.Replaces || m.Related) && !m.Forgotten && !m.Missing && !isReplaced && m.SupersededBy == nil && m.Unrecalled == "" {
			list = append(list, m.Memory)
		}
	}
	shown, err := audience.Shown(ctx, w.DB, who, list)
	for _, m := range list {
		if shown[m.ID] && len(similar) < maxSimilar {
			similar = append(similar, memory.SimilarMemory{ID: m.ID, Text: m.Text})
		}
	}
	return similar, err
}
