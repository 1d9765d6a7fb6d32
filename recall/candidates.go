package recall

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// candidates reads the text of what the lanes found through the view of what is
// visible, and drops what is not.
func (r *Recaller) candidates(ctx context.Context, l lanes, p memory.Predicate) ([]candidate, error) {
	byID := map[memory.ID]*candidate{}
	var ids []memory.ID
	at := func(id memory.ID) *candidate {
		if byID[id] == nil {
			byID[id] = &candidate{}
			ids = append(ids, id)
		}
		return byID[id]
	}
	for i, c := range l.text.found {
		of := at(c.ID)
		of.text, of.textRank = c.Score, i+1
	}
	for i, c := range l.vector.found {
		of := at(c.ID)
		of.vector, of.vectorRank = c.Score, i+1
	}
	for _, s := range l.signals {
		if of := byID[s.ID]; of != nil {
			of.signals, of.text = s, unit(s.Score)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	visible, err := r.src.Visible(ctx, ids, p)
	if err != nil {
		return nil, fmt.Errorf("read candidates: %w", err)
	}
	found := make([]candidate, 0, len(visible))
	for _, m := range visible {
		if c := byID[m.ID]; c != nil {
			c.Memory = m
			found = append(found, *c)
		}
	}
	return found, nil
}
