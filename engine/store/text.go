package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// WithText finds the memory of an author, or of everybody, with exactly this text.
// One that no recall gives any more does not count. A forgotten one is a conflict, because
// storing its text again must not bring it back.
func (w Writer) WithText(ctx context.Context, now time.Time, by lookup.Author, text string) (memory.Memory, bool, error) {
	found, err := w.allWithText(ctx, text)
	for _, m := range found {
		switch {
		case !by.Has(m):
		case m.Forgotten:
			return m, false, forgottenError(m)
		case !m.Missing && unrecalledReason(m, now) == "":
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
func (w Writer) refusedError(ctx context.Context, by lookup.Author, text string) error {
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

// appendStored appends a bullet to today's daily note, or to today's captured file if
// a tool stores the text. What protects it stands in a comment beside it: the text is
// never in the file without that.
func (w Writer) appendStored(ctx context.Context, folder *workspace.Workspace, now time.Time, by lookup.Author, text Text, source memory.Source, d memory.Declared) (Appended, error) {
	if source == memory.SourceTool {
		return w.AppendCaptured(ctx, now, by, text, d)
	}
	return w.appendUnlessForgotten(ctx, folder, by, text, func(n int) string { return dailyPath(now, w.Zone, n) },
		func(current []byte) ([]byte, bool) { return fitBullet(current, text, d) })
}

// AppendCaptured appends a text of a program to today's captured file. Its mark declares d.
func (w Writer) AppendCaptured(ctx context.Context, now time.Time, by lookup.Author, text Text, d memory.Declared) (Appended, error) {
	return w.appendTo(ctx, CapturedFolder, now, by, text, d)
}

// AppendExtracted is AppendCaptured for what a language model found in a conversation.
func (w Writer) AppendExtracted(ctx context.Context, now time.Time, by lookup.Author, text Text, d memory.Declared) (Appended, error) {
	return w.appendTo(ctx, ExtractedFolder, now, by, text, d)
}

func (w Writer) appendTo(ctx context.Context, ofDays string, now time.Time, by lookup.Author, text Text, d memory.Declared) (Appended, error) {
	folder, err := w.Host.Folder()
	if err != nil {
		return Appended{}, err
	}
	return w.appendUnlessForgotten(ctx, folder, by, text, func(n int) string { return dayPath(ofDays, now, w.Zone, n) },
		func(current []byte) ([]byte, bool) { return fitCaptured(current, text, d) })
}

// appendUnlessForgotten appends what fit returns to the first note that takes it. A text
// that is forgotten where it would stand is refused.
func (w Writer) appendUnlessForgotten(ctx context.Context, folder *workspace.Workspace, by lookup.Author, text Text, note func(n int) string, fit func(current []byte) ([]byte, bool)) (Appended, error) {
	forgotten, err := w.DB.ForgottenTexts(ctx)
	if err != nil {
		return Appended{}, err
	}
	if _, ok := fit(nil); !ok {
		return Appended{}, memory.Invalid("text", "the text opens a code fence or an HTML block that it does not close").WithHint("close it, then store the text again")
	}
	saysForgotten := forgotten.Contains(chunker.Fingerprint(text.Said()), text.Said(), nil)
	refused := false
	to, err := appendNote(folder, w.Host.WatchAppends, note, func(current []byte) ([]byte, bool) {
		added, ok := fit(current)
		if refused = ok && (saysForgotten || containsForgotten(current, added, forgotten)); refused {
			return nil, true
		}
		return added, ok
	})
	if refused && err == nil {
		err = w.refusedError(ctx, by, text.String())
	}
	return to, err
}

// containsForgotten reports whether what is added to a file ends with a text that is
// forgotten.
func containsForgotten(current, added []byte, forgotten index.ForgottenTexts) bool {
	next := slices.Concat(current, added)
	blocks := chunker.Blocks(next, frontmatter.Parse(next, time.UTC).BodyStart)
	if len(blocks) == 0 {
		return false
	}
	last := blocks[len(blocks)-1]
	return forgotten.Contains(last.Fingerprint, last.Text, last.Heading)
}

// RefreshNotes indexes the notes of the day, so that a new text is compared with what is in
// them now. A command that failed may have left a text there, or have taken one back.
func (w Writer) RefreshNotes(ctx context.Context, now time.Time) error {
	return w.Host.RefreshPaths(ctx, now, []string{dailyPath(now, w.Zone, 1), CapturedPath(now, w.Zone, 1), dayPath(ExtractedFolder, now, w.Zone, 1)})
}

// EmbedLimit bounds how long Store waits for the vector. Other writers wait
// meanwhile, and keyword search finds the text already.
const EmbedLimit = time.Second

// index indexes the note with a new text and returns its memory.
func (w Writer) index(ctx context.Context, now time.Time, note Appended, text string) (memory.Memory, error) {
	m, err := w.Publish(ctx, now, note, text)
	if err != nil {
		return m, err
	}
	_, _ = w.Models.EmbedPending(ctx, now, EmbedLimit, func(memory.Progress) {}) // else it is embedded later
	return m, nil
}

// Publish indexes a note to which a text was appended, and returns the memory of the text.
// If that fails, the note is as it was before.
func (w Writer) Publish(ctx context.Context, now time.Time, note Appended, text string) (memory.Memory, error) {
	if err := w.Host.RefreshPaths(ctx, now, []string{note.Path}); err != nil {
		return memory.Memory{}, w.TakeBack(ctx, now, note, err)
	}
	m, ok, err := w.Written(ctx, note.Path, text)
	if err == nil && !ok {
		err = memory.Conflict("%s changed while the memory was written", note.Path).WithHint("look at %s, then try again", note.Path)
	}
	if err != nil {
		return m, w.TakeBack(ctx, now, note, err)
	}
	return m, nil
}

// TakeBack removes an appended text from its note after cause, and returns cause. If the
// text stays, the error tells that. It stays where an intent about it has begun.
func (w Writer) TakeBack(ctx context.Context, now time.Time, note Appended, cause error) error {
	if errors.As(cause, new(plan.Unfinished)) {
		return writtenError(note.Path, "but its state is not complete", cause)
	}
	folder, err := w.Host.Folder()
	if err == nil {
		err = note.TakeBack(folder, w.Host.WatchAppends)
	}
	if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return writtenError(note.Path, "but not indexed, or its state is not complete", cause)
	}
	_ = w.Host.RefreshPaths(context.WithoutCancel(ctx), now, []string{note.Path}) // else the next index does it
	return cause
}

// StoreCaptured stores a text of a program in today's captured file, unless a memory of the
// author has it already.
func (w Writer) StoreCaptured(ctx context.Context, now time.Time, by lookup.Author, text Text, d memory.Declared) (m memory.Memory, isNew bool, err error) {
	if same, ok, err := w.WithText(ctx, now, by, text.String()); err != nil || ok {
		return same, false, err
	}
	note, err := w.AppendCaptured(ctx, now, by, text, d)
	if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return m, false, err
	}
	m, err = w.index(ctx, now, note, text.String())
	return m, true, err
}
