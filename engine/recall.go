package engine

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/derive"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Recall returns the block to put before a prompt, with the memories in it.
func (e *Engine) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	start := time.Now()
	s, err := e.lookupAnswering(r.Workspace, r.Folder)
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, memory.AudienceModel)
	if err == nil && s.Options.Documents {
		err = errOnlySearched
	}
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	r.Scope = e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender)
	var files []memory.ServedFile
	if len(r.Files) > 0 { // first, because that indexes what has changed in them
		if files, err = e.filesOf(ctx, s, who, r.Scope, r.Files); err != nil {
			return memory.RecallAnswer{}, err
		}
	}
	at, past, err := lookup.AsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	current, err := commands.VisibleContext(ctx, s.db, at, who, e.contextsOf(r.Sender, memory.AudienceModel))
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	p := recall.Prompt{Text: r.Prompt, MaxItems: r.MaxItems, MaxTokens: r.MaxTokens, InPrompt: r.InPrompt, Has: r.Has,
		Context: current, Predicate: memory.Predicate{View: recall.Pushed(memory.View{Scope: r.Scope, Users: who.Users}, at)}}
	if s.isOfPerson() {
		p.Profile = func(p memory.Predicate) ([]memory.ID, error) { return derive.ProfileIDs(ctx, s.db, p) }
	}
	if !e.options().AutoRecall {
		p.MaxItems = new(int) // no memories; the current context is injected anyway
	}
	if past {
		p.Predicate.AsOf = at
	}
	record := (r.Record == nil || *r.Record) && !past && !e.options().ReadOnly
	p.Traced = record && !e.options().Receipts.Off
	indexing, standing := s.indexingNow(ctx), r.Standing
	all := e.together(s, r)
	if docs := e.documents("", true); docs != nil && !standing {
		p.Documents = docs
	}
	var answer memory.RecallAnswer
	var trace recall.Trace
	if err := s.models.WithModel(ctx, func(r *recall.Recaller) (err error) {
		if r = all.Ask(r); standing {
			answer, trace, err = r.Standing(ctx, at, p)
		} else {
			answer, trace, err = r.Recall(ctx, at, p)
		}
		return err
	}); err != nil {
		return memory.RecallAnswer{}, err
	}
	if answer.LeftOutByDate, err = s.db.LeftOutByDate(ctx, p.Predicate); err != nil {
		return memory.RecallAnswer{}, err
	}
	answer.Folder, answer.Workspace, answer.Files = s.Dir, s.Name, files
	answer.Stale, answer.Indexing = e.options().ReadOnly, indexing
	answer.TookMS = millisecondsSince(start)
	if record {
		answer.Receipt = uuid.NewString()
		s.uses.KeepPrompt(answer.Receipt, r.Prompt)
		e.offerUses(s, all, answer.Receipt, r.Session, who.Users, answer.Hits, index.UseInjected, e.options().Receipts.IfKept(func() memory.Receipt {
			return e.options().Receipts.OfRecall(s.models.RecallSettings(), r, at, answer, trace)
		}))
	}
	return answer, nil
}
