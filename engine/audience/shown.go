// Package audience knows for whom a request is: which of some memories its view shows, and to
// whom a new memory belongs.
package audience

import (
	"cmp"
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// ViewOf returns the view of the answer to a sender's request.
func ViewOf(all memory.Identities, s memory.Sender, who memory.Audience, now time.Time) memory.View {
	return memory.View{Model: who == memory.AudienceModel, Users: all.Readable(s, who), Now: now}
}

// Restrict returns a predicate as a view asks it, about the same past moment. It is about the
// scope of the view, if that has one.
func Restrict(p memory.Predicate, v memory.View) memory.Predicate {
	v.Scope, v.AsOf = cmp.Or(v.Scope, p.Scope), p.AsOf
	p.View = v
	return p
}

// Shown returns which of some memories a view shows. A person who names a memory gets it in
// every state.
func Shown(ctx context.Context, db *index.DB, v memory.View, memories []memory.Memory) (map[memory.ID]bool, error) {
	shown := map[memory.ID]bool{}
	visible := memories
	if v.Model { // whether it is superseded depends on other memories
		var err error
		if visible, err = db.Visible(ctx, memory.IDsOf(memories), memory.Predicate{View: v}); err != nil {
			return nil, err
		}
	}
	for i := range visible {
		shown[visible[i].ID] = v.Model || v.Reads(visible[i].User)
	}
	return shown, nil
}

// HideTexts removes what was written in the memories that a view does not show, and what is
// hidden in the others.
func HideTexts(ctx context.Context, db *index.DB, v memory.View, memories []memory.Memory) error {
	shown, err := Shown(ctx, db, v, memories)
	if err != nil {
		return err
	}
	hidden, err := db.Hidden(ctx, v)
	for i := range memories {
		m := &memories[i]
		if hidden.Memory(m); !shown[m.ID] {
			m.Text, m.Heading, m.Tags, m.Entities = "", nil, nil, nil
		}
	}
	return err
}

// WithoutHiddenSuccessor returns a memory without its successor if a recall for a view gets
// the memory. The view does not show the successor then.
func WithoutHiddenSuccessor(ctx context.Context, db *index.DB, recalled memory.View, m memory.Memory) (memory.Memory, error) {
	if m.SupersededBy == nil {
		return m, nil
	}
	visible, err := db.Visible(ctx, []memory.ID{m.ID}, memory.Predicate{View: recalled})
	if len(visible) == 1 {
		m.SupersededBy = nil
	}
	return m, err
}
