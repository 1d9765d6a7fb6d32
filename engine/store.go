package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/succession"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/similar"
	"github.com/memory-tiered/memory/workspace"
)

// The limits of a stored text, in characters. They apply to commands, never to text
// that a person writes in Markdown.
const (
	minStored = 10
	maxStored = 10_000
)

// Store writes a text into today's daily note; a tool's into today's captured file. It
// returns the new memory, or the existing one that says the same.
func (e *Engine) Store(ctx context.Context, r memory.StoreRequest) (memory.StoreAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if r.For == memory.AudienceModel && r.Source != memory.SourceAutoCapture {
		r.Source = memory.SourceTool // whatever the request calls it: no person's words without user_message
	}
	text, err := validateStore(r)
	if err == nil {
		err = r.Scope.CheckName()
	}
	if err == nil && s.Options.ReadOnly {
		err = decisions.ReadOnlyError(s.Name, memory.ErrForbidden)
	}
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	who, err := e.readerOf(r.Sender, r.For)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if !e.isOwner(r.Sender) {
		r.UserMessage = "" // another sender's words make nothing trusted
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	defer unlock()
	now := e.now()
	folder, err := s.openFolder()
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	by := e.authorOf(r.Sender, storeAudience(r), e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender))
	extended, err := s.extendedMemory(ctx, now, who, by, r, text)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if extended != nil {
		r.Pinned = r.Pinned || extended.Pinned
		by = e.authorNamed(extended.User, by.Scope) // the new text contains the old one
	}
	c := plan.NewCommand(auditSource(r.Source))
	same, found, ok, err := s.sameMemory(ctx, now, by, r, text, extended, c)
	if err != nil || ok {
		answer, err := s.duplicateAnswer(ctx, now, who, same, err)
		answer.Notices = storeNotices(r, text, answer.Memory)
		return answer, err
	}
	old := s.replacedBy(r, by, text, extended, found, c)
	r.Private = r.Private || succession.HasPrivate(old) // the new value is as private as the old one
	a, err := dailynote.AnnotationOfStored(r, by, trustOf(r, text), extended)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	note, unconfirmed := s.appendStored(ctx, folder, now, by, text, r.Source, a)
	path := note.Path
	if unconfirmed != nil && !errors.Is(unconfirmed, workspace.ErrUnsynced) {
		return memory.StoreAnswer{}, unconfirmed
	}
	m, err := s.indexStored(ctx, now, path, text)
	if err != nil {
		return memory.StoreAnswer{}, writtenError(path, "and not indexed yet", err)
	}
	if m, err = s.declareStored(ctx, now, m, note.IsNew, r, c); err != nil {
		return memory.StoreAnswer{}, writtenError(path, "but its state is not complete", err)
	}
	answer := memory.StoreAnswer{Action: "store", Memory: m, Notices: storeNotices(r, text, m)}
	if len(old) > 0 {
		err := s.succession().Supersede(ctx, now, m.ID, old, c)
		if err == nil {
			answer.Memory, err = s.memories().Find(ctx, string(m.ID)) // a line above it moves it
		}
		if err != nil {
			return memory.StoreAnswer{}, writtenError(path, "and what it replaces is not superseded", err)
		}
		answer.Superseded = succession.ShownIDs(old, storeAudience(r))
	}
	return answer, unconfirmed
}

// storeAudience returns whose request it is to store a text. A tool asks for an agent.
func storeAudience(r memory.StoreRequest) memory.Audience {
	if r.Source == memory.SourceTool {
		return memory.AudienceModel
	}
	return r.For
}

// indexStored indexes the daily note with a new text and returns its memory.
func (s *workspaceState) indexStored(ctx context.Context, now time.Time, path, text string) (memory.Memory, error) {
	if _, err := s.ingestLocked(ctx, now, []string{path}, false, func(memory.Progress) {}); err != nil {
		return memory.Memory{}, err
	}
	if _, err := s.models.EmbedPending(ctx, now, storeEmbedLimit, func(memory.Progress) {}); err != nil && ctx.Err() != nil {
		return memory.Memory{}, ctx.Err()
	}
	m, ok, err := s.memoryWritten(ctx, path, text)
	if err == nil && !ok {
		err = memory.Conflict("%s changed while the memory was written", path).WithHint("look at %s, then try again", path)
	}
	return m, err
}

// writtenError is the error of a store whose text is in its file already.
func writtenError(path, problem string, err error) error {
	var known *memory.Error
	if !errors.As(err, &known) {
		return fmt.Errorf("the text was written to %s %s: %w", path, problem, err)
	}
	return &memory.Error{Kind: known.Kind, Message: fmt.Sprintf("the text was written to %s, %s", path, problem), Cause: err,
		Hint: "do not store it again: the next index finds it, and memory show prints its state"}
}

// storeEmbedLimit bounds how long Store waits for the vector. Other writers wait
// meanwhile, and keyword search finds the text already.
const storeEmbedLimit = time.Second

func validateStore(r memory.StoreRequest) (string, error) {
	if !utf8.ValidString(r.Text) {
		return "", memory.Invalid("text", "the text is not valid UTF-8").WithHint("convert it to UTF-8 first")
	}
	text := chunker.Clean(r.Text)
	if n := utf8.RuneCountInString(text); n < minStored || n > maxStored {
		return "", memory.Invalid("text", "a memory has %d to %d characters; this text has %d", minStored, maxStored, n).
			WithHint("write a longer text into a Markdown file of the workspace yourself")
	}
	if i := r.Importance; i != nil && !(*i >= 0 && *i <= 1) {
		return "", memory.Invalid("importance", "importance is a number from 0 to 1, not %v", *i)
	}
	return text, nil
}

