package recall

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// loadCandidates reads the text of what the lanes found through the view of what is
// visible, and drops what is not.
func (r *Recaller) loadCandidates(ctx context.Context, l lanes, p memory.Predicate) ([]*candidate, error) {
	said, ids := l.merge()
	if len(ids) == 0 {
		return nil, nil
	}
	visible, err := r.src.Visible(ctx, ids, p)
	if err != nil {
		return nil, fmt.Errorf("read candidates: %w", err)
	}
	found := make([]*candidate, 0, len(visible))
	for i := range visible {
		if c := said[visible[i].ID]; c != nil {
			c.Memory = &visible[i]
			found = append(found, c)
		}
	}
	return found, nil
}

// merge puts together what the lanes say of each memory that they found.
func (l lanes) merge() (said map[memory.ID]*candidate, ids []memory.ID) {
	most := len(l.text.found) + len(l.vector.found)
	said, ids = make(map[memory.ID]*candidate, most), make([]memory.ID, 0, most)
	all := make([]candidate, 0, most) // one piece of memory for all of them
	at := func(id memory.ID) *candidate {
		c := said[id]
		if c == nil {
			all = append(all, candidate{})
			c = &all[len(all)-1]
			said[id], ids = c, append(ids, id)
		}
		return c
	}
	for i, c := range l.text.found {
		of := at(c.ID)
		of.textScore, of.textRank = c.Score, i+1
	}
	for i, c := range l.vector.found {
		of := at(c.ID)
		of.vectorScore, of.vectorRank = c.Score, i+1
	}
	for _, s := range l.signals {
		if of := said[s.ID]; of != nil {
			of.signals, of.textScore = s, clampUnit(s.Score)
		}
	}
	return said, ids
}
