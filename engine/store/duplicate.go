package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
)

// same returns the memory that says what a new text says, but for one that it
// extends. A forgotten one is a conflict. Force lets a similar text pass, but not the
// same one. found are the memories that it was compared with.
func (w Writer) same(ctx context.Context, now time.Time, by lookup.Author, r memory.StoreRequest, text string, extended *memory.Memory, c plan.Command) (same Related, found Found, ok bool, err error) {
	one := 1.0
	if m, ok, err := w.WithText(ctx, now, by, text); err != nil || ok {
		same := Related{Memory: m, Relation: capture.Relation{Same: true}, Exact: true, Similarity: &one}
		if err == nil && m.SupersededBy != nil {
			found, err = w.Relations.Find(ctx, now, text, by)
		}
		if err == nil {
			err = w.repeat(ctx, now, by, r, same, found, c)
		}
		return same, found, ok, err
	}
	except := memory.ID("")
	if extended != nil {
		except = extended.ID
	}
	if found, err = w.Relations.Find(ctx, now, text, by); err != nil {
		return same, found, false, err
	}
	if forgotten, ok := found.ForgottenSame(); ok {
		return forgotten, found, false, forgottenError(forgotten.Memory)
	}
	same, ok = found.SameAs(except)
	if !ok || r.Force {
		return same, found, false, nil
	}
	return same, found, true, w.repeat(ctx, now, by, r, same, found, c)
}

// replacedBy returns the memories that a stored text replaces. These are the one that it
// extends, or those of which it gives a new value.
func (w Writer) replacedBy(r memory.StoreRequest, by lookup.Author, extended *memory.Memory, found Found) []memory.Memory {
	if extended != nil {
		return []memory.Memory{*extended}
	}
	return found.Replaced(storedTrust(r), by)
}

// storedTrust returns the trust of a stored text.
func storedTrust(r memory.StoreRequest) memory.TrustTier {
	return cmp.Or(trustOf(r), memory.TrustTrusted)
}

// repeat does what a duplicate calls for, as capture does. A person who stores a
// superseded text again decides that it holds.
func (w Writer) repeat(ctx context.Context, now time.Time, by lookup.Author, r memory.StoreRequest, same Related, found Found, c plan.Command) error {
	said := Statement{Trust: storedTrust(r), By: c, Author: by}
	if same.SupersededBy != nil && r.Source != memory.SourceTool && !mayReplace(said.Trust, same.Memory) && by.Owns(same.Memory) {
		return w.Supersede(ctx, now, "", []memory.Memory{same.Memory}, said.By)
	}
	_, err := w.SettleDuplicate(ctx, now, same, found, said)
	return err
}

// duplicateAnswer returns the answer for a text that a memory says already.
func (w Writer) duplicateAnswer(ctx context.Context, who memory.View, same Related, err error) (memory.StoreAnswer, error) {
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if who.Conceals(&same.Memory) {
		return memory.StoreAnswer{}, memory.Conflict("this text is not stored").WithHint("a person can store it, and see why it was not: memory store TEXT")
	}
	existing, err := lookup.Find(ctx, w.DB, string(same.ID))
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	shown := []memory.Memory{existing}
	err = lookup.HideTexts(ctx, w.DB, who, shown)
	message := "Similar memory exists"
	return memory.StoreAnswer{Action: "store", Memory: shown[0], Duplicate: true, Similarity: same.Similarity, Message: &message}, err
}

// extendedMemory returns the memory that a new text extends or replaces; nil if the request
// names none.
func (w Writer) extendedMemory(ctx context.Context, who memory.View, by lookup.Author, r memory.StoreRequest, text string) (*memory.Memory, error) {
	id, field := r.Extend, "extend"
	switch {
	case r.Extend != "" && r.Replaces != "":
		return nil, memory.Invalid("replaces", "a text extends a memory or replaces one, not both")
	case r.Replaces != "":
		id, field = r.Replaces, "replaces"
	case id == "":
		return nil, nil
	}
	m, err := lookup.FindFor(ctx, w.DB, who, id)
	if err == nil {
		err = w.refuseToSupersede(ctx, m, who, by, r, text, field)
	}
	if err != nil {
		return nil, atField(err, field)
	}
	return &m, nil
}

// refuseToSupersede returns why a text may not take the place of a memory that a field of the
// request names.
func (w Writer) refuseToSupersede(ctx context.Context, m memory.Memory, who memory.View, by lookup.Author, r memory.StoreRequest, text, field string) error {
	trust := trustOf(r)
	relation, err := w.Relations.Compare(ctx, text, []memory.Memory{m}, nil)
	if err != nil {
		return err
	}
	switch {
	case m.Forgotten:
		return forgottenError(m)
	case m.Missing:
		return memory.Conflict("%s is in no file any more", m.ID.Short()).WithHint("store the text without %s", field)
	case m.SupersededBy != nil:
		return memory.Conflict("%s is superseded already, by %s", m.ID.Short(), m.SupersededBy.Short()).
			WithHint("name %s instead", m.SupersededBy.Short())
	case r.Source == memory.SourceTool && (m.Pinned || !mayReplace(trust, m)), who.Users != nil && !by.Owns(m):
		return memory.Conflict("%s may be replaced by a person only", m.ID.Short()).
			WithHint("store the text without %s; both stay then", field)
	case field == "extend" && !relation[0].Extends:
		return memory.Invalid("extend", "the text does not contain the memory %s and add to it", m.ID.Short()).
			WithHint("the new text keeps the old statement and adds to it; replaces changes a value")
	}
	return nil
}

// atField returns an error that names the field of the request that caused it.
func atField(err error, field string) error {
	var known *memory.Error
	if errors.As(err, &known) && known.Field == "id" {
		copied := *known
		copied.Field = field
		return &copied
	}
	return err
}