// storeNotices returns what a person should know who stored a text and got a memory.
func storeNotices(r memory.StoreRequest, text string, m memory.Memory) (notices []string) {
	if chunker.HasAnnotation(text) {
		notices = append(notices, "a comment in a stored text is part of the text, and declares nothing")
	}
	if r.Private && !m.Private {
		notices = append(notices, "the memory that exists is not private")
	}
	return notices
}

// trustOf returns the trust that is written beside a stored text. Empty means that
// its source decides. What a tool stores is trusted if the user's own message
// contains it.
func trustOf(r memory.StoreRequest, text string) memory.TrustTier {
	if r.Source != memory.SourceTool {
		return ""
	}
	message, stored := similar.New(chunker.Clean(r.UserMessage)), similar.New(text)
	if message.Contains(&stored) {
		return memory.TrustTrusted
	}
	return memory.TrustUntrusted
}

// appendStored appends a bullet to today's daily note, or to today's captured file if
// a tool stores the text. What protects it stands in a comment beside it: the text is
// never in the file without that.
func (s *workspaceState) appendStored(ctx context.Context, folder *workspaceFolder, now time.Time, by audience.Author, text string, source memory.Source, a dailynote.Annotation) (dailynote.Appended, error) {
	if source == memory.SourceTool {
		return s.appendCaptured(ctx, folder, now, by, text, a)
	}
	return s.appendUnlessForgotten(ctx, folder, by, text, func(n int) string { return dailynote.DailyPath(now, s.zone(), n) },
		func(current []byte) ([]byte, bool) { return dailynote.FitBullet(current, text, a) })
}

// appendCaptured appends a text of a program to today's captured file.
func (s *workspaceState) appendCaptured(ctx context.Context, folder *workspaceFolder, now time.Time, by audience.Author, text string, a dailynote.Annotation) (dailynote.Appended, error) {
	return s.appendUnlessForgotten(ctx, folder, by, text, func(n int) string { return dailynote.CapturedPath(now, s.zone(), n) },
		func(current []byte) ([]byte, bool) {
			return dailynote.FitCaptured(current, text, func(bool) dailynote.Annotation { return a })
		})
}

// appendUnlessForgotten appends what fit returns to the first note that takes it. A text
// that is forgotten where it would stand is refused.
func (s *workspaceState) appendUnlessForgotten(ctx context.Context, folder *workspaceFolder, by audience.Author, text string, note func(n int) string, fit func(current []byte) ([]byte, bool)) (dailynote.Appended, error) {
	forgotten, err := s.db.ForgottenTexts(ctx)
	if err != nil {
		return dailynote.Appended{}, err
	}
	if _, ok := fit(nil); !ok {
		return dailynote.Appended{}, memory.Invalid("text", "the text opens a code fence or an HTML block that it does not close").WithHint("close it, then store the text again")
	}
	refused := false
	to, err := dailynote.Append(folder.Workspace, s.WatchAppends, note, func(current []byte) ([]byte, bool) {
		added, ok := fit(current)
		if refused = ok && containsForgotten(current, added, forgotten); refused {
			return nil, true
		}
		return added, ok
	})
	if refused && err == nil {
		err = s.refusedTextError(ctx, by, text)
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

// declareStored writes the tier, type and other fields of a stored memory as an
// entry in its file's front matter. The store has its row in the audit then.
func (s *workspaceState) declareStored(ctx context.Context, now time.Time, m memory.Memory, isNewFile bool, r memory.StoreRequest, c plan.Command) (memory.Memory, error) {
	declared := memory.Declared{Tier: r.Tier, Type: r.Type, Category: r.Category, Importance: r.Importance}
	if r.Tier != "" {
		day := now.In(s.zone())
		declared.Since, declared.SinceDay = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location()), true
	}
	if r.Pinned {
		declared.Pinned = &r.Pinned
	}
	if r.Source != memory.SourceFile && r.Source != memory.SourceTool { // a tool's stands beside the text
		declared.Source = r.Source
	}
	if decisions.IsEmptyEntry(declared, s.Zone) {
		return m, s.auditStored(ctx, now, m, isNewFile, memory.AuditStore, c)
	}
	declarations, err := s.db.Declarations(ctx, []memory.ID{m.ID})
	if err != nil || len(declarations) == 0 {
		return m, err
	}
	p := c.Plan(now, memory.AuditStore)
	p.Items = []index.IntentItem{{ID: m.ID, Before: declarations[0].Own, After: declared.Over(declarations[0].Own), Sidecar: declarations[0].Sidecar}}
	after := m
	after.Pinned = m.Pinned || r.Pinned
	if r.Tier != "" {
		after.Tier = r.Tier
	}
	p.RecordChange(m, after)
	p.NoteNewFile(isNewFile)
	if _, err := s.decisions.Commit(ctx, now, p.Intent, func(memory.Progress) {}); err != nil {
		return m, err
	}
	return s.memories().Find(ctx, string(m.ID))
}

// auditSource returns the audit's name for the source of a stored memory.
func auditSource(source memory.Source) string {
	switch source {
	case memory.SourceTool:
		return "tool"
	case memory.SourceAutoCapture:
		return "capture"
	}
	return "cli"
}

// auditStored writes to the audit that a command has stored a memory, so that undo knows
// it. isNewFile tells that the command made the memory's file.
func (s *workspaceState) auditStored(ctx context.Context, now time.Time, m memory.Memory, isNewFile bool, action string, c plan.Command) error {
	p := c.Plan(now, memory.Action(action))
	p.RecordChange(m, m)
	p.NoteNewFile(isNewFile)
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.Audit(p.Rows...) })
}
