package ingest

import (
	"context"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker/quote"
)

// noteKeptDoubts notes the new memories that may be the text of a forgotten one that is
// in no file any more. It covers the decisions that no file contains. For those of files
// noteDoubts does the same.
func (r *run) noteKeptDoubts(ctx context.Context) error {
	if !slices.Contains(r.result.Changes, memory.Added) {
		return nil
	}
	kept, err := r.store.KeptForgettings(ctx)
	if err != nil {
		return fmt.Errorf("read decisions that are in no file: %w", err)
	}
	gone := map[memory.ID]bool{}
	for _, id := range r.result.Missing {
		gone[id] = true
	}
	here := map[memory.ID]bool{}
	for _, id := range r.result.IDs {
		here[id] = true
	}
	for _, t := range r.result.TakeOvers {
		here[t.Elder] = true
	}
	kept = slices.DeleteFunc(kept, func(k memory.KeptForgetting) bool { return here[k.ID] || !k.Missing && !gone[k.ID] })
	if len(kept) == 0 {
		return nil
	}
	words := newWordIndex(r.blocksWith(newMemories), map[memory.ID]int{})
	for _, k := range kept {
		for _, id := range words.doubtful(quote.Of(k.Text), k.User, []string{k.Path}) {
			r.batch.Doubts = append(r.batch.Doubts, memory.Doubt{Memory: id, Forgotten: k.ID})
		}
	}
	return nil
}
