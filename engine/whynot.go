package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/recall/question"
)

// WhyNot explains why a memory is not injected for a prompt. It records nothing.
func (e *Engine) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	s, who, err := e.ask(r.Workspace, r.Sender, r.For)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	now := e.now()
	m, err := lookup.FindFor(ctx, s.db, who, r.ID)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	if r.Receipt != "" {
		return e.whyNotReceipt(ctx, s, who, r, m)
	}
	at, past, err := lookup.AsOf(r.AsOf, now, s.Zone)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	r.Scope = e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender)
	asker := e.askerFor(who, m)
	a := memory.WhyNotAnswer{Memory: m}
	asked := strings.TrimSpace(r.Query) != ""
	if !e.options().AutoRecall {
		a.Reason, a.Detail = memory.ReasonDisabled, "recall is turned off (autoRecall)"
		return a, nil
	}
	if asked && question.IsTrivial(r.Query) {
		a.Reason, a.Detail = memory.ReasonGate, receipts.TrivialPrompt
		return a, nil
	}
	recalled := recall.Pushed(memory.View{Scope: r.Scope, Users: asker.Users}, at)
	if past {
		recalled.AsOf = at
	}
	state, err := lookup.WithoutHiddenSuccessor(ctx, s.db, recalled, m)
	if err != nil {
		return a, err
	}
	a.Reason, a.Detail = receipts.ReasonOfState(state, recalled)
	if past && m.CreatedAt.After(at) {
		a.Reason, a.Detail = memory.ReasonMissing, "it was created after that time"
	}
	if !asked {
		if a.Reason == "" {
			a.Detail = "nothing in its state excludes it; give a prompt to learn more"
			if m.User != "" {
				a.Detail += "; " + receipts.BelongsTo(m)
			}
		}
		return a, nil
	}
	answer, trace, err := s.models.Recaller(ctx).Recall(ctx, at, recall.Prompt{Text: r.Query, InPrompt: r.InPrompt, Traced: true, Predicate: memory.Predicate{View: recalled}})
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	a.Winners = answer.Hits
	if a.Reason == "" {
		err = e.explainRejection(ctx, s, at, r.Query, memory.Predicate{View: recalled}, trace, &a)
	}
	return a, err
}

// askerOf returns the view of a recall for a sender.
func (e *Engine) askerOf(s memory.Sender) memory.View {
	return lookup.ViewOf(e.options().Identities, s, memory.AudienceModel, e.now())
}

// askerFor returns the view of the recall that an explanation for another view is about.
func (e *Engine) askerFor(who memory.View, m memory.Memory) memory.View {
	if who.Users != nil {
		return who
	}
	return e.askerOf(memory.Sender{User: cmp.Or(m.User, memory.OwnerIdentity)})
}

// explainRejection finds the step at which a memory whose state allows injection
// was rejected.
func (e *Engine) explainRejection(ctx context.Context, s *workspaceState, now time.Time, query string, p memory.Predicate, trace recall.Trace, a *memory.WhyNotAnswer) error {
	for _, h := range a.Winners {
		if h.ID == a.Memory.ID {
			a.Injected, a.Detail = true, fmt.Sprintf("it is injected: similarity %.2f, score %.2f", h.Similarity, h.Score)
			return nil
		}
	}
	if rejection, ok := trace.Rejection(a.Memory.ID); ok {
		a.Reason = rejection.Reason
		a.Detail = receipts.ReasonOfRejection(rejection, a.Memory, receipts.InjectedIDs(a.Winners), trace.Selected, s.models.RecallSettings().MaxTokens)
		return nil
	}
	pending, err := s.db.LacksVector(ctx, a.Memory.ID)
	if err != nil {
		return err
	}
	similarity, err := s.models.SimilarityOf(ctx, now, a.Memory.ID, query, p)
	if err != nil {
		return err
	}
	floor := s.models.RecallSettings().FloorFor(&a.Memory)
	if pending && s.models.Embedder().Dim() > 0 && similarity < floor {
		a.Reason, a.Detail = memory.ReasonNotEmbedded, "it has no vector yet, and its words do not match"
		return nil
	}
	a.Reason, a.Detail = memory.ReasonBelowFloor, receipts.BelowFloor(similarity, floor)+": it is not among the best of any lane"
	return nil
}

// whyNotReceipt explains, by a receipt, why a memory was not injected in a past
// recall. The winners have their current texts; hidden ones are left out.
func (e *Engine) whyNotReceipt(ctx context.Context, s *workspaceState, who memory.View, r memory.WhyNotRequest, m memory.Memory) (memory.WhyNotAnswer, error) {
	if r.Query != "" || r.Scope != "" || len(r.InPrompt) > 0 || r.AsOf != "" {
		return memory.WhyNotAnswer{}, memory.Invalid("receipt", "a receipt already has its query").
			WithHint("leave out either receipt or query, scope, in_prompt and as_of")
	}
	receipt, err := e.receiptsOf(ctx, s).FindOne(ctx, who, r.Receipt, "")
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	a := memory.WhyNotAnswer{Memory: m}
	if a.Winners, err = s.winners(ctx, receipt, memory.Predicate{View: who, Archive: true}); err != nil {
		return a, err
	}
	a.Injected, a.Reason, a.Detail = receipts.ReasonInReceipt(receipt, m)
	if a.Injected || a.Reason != "" {
		return a, nil
	}
	recalled := recall.Pushed(e.askerOf(memory.Sender{User: receipt.User}), e.now())
	recalled.Scope = receipt.Filters.Scope
	if a.Reason, a.Detail = receipts.ReasonOfState(m, recalled); a.Reason != "" {
		if a.Reason != memory.ReasonUser {
			a.Detail += "; this is its state now, and that recall did not find it"
		}
		return a, nil
	}
	if m.CreatedAt.After(receipt.At) {
		a.Reason, a.Detail = memory.ReasonMissing, "it was created after that recall"
		return a, nil
	}
	a.Reason = memory.ReasonBelowFloor
	a.Detail = fmt.Sprintf("it is not among the %d near misses in the receipt", len(receipt.NearMisses))
	if n := len(receipt.NearMisses); n > 0 {
		a.Detail += fmt.Sprintf(": its similarity was below %.2f", receipt.NearMisses[n-1].Similarity)
	}
	return a, nil
}

// winners returns the memories that a receipt lists as injected and p allows, as
// they are now.
func (s *workspaceState) winners(ctx context.Context, r memory.Receipt, p memory.Predicate) (hits []memory.Hit, err error) {
	var ids []memory.ID
	for _, g := range r.Injected {
		ids = append(ids, g.ID)
	}
	visible, err := s.db.Visible(ctx, ids, p)
	known := map[memory.ID]memory.Memory{}
	for _, m := range visible {
		known[m.ID] = m
	}
	for _, g := range r.Injected {
		if m, ok := known[g.ID]; ok {
			hits = append(hits, memory.Hit{Memory: m, Score: g.Score, Similarity: g.Similarity})
		}
	}
	return hits, err
}
