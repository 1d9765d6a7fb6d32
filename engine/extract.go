package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/capturing"
	"github.com/memory-tiered/memory/engine/extracting"
	"github.com/memory-tiered/memory/knowledge"
)

// LanguageModel configures a model that reads conversations.
type LanguageModel struct {
	Base, Name   string // of its server and on it; empty: there is none
	Key          string // or where it is
	TokensPerDay int    // 0: it is not used
	Open         func(context.Context, LanguageModel) (extracting.Model, error)
}

// Extract has a language model read the messages of a conversation, and stores the facts that it
// finds. A message is sent once, however often it is offered.
func (e *Engine) Extract(ctx context.Context, r memory.CaptureRequest, progress func(memory.Progress)) (knowledge.Extraction, error) {
	none := knowledge.Extraction{}
	s, err := e.lookupFor(r.Workspace, r.Folder)
	if err == nil && !r.Preview {
		err = errors.Join(e.refuseWhenReadOnly(), s.refuseReadOnlyFiles())
	}
	if err == nil {
		err = capturing.Validate(r)
	}
	o := e.options()
	if err == nil && (o.Language.Base == "" || o.Language.Name == "" || o.Language.TokensPerDay == 0) {
		err = memory.Unavailable(nil, "no language model is configured, or model.tokensPerDay is 0").WithHint("memory config set model.baseUrl URL, and model.name NAME; everything else works without one")
	}
	if err != nil {
		return none, err
	}
	model, err := o.Language.Open(ctx, o.Language)
	if err != nil {
		return none, err
	}
	by := e.authorOf(r.Sender, memory.AudienceModel, o.Scopes.ScopeOf("", r.Agent, r.Sender))
	if progress == nil {
		progress = func(memory.Progress) {}
	}
	return s.extract.Extract(ctx, extracting.Request{CaptureRequest: r, Author: by, FromOwner: e.isOwner(r.Sender),
		View: memory.View{Model: true, Users: by.Compared(), Now: e.now()}, Model: model, Budget: o.Language.TokensPerDay, Used: e.modelTokens,
		Turn: s.lockIngest, Receipts: o.Receipts, Now: e.now, Progress: progress})
}

// modelTokens returns how many tokens language models took since a time, for all workspaces.
func (e *Engine) modelTokens(ctx context.Context, since time.Time) (sum int, err error) {
	for _, s := range e.openWorkspaces() {
		tokens, readErr := s.db.ModelTokens(ctx, since)
		sum, err = sum+tokens, errors.Join(err, readErr)
	}
	return sum, err
}
