package store

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/relations"
	"github.com/memory-tiered/memory/identity"
)

// WithText finds the memory of an author, or of everybody, with exactly this text.
// One that no recall gives any more does not count. A forgotten one is a conflict, because
// storing its text again must not bring it back.
func (w Writer) WithText(ctx context.Context, now time.Time, by audience.Author, text string) (memory.Memory, bool, error) {
	found, err := w.allWithText(ctx, text)
	for _, m := range found {
		switch {
		case !by.Has(m):
		case m.Forgotten:
			return m, false, forgottenError(m)
		case !m.Missing && relations.Unrecalled(m, now) == "":
			return m, true, nil
		}
	}
	return memory.Memory{}, false, err
}

// Written finds the memory with a text that was just appended to a file.
func (w Writer) Written(ctx context.Context, path, text string) (written memory.Memory, ok bool, err error) {
	found, err := w.allWithText(ctx, text)
	for _, m := range found {
		if m.Path == path && !m.Missing && (!ok || m.LineStart > written.LineStart) {
			written, ok = m, true
		}
	}
	if ok && written.Forgotten {
		return written, false, forgottenError(written)
	}
	return written, ok, err
}

// allWithText returns the memories with exactly this text, missing ones included.
func (w Writer) allWithText(ctx context.Context, text string) (found []memory.Memory, err error) {
	print := chunker.Fingerprint(text)
	known, err := w.DB.Known(ctx, identity.KnownQuery{Fingerprints: []memory.Fingerprint{print}})
	for _, k := range known {
		if k.Fingerprint != print {
			continue
		}
		m, err := lookup.Find(ctx, w.DB, string(k.ID))
		if err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, err
}

// refusedError returns the error for storing a text that is forgotten. It names a
// forgotten memory of the author with the same wording, if there is one.
func (w Writer) refusedError(ctx context.Context, by audience.Author, text string) error {
	ids, err := w.DB.WithWording(ctx, text)
	if err != nil {
		return err
	}
	declarations, err := w.DB.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		if decl.Memory.Forgotten && by.Has(decl.Memory) {
			return forgottenError(decl.Memory)
		}
	}
	return memory.Conflict("this text was forgotten or destroyed").
		WithHint("to have it again, write it into a Markdown file yourself, then restore that memory")
}

// forgottenError returns the error for storing a text that is forgotten.
func forgottenError(m memory.Memory) error {
	return memory.Conflict("this text is forgotten: %s", m.ID.Short()).
		WithHint("memory restore %s brings it back", m.ID.Short())
}
