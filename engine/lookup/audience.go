package lookup

import (
	"cmp"
	"context"
	"slices"
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

// ShownIDs returns which of some memories a view shows. A person who names a memory gets it in
// every state.
func ShownIDs(ctx context.Context, db *index.DB, v memory.View, memories []memory.Memory) (map[memory.ID]bool, error) {
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
	shown, err := ShownIDs(ctx, db, v, memories)
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

// Author is the user to whom a new memory belongs, and its scope.
type Author struct {
	User  string   // empty: the memory is everybody's
	Names []string // as [memory.Identities.NamesOf] returns them
	Scope memory.Scope
}

// AuthorOf returns the author of what a sender says. Without identities, what the owner
// says is everybody's. who tells whether an agent or a person makes the request.
func AuthorOf(all memory.Identities, s memory.Sender, who memory.Audience, scope memory.Scope) Author {
	user := all.UserOf(s, who)
	if len(all) == 0 && user == memory.OwnerIdentity {
		user = ""
	}
	return AuthorNamed(all, user, scope)
}

// AuthorNamed returns the author of a memory that has a user, or none.
func AuthorNamed(all memory.Identities, user string, scope memory.Scope) Author {
	return Author{user, all.NamesOf(user), scope}
}

// IsOwner reports whether the sender of an agent's request is the owner. Without
// identities, whoever the host lets speak is.
func IsOwner(all memory.Identities, s memory.Sender) bool {
	return len(all) == 0 || all.UserOf(s, memory.AudienceModel) == memory.OwnerIdentity
}

// Compared returns the users whose memories a new one is compared with. Everybody who
// will have the new one has those too.
func (a Author) Compared() []string { return append([]string{""}, a.Names...) }

// Has reports whether everybody who will have the author's new memory has this one.
func (a Author) Has(m memory.Memory) bool {
	return slices.Contains(a.Compared(), m.User) && m.Scope.Matches(a.Scope)
}

// Owns reports whether a memory is the author's own, and of the same scope. A new memory
// replaces no others.
func (a Author) Owns(m memory.Memory) bool {
	return (m.User == a.User || slices.Contains(a.Names, m.User)) && (a.Scope == "" || m.Scope == a.Scope)
}
