package engine

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/contexts"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/store"
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
	text, err := store.Validate(r)
	if err == nil {
		err = r.Scope.CheckName()
	}
	if err == nil && s.Options.ReadOnly {
		err = decisions.ReadOnlyError(s.Name, memory.ErrForbidden)
	}
	if err != nil {
		return memory.StoreAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, store.AudienceOf(r))
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
	by := e.authorOf(r.Sender, store.AudienceOf(r), e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender))
	answer, err := s.store.Store(ctx, e.now(), store.Request{StoreRequest: r, Text: text, View: who, Author: by, Identities: e.options().Identities})
	if err != nil {
		return answer, err
	}
	shown := []memory.Memory{answer.Memory}
	err = s.db.Show(ctx, who, shown)
	answer.Memory = shown[0]
	return answer, err
}

// CaptureOptions configures what is kept of conversations.
type CaptureOptions struct {
	Off      bool
	Settings capture.Settings
}

// Capture keeps what is worth keeping of a conversation. A message is examined once
// in its session, however often the host sends it.
func (e *Engine) Capture(ctx context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	start := time.Now()
	s, err := e.lookup(r.Workspace)
	if err == nil && !r.Preview {
		err = e.refuseWhenReadOnly()
	}
	if err == nil && !r.Preview && s.Options.ReadOnly {
		err = decisions.ReadOnlyError(s.Name, memory.ErrForbidden)
	}
	if err == nil {
		err = capturing.Validate(r)
	}
	if err != nil {
		return memory.CaptureAnswer{}, err
	}
	if e.options().Capture.Off && !r.Preview {
		return capturing.Disabled(r), nil
	}
	by := e.authorOf(r.Sender, memory.AudienceModel, e.options().Scopes.ScopeOf("", r.Agent, r.Sender))
	q := capturing.Request{CaptureRequest: r, Author: by, FromOwner: e.isOwner(r.Sender), Settings: e.options().Capture.Settings,
		Receipts: e.options().Receipts, Now: e.now(), Took: func() float64 { return millisecondsSince(start) }}
	if !r.Preview {
		unlock, err := s.lockIngest(ctx)
		if err != nil {
			return memory.CaptureAnswer{}, err
		}
		defer unlock()
	}
	return s.capture.Capture(ctx, q)
}

// Context returns the current context of a user, or everybody's. One that repeats a
// forgotten text is not returned.
func (e *Engine) Context(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = r.Sender.Check()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	current, err := s.contexts.Visible(ctx, e.now(), memory.View{}, e.contextsOf(r.Sender, memory.AudiencePerson))
	return memory.ContextAnswer{Context: current}, err
}

// contextsOf returns the users of whose current contexts a sender gets the first one: the
// sender, under each name, then everybody.
func (e *Engine) contextsOf(s memory.Sender, who memory.Audience) []string {
	return append(slices.Clone(e.authorOf(s, who, "").Names), "")
}

// SetContext sets the current context until its time to live ends.
func (e *Engine) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = r.Sender.Check()
	}
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	text, ttl, err := contexts.Validate(r, e.options().ContextTTL)
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	now := e.now()
	if err := s.contexts.Set(ctx, now, e.authorOf(r.Sender, memory.AudiencePerson, "").User, text, ttl); err != nil {
		return memory.ContextAnswer{}, err
	}
	current, err := s.contexts.Visible(ctx, now, memory.View{}, e.contextsOf(r.Sender, memory.AudiencePerson)) // as it was set, however soon it ends
	return memory.ContextAnswer{Context: current, Notice: contexts.LongNotice(current, s.models.RecallSettings().MaxTokens)}, err
}

// ClearContext removes the current context of a user, or everybody's, and reports whether
// there was one.
func (e *Engine) ClearContext(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = r.Sender.Check()
	}
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	cleared, err := s.contexts.Clear(ctx, e.now(), e.authorOf(r.Sender, memory.AudiencePerson, "").User)
	return memory.ContextAnswer{Cleared: &cleared}, err
}
