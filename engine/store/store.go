// Package store writes a text into a daily note, or into a captured file, and makes it a memory.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/relations"
	"github.com/memory-tiered/memory/engine/succession"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Writer stores texts in one workspace. The caller holds the lock of ingests.
type Writer struct {
	DB         *index.DB
	Zone       *time.Location // of the days of the notes
	Decisions  *decisions.Files
	Models     *embedding.Models
	Relations  relations.Finder
	Succession succession.Files
}

// Request is a request to store a text, with what the engine knows of who asks.
type Request struct {
	memory.StoreRequest
	Text       dailynote.Text // as [Validate] returns it
	View       memory.View
	Author     audience.Author
	Identities memory.Identities
}

// Store writes the text of a request, unless a memory says the same.
func (w Writer) Store(ctx context.Context, now time.Time, q Request) (memory.StoreAnswer, error) {
	folder, err := w.Decisions.Host.Folder()
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
		by = audience.AuthorNamed(q.Identities, extended.User, by.Scope) // the new text contains the old one
	}
	c := plan.NewCommand(auditSource(r.Source))
	repeated, found, ok, err := w.same(ctx, now, by, r, text, extended, c)
	if err != nil || ok {
		answer, err := w.duplicateAnswer(ctx, who, repeated, err)
		answer.Notices = notices(r, q.Text, answer.Memory)
		if err == nil && r.Replaces != "" && extended.ID != repeated.ID {
			answer.Superseded = succession.ShownIDs([]memory.Memory{*extended}, who)
			err = w.Succession.Supersede(ctx, now, repeated.ID, []memory.Memory{*extended}, c)
		}
		return answer, err
	}
	old := w.replacedBy(r, by, extended, found)
	unrecalled, isAgain := found.UnrecalledSame()
	r.Private = r.Private || succession.HasPrivate(old) || unrecalled.Private // the new value is as private as the old one
	a, err := dailynote.AnnotationOfStored(r, by, trustOf(r), extended)
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	note, unconfirmed := w.appendStored(ctx, folder, now, by, q.Text, r.Source, a)
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
		err := w.Succession.Supersede(ctx, now, m.ID, old, c)
		if err == nil {
			answer.Memory, err = lookup.Find(ctx, w.DB, string(m.ID)) // a line above it moves it
		}
		if err != nil {
			return memory.StoreAnswer{}, writtenError(note.Path, "and what it replaces is not superseded", err)
		}
		answer.Superseded = succession.ShownIDs(old, who)
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
func notices(r memory.StoreRequest, text dailynote.Text, m memory.Memory) (notices []string) {
	if text.HasSecret() && !m.Private {
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
