package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/recall/question"
)

// WhyNot explains why a memory is not injected for a prompt. It records nothing.
func (e *Engine) WhyNot(ctx context.Context, r memory.WhyNotRequest) (memory.WhyNotAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	who, err := e.readerOf(r.Sender, r.For)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	now := e.now()
	m, err := s.findMemoryFor(ctx, now, who, r.ID)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	if r.Receipt != "" {
		return e.whyNotReceipt(ctx, s, who, r, m)
	}
	at, past, err := resolveAsOf(r.AsOf, now, s.Zone)
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	r.Scope = e.options().Scopes.ScopeOf(r.Scope, r.Agent, r.Sender)
	asker := who
	if who.Users == nil {
		asker = e.askerOf(memory.Sender{User: cmp.Or(m.User, memory.OwnerIdentity)})
	}
	a := memory.WhyNotAnswer{Memory: m}
	asked := strings.TrimSpace(r.Query) != ""
	if !e.options().AutoRecall {
		a.Reason, a.Detail = memory.ReasonDisabled, "recall is turned off (autoRecall)"
		return a, nil
	}
	if asked && question.IsTrivial(question.Message(r.Query)) {
		a.Reason, a.Detail = memory.ReasonGate, trivialPrompt
		return a, nil
	}
	a.Reason, a.Detail = excludedByState(m, at, r.Scope)
	if past && m.CreatedAt.After(at) {
		a.Reason, a.Detail = memory.ReasonMissing, "it was created after that time"
	}
	if !asked {
		if a.Reason == "" {
			a.Detail = "nothing in its state excludes it; give a prompt to learn more"
			if m.User != "" {
				a.Detail += "; " + belongsTo(m)
			}
		}
		return a, nil
	}
	p := memory.Predicate{Scope: r.Scope, Users: asker.Users}
	if past {
		p.AsOf = at
	}
	answer, trace, err := e.futureOf(s, p.AsOf).Recaller(s.models.Recaller(ctx)).Recall(ctx, at, recall.Prompt{Text: r.Query, InPrompt: r.InPrompt, Predicate: p})
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	a.Winners = answer.Hits
	if a.Reason == "" {
		err = e.explainRejection(ctx, s, at, r.Query, trace, &a)
	}
	return a, err
}

// askerOf returns the reader of a recall for a sender.
func (e *Engine) askerOf(s memory.Sender) audience.Reader {
	return audience.ReaderOf(e.options().Identities, s, memory.AudienceModel)
}

// explainRejection finds the step at which a memory whose state allows injection
// was rejected.
func (e *Engine) explainRejection(ctx context.Context, s *workspaceState, now time.Time, query string, trace recall.Trace, a *memory.WhyNotAnswer) error {
	for _, h := range a.Winners {
		if h.ID == a.Memory.ID {
			a.Injected, a.Detail = true, fmt.Sprintf("it is injected: similarity %.2f, score %.2f", h.Similarity, h.Score)
			return nil
		}
	}
	if rejection, ok := trace.Rejection(a.Memory.ID); ok {
		a.Reason = rejection.Reason
		switch {
		case rejection.RefutedBy != "":
			a.Detail = "it is untrusted, and the trusted memory " + rejection.RefutedBy.Short() + " states another value"
		case rejection.DuplicateOf != "":
			a.Detail = rejection.DuplicateOf.Short() + " has the same content"
		case rejection.Reason == memory.ReasonOutdated:
			a.Detail = outdatedDetail
		case rejection.Reason == memory.ReasonBelowFloor || rejection.Reason == memory.ReasonBehindBest:
			a.Detail = belowFloorDetail(rejection.Similarity, rejection.Floor)
		case rejection.Reason == memory.ReasonOtherSession:
			a.Detail = otherSessionDetail
		case rejection.Reason == memory.ReasonTierBudget:
			a.Detail = tierBudgetDetail(injectedIDs(a.Winners), trace.Selected, rejection.Similarity)
		case rejection.Reason == memory.ReasonTokenBudget:
			a.Detail = tokenBudgetDetail(rejection.Similarity, s.models.RecallSettings().MaxTokens)
		case rejection.Reason == memory.ReasonInPrompt:
			a.Detail = "the prompt already contains " + a.Memory.Path
		}
		return nil
	}
	pending, err := s.db.LacksVector(ctx, a.Memory.ID)
	if err != nil {
		return err
	}
	similarity, err := s.similarity(ctx, now, a.Memory, query)
	if err != nil {
		return err
	}
	floor := s.floor(a.Memory)
	if pending && s.models.Embedder().Dim() > 0 && similarity < floor {
		a.Reason, a.Detail = memory.ReasonNotEmbedded, "it has no vector yet, and its words do not match"
		return nil
	}
	a.Reason, a.Detail = memory.ReasonBelowFloor, belowFloorDetail(similarity, floor)+": it is not among the best of any lane"
	return nil
}

const trivialPrompt = "the prompt is small talk, or has no word that names a thing: no memory is recalled for it"

