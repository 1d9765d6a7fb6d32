// Package audience knows for whom a request is: who reads an answer and what that reader may
// see, and to whom a new memory belongs.
package audience

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Reader is who reads an answer: a person or a model, and whose memories it may contain.
type Reader struct{ memory.View }

// ReaderOf returns the reader of the answer to a sender's request.
func ReaderOf(all memory.Identities, s memory.Sender, who memory.Audience) Reader {
	return Reader{memory.View{Model: who == memory.AudienceModel, Users: all.Readable(s, who)}}
}

// Restrict restricts a predicate to what the reader may see.
func (r Reader) Restrict(p memory.Predicate, now time.Time) memory.Predicate {
	p.Users = r.Users
	p.Scope = cmp.Or(r.Scope, p.Scope)
	if r.Model {
		return recall.ForModel(p, now)
	}
	return p
}

// MayRead reports whether a memory is the reader's, or everybody's.
func (r Reader) MayRead(m memory.Memory) bool { return !memory.View{Users: r.Users}.Conceals(&m) }

// Senders returns the senders whose receipts the reader may see; nil means all. One who
// is not known sees those of requests without a sender, as does the identity of these.
func (r Reader) Senders() []string {
	if len(r.Users) <= 1 || slices.Contains(r.Users, memory.NoSender) {
		return r.Users
	}
	return r.Users[1:]
}

// MayShow returns which of some memories may be shown to the reader.
func (r Reader) MayShow(ctx context.Context, db *index.DB, now time.Time, memories []memory.Memory) (map[memory.ID]bool, error) {
	may := map[memory.ID]bool{}
	var ids []memory.ID
	for _, m := range memories {
		may[m.ID] = !r.Model && r.MayRead(m)
		ids = append(ids, m.ID)
	}
	if !r.Model {
		return may, nil
	}
	visible, err := db.Visible(ctx, ids, r.Restrict(memory.Predicate{Archive: true}, now))
	for _, m := range visible {
		may[m.ID] = true
	}
	return may, err
}

// HideTexts removes what was written in the memories that the reader may not see.
func (r Reader) HideTexts(ctx context.Context, db *index.DB, now time.Time, memories []memory.Memory) error {
	may, err := r.MayShow(ctx, db, now, memories)
	for i := range memories {
		if m := &memories[i]; !may[m.ID] {
			m.Text, m.Heading, m.Tags, m.Entities = "", nil, nil, nil
		}
	}
	return err
}

// WithoutHiddenSuccessor returns a memory without its successor, if a recall for the reader
// gets the memory all the same: it may not get the successor.
func (r Reader) WithoutHiddenSuccessor(ctx context.Context, db *index.DB, at time.Time, request memory.Predicate, m memory.Memory) (memory.Memory, error) {
	if m.SupersededBy == nil {
		return m, nil
	}
	visible, err := db.Visible(ctx, []memory.ID{m.ID}, recall.Injectable(r.Restrict(request, at), at))
	if len(visible) == 1 {
		m.SupersededBy = nil
	}
	return m, err
}
