package engine

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/index"
)

// addStaleQuotes adds to a status how many entries quote a text that was edited
// since. Without the index, such an entry may match no memory exactly.
func (s *workspaceState) addStaleQuotes(ctx context.Context, w *memory.WorkspaceStatus) error {
	err := s.db.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if decisions.IsStale(q.Quote, q.Text) {
			w.StaleQuotes++
		}
	})
	if w.StaleQuotes > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("the quotes of %d decisions are older than their texts; "+
			"the next decision in the same file refreshes them", w.StaleQuotes))
	}
	if err != nil {
		return err
	}
	kept, err := s.db.KeptDoubts(ctx)
	if len(kept) > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("%s may be the text of a forgotten one and are withheld: %s; memory restore ID or memory forget ID decides",
			decisions.CountText(len(kept)), lookup.ShortIDs(kept)))
	}
	if err != nil {
		return err
	}
	lines, memories, err := s.db.CountDoubts(ctx)
	if lines > 0 {
		w.StaleQuotes += lines
		w.Notices = append(w.Notices, fmt.Sprintf("the quotes of %d decisions match no text exactly; %d memories that they may be about are protected; "+
			"the faults name them", lines, memories))
	}
	return err
}
