package notices

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/index"
)

// addStaleQuotes adds how many entries quote a text that was edited
// since. Without the index, such an entry may match no memory exactly.
func (s Sources) addStaleQuotes(ctx context.Context, f *Found) error {
	err := s.DB.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if decisions.IsStale(q.Quote, q.Text) {
			f.StaleQuotes++
		}
	})
	if f.StaleQuotes > 0 {
		f.add(fmt.Sprintf("the quotes of %d decisions are older than their texts; "+
			"the next decision in the same file refreshes them", f.StaleQuotes))
	}
	if err != nil {
		return err
	}
	kept, err := s.DB.KeptDoubts(ctx)
	if len(kept) > 0 {
		f.add(fmt.Sprintf("%s may be the text of a forgotten one and are withheld: %s; memory restore ID or memory forget ID decides",
			decisions.CountText(len(kept)), lookup.ShortIDs(kept)))
	}
	if err != nil {
		return err
	}
	lines, memories, err := s.DB.CountDoubts(ctx)
	if lines > 0 {
		f.StaleQuotes += lines
		f.add(fmt.Sprintf("the quotes of %d decisions match no text exactly; %d memories that they may be about are protected; "+
			"the faults name them", lines, memories))
	}
	return err
}
