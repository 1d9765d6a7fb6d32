package extracting

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/workspace"
)

func (e *extraction) drop(reason string) error {
	e.answer.Dropped[reason]++
	return nil
}

// keep stores fact n of a batch, unless something speaks against it. It stands beside what is
// known, and replaces nothing.
func (e *extraction) keep(ctx context.Context, now time.Time, b batch, raw json.RawMessage, n int) error {
	e.answer.Facts++
	if n >= maxFacts {
		return e.drop(capture.SkipLimit)
	}
	f, reason, hasFalseDate := b.check(raw)
	if reason != "" {
		return e.drop(reason)
	}
	text, refused := store.Admit(f.Text, false)
	if refused != nil {
		return e.drop(capture.SkipSecret)
	}
	if text = text.WithDays(f.of.at); f.Date != "" {
		text = text.WithDay(f.Date)
	}
	forgotten, err := e.DB.ForgottenTexts(ctx)
	if err != nil {
		return err
	}
	found, err := e.Relations.Find(ctx, now, text.String(), e.Author)
	if err != nil {
		return err
	}
	if _, is := found.ForgottenSame(); is || forgotten.Contains(chunker.Fingerprint(text.Said()), text.Said(), nil) {
		return e.drop(dropForgotten)
	}
	if same, is := found.SameAs(""); is {
		e.answer.Known++
		e.noteCaptured(same.Memory)
		return nil
	}
	if deleted, err := e.wasStored(ctx, e.Author, text.Said(), text.String()); deleted || err != nil {
		return errors.Join(err, e.drop(dropDeleted))
	}
	if hasFalseDate {
		e.answer.Undated++
	}
	unrecalled, _ := found.UnrecalledSame()
	isPrivate := unrecalled.Private || store.HasPrivate(found.Replaced(f.trust, e.Author))
	return e.write(ctx, now, f, text, isPrivate)
}

// noteCaptured counts a fact that capture kept.
func (e *extraction) noteCaptured(m memory.Memory) {
	if strings.HasPrefix(m.Path, store.CapturedFolder+"/") {
		e.answer.Captured++
	}
	e.said[m.ID] = true
}

// wasStored reports whether one of these texts was stored of a conversation. If no memory says it
// any more, a person deleted or reworded it.
func (e *extraction) wasStored(ctx context.Context, by lookup.Author, texts ...string) (bool, error) {
	for _, trust := range memory.TrustTiers {
		for _, text := range texts {
			if at, err := e.DB.CapturedAt(ctx, capturing.TextName(by, trust, text)); err != nil || !at.IsZero() {
				return err == nil, err
			}
		}
	}
	return false, nil
}

// capturedFrom returns the texts that capture keeps of some messages.
func (e *extraction) capturedFrom(keys []string) (texts []memory.Fingerprint) {
	for _, m := range e.captured {
		if slices.ContainsFunc(keys, func(key string) bool { return *m.SourceRef == chunker.SessionRef(e.Session)+chunker.RefName(key) }) {
			texts = append(texts, m.Fingerprint)
		}
	}
	return texts
}

// write appends a fact to today's file of extracted texts, indexes it, and notes it in the audit.
func (e *extraction) write(ctx context.Context, now time.Time, f fact, text store.Text, isPrivate bool) error {
	texts := e.capturedFrom(f.keys)
	if len(texts) > maxTexts {
		return e.drop(dropSource)
	}
	d := memory.Declared{Source: memory.SourceAutoCapture, Category: f.category, Type: f.kind, SourceRef: chunker.ModelRef(e.Session, f.keys, texts),
		User: e.Author.User, Scope: e.Author.Scope, Created: f.of.sent}
	if f.trust != memory.TrustTrusted {
		d.Trust = f.trust
	}
	if isPrivate {
		d.Private = new(true)
	}
	note, err := e.AppendExtracted(ctx, now, e.Author, text, d)
	if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return err
	}
	m, err := e.Publish(ctx, now, note, text.String())
	if err != nil {
		return err
	}
	if err := e.Audit(ctx, now, m, note, memory.AuditCapture, e.command); err != nil {
		return e.TakeBack(ctx, now, note, err)
	}
	names := slices.Compact([]string{capturing.TextName(e.Author, f.trust, text.Said()), capturing.TextName(e.Author, f.trust, text.String())})
	e.ids = append(e.ids, m.ID)
	e.answer.Stored = append(e.answer.Stored, knowledge.Derived{Memory: m, Date: f.Date})
	return e.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.NoteCaptured(names) })
}
