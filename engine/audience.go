package engine

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
)

// viewOf returns the view of a request's answer.
func (e *Engine) viewOf(s memory.Sender, who memory.Audience) (memory.View, error) {
	return audience.ViewOf(e.options().Identities, s, who, e.now()), s.Check()
}

// authorOf returns the author of what a sender says, by the identities in force.
func (e *Engine) authorOf(s memory.Sender, who memory.Audience, scope memory.Scope) audience.Author {
	return audience.AuthorOf(e.options().Identities, s, who, scope)
}

// authorNamed returns the author of a memory that has a user, or none.
func (e *Engine) authorNamed(user string, scope memory.Scope) audience.Author {
	return audience.AuthorNamed(e.options().Identities, user, scope)
}

// isOwner reports whether the sender of an agent's request is the owner.
func (e *Engine) isOwner(s memory.Sender) bool { return audience.IsOwner(e.options().Identities, s) }

// forgottenForModel returns the error for a model's request for forgotten or missing
// memories.
func forgottenForModel() error {
	return memory.Invalid("forgotten", "no answer for a model contains forgotten memories").
		WithHint("leave out forgotten, or let a person search: memory search --forgotten")
}