// whyNotReceipt explains, by a receipt, why a memory was not injected in a past
// recall. The winners have their current texts; hidden ones are left out.
func (e *Engine) whyNotReceipt(ctx context.Context, s *workspaceState, who audience.Reader, r memory.WhyNotRequest, m memory.Memory) (memory.WhyNotAnswer, error) {
	if r.Query != "" || r.Scope != "" || len(r.InPrompt) > 0 || r.AsOf != "" {
		return memory.WhyNotAnswer{}, memory.Invalid("receipt", "a receipt already has its query").
			WithHint("leave out either receipt or query, scope, in_prompt and as_of")
	}
	receipt, err := e.findReceipt(ctx, s, who, r.Receipt, "")
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	a := memory.WhyNotAnswer{Memory: m}
	if a.Winners, err = s.winners(ctx, receipt, who.Restrict(memory.Predicate{Archive: true}, e.now())); err != nil {
		return a, err
	}
	a.Injected, a.Reason, a.Detail = s.reasonInReceipt(receipt, m)
	if a.Injected || a.Reason != "" {
		return a, nil
	}
	if a.Reason, a.Detail = excludedByState(m, e.now(), receipt.Filters.Scope); a.Reason != "" {
		a.Detail += "; this is its state now, and that recall did not find it"
		return a, nil
	}
	if asker := e.askerOf(memory.Sender{User: receipt.User}); !asker.MayRead(m) {
		a.Reason, a.Detail = memory.ReasonUser, belongsTo(m)
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

// reasonInReceipt returns what a receipt itself records of a memory.
func (s *workspaceState) reasonInReceipt(r memory.Receipt, m memory.Memory) (injected bool, reason, detail string) {
	if i := slices.IndexFunc(r.Injected, func(g memory.InjectedID) bool { return g.ID == m.ID }); i >= 0 {
		return true, "", fmt.Sprintf("it was injected: similarity %.2f, score %.2f", r.Injected[i].Similarity, r.Injected[i].Score)
	}
	if i := slices.IndexFunc(r.NearMisses, func(n memory.NearMiss) bool { return n.ID == m.ID }); i >= 0 {
		return false, r.NearMisses[i].Reason, s.missDetail(r.NearMisses[i], r, m)
	}
	if r.Skipped == nil {
		return false, "", ""
	}
	switch *r.Skipped {
	case memory.SkippedTrivial:
		return false, memory.ReasonGate, trivialPrompt
	case memory.SkippedDisabled:
		return false, memory.ReasonDisabled, "recall was turned off, or its limit was 0"
	}
	return false, "", ""
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

// missDetail explains with figures why a memory was rejected.
func (s *workspaceState) missDetail(n memory.NearMiss, r memory.Receipt, m memory.Memory) string {
	switch n.Reason {
	case memory.ReasonBelowFloor:
		floor := r.Floor
		if m.Pinned {
			floor /= 2
		}
		return belowFloorDetail(n.Similarity, floor)
	case memory.ReasonOutdated:
		return outdatedDetail
	case memory.ReasonBehindBest:
		return fmt.Sprintf("similarity %.2f is much less than that of the best memory", n.Similarity)
	case memory.ReasonOtherSession:
		return otherSessionDetail
	case memory.ReasonDuplicate:
		return n.By.Short() + " has the same content"
	case memory.ReasonTierBudget:
		return tierBudgetDetail(r.Injected, r.Selected, n.Similarity)
	case memory.ReasonTokenBudget:
		return tokenBudgetDetail(n.Similarity, r.Filters.MaxTokens)
	case memory.ReasonInPrompt:
		return "the prompt already contained its file"
	}
	return ""
}

// belongsTo explains that only the requests of one user get a memory.
func belongsTo(m memory.Memory) string {
	return "it belongs to the user " + m.User + ": only requests of that user get it"
}

const otherSessionDetail = "the prompt is more likely about what is under other headings"

const outdatedDetail = "it is marked as outdated, and the question does not ask for the past"

func belowFloorDetail(similarity, floor float64) string {
	return fmt.Sprintf("similarity %.2f < %.2f", similarity, floor)
}

// tierBudgetDetail explains which memories filled a block.
func tierBudgetDetail(winners []memory.InjectedID, tiers map[memory.Tier]int, similarity float64) string {
	if len(winners) == 0 {
		return "the block had no place"
	}
	var perTier []string
	for _, t := range memory.Tiers {
		if tiers[t] > 0 {
			perTier = append(perTier, fmt.Sprintf("%s %d", t, tiers[t]))
		}
	}
	lowest := slices.MinFunc(winners, func(a, b memory.InjectedID) int { return cmp.Compare(a.Similarity, b.Similarity) })
	return fmt.Sprintf("all %d places are taken (%s); its similarity is %.2f, the lowest of theirs is %.2f (%s)",
		len(winners), strings.Join(perTier, ", "), similarity, lowest.Similarity, lowest.ID.Short())
}

func tokenBudgetDetail(similarity float64, tokens int) string {
	return fmt.Sprintf("similarity %.2f, but its text does not fit into the rest of %d tokens", similarity, tokens)
}
