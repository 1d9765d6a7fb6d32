package engine

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
)

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
	current, err := commands.VisibleContext(ctx, s.db, e.now(), memory.View{}, e.contextsOf(r.Sender, memory.AudiencePerson))
	return memory.ContextAnswer{Context: current}, err
}

// contextsOf returns the users of whose current contexts a sender gets the first one: the
// sender, under each name, then everybody.
func (e *Engine) contextsOf(s memory.Sender, who memory.Audience) []string {
	return append(slices.Clone(e.authorOf(s, who, "").Names), "")
}

// SetContext sets the current context until its time to live ends.
func (e *Engine) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	s, err := e.writable(r.Workspace, false)
	if err == nil {
		err = r.Sender.Check()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	text, ttl, err := commands.ValidateContext(r, e.options().ContextTTL)
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	now := e.now()
	if err := s.commands.SetContext(ctx, now, e.authorOf(r.Sender, memory.AudiencePerson, "").User, text, ttl); err != nil {
		return memory.ContextAnswer{}, err
	}
	current, err := commands.VisibleContext(ctx, s.db, now, memory.View{}, e.contextsOf(r.Sender, memory.AudiencePerson)) // as it was set, however soon it ends
	return memory.ContextAnswer{Context: current, Notice: commands.LongContextNotice(current, s.models.RecallSettings().MaxTokens)}, err
}

// ClearContext removes the current context of a user, or everybody's, and reports whether
// there was one.
func (e *Engine) ClearContext(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	s, err := e.writable(r.Workspace, false)
	if err == nil {
		err = r.Sender.Check()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	cleared, err := s.commands.ClearContext(ctx, e.now(), e.authorOf(r.Sender, memory.AudiencePerson, "").User)
	return memory.ContextAnswer{Cleared: &cleared}, err
}
