package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/audience"
)

// memoryWithText finds the memory of an author, or of everybody, with exactly this text.
// A forgotten one is a conflict, because storing its text again must not bring it back.
func (s *workspaceState) memoryWithText(ctx context.Context, by audience.Author, text string) (memory.Memory, bool, error) {
	found, err := s.withText(ctx, text)
	for _, m := range found {
		switch {
		case !by.Has(m):
		case m.Forgotten:
			return m, false, forgottenTextError(m)
		case !m.Missing:
			return m, true, nil
		}
	}
	return memory.Memory{}, false, err
}

// memoryWritten finds the memory with a text that was just appended to a file.
func (s *workspaceState) memoryWritten(ctx context.Context, path, text string) (written memory.Memory, ok bool, err error) {
	found, err := s.withText(ctx, text)
	for _, m := range found {
		if m.Path == path && !m.Missing && (!ok || m.LineStart > written.LineStart) {
			written, ok = m, true
		}
	}
	if ok && written.Forgotten {
		return written, false, forgottenTextError(written)
	}
	return written, ok, err
}

// withText returns the memories with exactly this text, missing ones included.
func (s *workspaceState) withText(ctx context.Context, text string) (found []memory.Memory, err error) {
	print := chunker.Fingerprint(text)
	known, err := s.db.Known(ctx, memory.KnownQuery{Fingerprints: []memory.Fingerprint{print}})
	for _, k := range known {
		if k.Fingerprint != print {
			continue
		}
		m, err := s.memories().Find(ctx, string(k.ID))
		if err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, err
}

// refusedTextError returns the error for storing a text that is forgotten. It names a
// forgotten memory of the author with the same wording, if there is one.
func (s *workspaceState) refusedTextError(ctx context.Context, by audience.Author, text string) error {
	ids, err := s.db.WithWording(ctx, text)
	if err != nil {
		return err
	}
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		if decl.Memory.Forgotten && by.Has(decl.Memory) {
			return forgottenTextError(decl.Memory)
		}
	}
	return memory.Conflict("this text was forgotten or destroyed").
		WithHint("to have it again, write it into a Markdown file yourself, then restore that memory")
}

// forgottenTextError returns the error for storing a text that is forgotten.
func forgottenTextError(m memory.Memory) error {
	return memory.Conflict("this text is forgotten: %s", m.ID.Short()).
		WithHint("memory restore %s brings it back", m.ID.Short())
}
