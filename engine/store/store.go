// Package store makes new texts memories. It appends a text to a file of the day: a person's
// daily note, or the file of captured texts. A comment beside the text declares whose it is. The
// file then reads back as its memories and the new one. It finds which known memories the text
// repeats or replaces; what it takes the place of is declared superseded.
package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/workspace"
)

// Writer stores texts in one workspace. The caller holds the lock of ingests.
type Writer struct {
	*plan.Executor
	Models    *embedding.Models
	Relations Finder
}

// Request is a request to store a text, with what the engine knows of who asks.
type Request struct {
	memory.StoreRequest
	Text       Text // as [Validate] returns it
	View       memory.View
	Author     lookup.Author
	Identities memory.Identities
}

// Store writes the text of a request, unless a memory says the same.
func (w Writer) Store(ctx context.Context, now time.Time, q Request) (memory.StoreAnswer, error) {
	folder, err := w.Host.Folder()
	if err == nil {
		err = w.RefreshNotes(ctx, now)
	}
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if q.Source == memory.SourceTool {
		q.Text = q.Text.WithDays(now.In(w.Zone))
	}
	r, text, who, by := q.StoreRequest, q.Text.String(), q.View, q.Author
	extended, err := w.extendedMemory(ctx, who, by, r, text)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if extended != nil {
		r.Pinned = r.Pinned || extended.Pinned
		by = lookup.AuthorNamed(q.Identities, extended.User, by.Scope) // the new text contains the old one
	}
	c := plan.NewCommand(auditSource(r.Source))
	repeated, found, ok, err := w.same(ctx, now, by, r, text, extended, c)
	if err != nil || ok {
		answer, err := w.duplicateAnswer(ctx, who, repeated, err)
		answer.Notices = notices(r, q.Text, answer.Memory)
		if err == nil && r.Replaces != "" && extended.ID != repeated.ID {
			answer.Superseded = ShownIDs([]memory.Memory{*extended}, who)
			err = w.Supersede(ctx, now, repeated.ID, []memory.Memory{*extended}, c)
		}
		return answer, err
	}
	old := w.replacedBy(r, by, extended, found)
	unrecalled, isAgain := found.UnrecalledSame()
	r.Private = r.Private || HasPrivate(old) || unrecalled.Private // the new value is as private as the old one
	d, err := declaredOf(r, by, trustOf(r), extended)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	note, unconfirmed := w.appendStored(ctx, folder, now, by, q.Text, r.Source, d)
	if unconfirmed != nil && !errors.Is(unconfirmed, workspace.ErrUnsynced) {
		return memory.StoreAnswer{}, unconfirmed
	}
	m, err := w.index(ctx, now, note, text)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	if m, err = w.declare(ctx, now, m, note, r, c); err != nil {
		return memory.StoreAnswer{}, w.TakeBack(ctx, now, note, err)
	}
	answer := memory.StoreAnswer{Action: "store", Memory: m, Notices: notices(r, q.Text, m)}
	if isAgain && !who.Conceals(&unrecalled.Memory) {
		answer.Notices = append(answer.Notices, fmt.Sprintf("the text was stored again: the memory %s, which says it, is %s", unrecalled.ID.Short(), unrecalled.Unrecalled))
	}
	if len(old) > 0 {
		err := w.Supersede(ctx, now, m.ID, old, c)
		if err == nil {
			answer.Memory, err = lookup.Find(ctx, w.DB, string(m.ID)) // a line above it moves it
		}
		if err != nil {
			return memory.StoreAnswer{}, writtenError(note.Path, "and what it replaces is not superseded", err)
		}
		answer.Superseded = ShownIDs(old, who)
	}
	if answer.Similar, err = w.similarTo(ctx, who, found, old); err != nil {
		return memory.StoreAnswer{}, writtenError(note.Path, "and not compared with others", err)
	}
	return answer, unconfirmed
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

// notices returns what a person should know who stored a text and got a memory.
func notices(r memory.StoreRequest, text Text, m memory.Memory) (notices []string) {
	if text.hasSecret() && !m.Private {
		notices = append(notices, "this looks like a secret, and is put into prompts: make it private, or destroy it")
	}
	if chunker.HasAnnotation(text.String()) {
		notices = append(notices, "a comment in a stored text is part of the text, and declares nothing")
	}
	if r.Private && !m.Private {
		notices = append(notices, "the memory that exists is not private")
	}
	return notices
}

// maxSimilar is how many similar memories an answer lists.
const maxSimilar = 3

// similarTo returns the memories about the same thing that a new text leaves as they are. The
// caller knows the conversation and can tell whether the text replaces one of them. The view
// shows them all.
func (w Writer) similarTo(ctx context.Context, who memory.View, found Found, replaced []memory.Memory) (similar []memory.SimilarMemory, err error) {
	var list []memory.Memory
	for _, m := range found.List {
		isReplaced := slices.ContainsFunc(replaced, func(r memory.Memory) bool { return r.ID == m.ID })
		if (m.Replaces || m.Related) && !m.Forgotten && !m.Missing && !isReplaced && m.SupersededBy == nil && m.Unrecalled == "" {
			list = append(list, m.Memory)
		}
	}
	shown, err := lookup.ShownIDs(ctx, w.DB, who, list)
	for _, m := range list {
		if shown[m.ID] && len(similar) < maxSimilar {
			similar = append(similar, memory.SimilarMemory{ID: m.ID, Text: m.Text})
		}
	}
	return similar, err
}

// declare writes the tier, type and other fields of a stored memory as an
// entry in its file's front matter. The store has its row in the audit then.
func (w Writer) declare(ctx context.Context, now time.Time, m memory.Memory, note Appended, r memory.StoreRequest, c plan.Command) (memory.Memory, error) {
	declared := memory.Declared{Tier: r.Tier, Type: r.Type, Category: r.Category, Importance: r.Importance}
	if r.Tier != "" {
		day := now.In(w.Zone)
		declared.Since, declared.SinceDay = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location()), true
	}
	if r.Pinned {
		declared.Pinned = &r.Pinned
	}
	if r.Source != memory.SourceFile && r.Source != memory.SourceTool { // a tool's stands beside the text
		declared.Source = r.Source
	}
	if plan.IsEmptyEntry(declared, w.Zone) {
		return m, w.Audit(ctx, now, m, note, memory.AuditStore, c)
	}
	declarations, err := w.DB.Declarations(ctx, []memory.ID{m.ID})
	if err != nil || len(declarations) == 0 {
		return m, err
	}
	p := c.Plan(now, memory.AuditStore)
	after := m
	after.Pinned = m.Pinned || r.Pinned
	if r.Tier != "" {
		after.Tier = r.Tier
	}
	own := declarations[0]
	own.Memory = m
	p.Change(own, declared.Over(own.Own), after)
	p.NoteNewFile(note.IsNew, note.NewFolders)
	if err := w.CarryOut(ctx, now, p, func(memory.Progress) {}); err != nil {
		return m, err
	}
	return lookup.Find(ctx, w.DB, string(m.ID))
}

// Audit writes to the audit that a command has stored a memory, so that undo knows
// it. note has the memory, and may be one that the command made.
func (w Writer) Audit(ctx context.Context, now time.Time, m memory.Memory, note Appended, action string, c plan.Command) error {
	p := c.Plan(now, memory.Action(action))
	p.RecordChange(m, m)
	p.NoteNewFile(note.IsNew, note.NewFolders)
	return w.CarryOut(ctx, now, p, func(memory.Progress) {})
}
