package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// whyNotReceipt says what kept a memory out of a recall that has been, by its
// receipt: the texts of the winners are those of now, and of what must not be
// shown any more there are none.
func (e *Engine) whyNotReceipt(ctx context.Context, s *workspaceState, r memory.WhyNotRequest, m memory.Memory) (memory.WhyNotAnswer, error) {
	if r.Query != "" || r.Scope != "" || len(r.InPrompt) > 0 {
		return memory.WhyNotAnswer{}, memory.Invalid("receipt", "a receipt says already what was asked").
			WithHint("leave out either receipt or query, scope and in_prompt")
	}
	receipt, err := e.findReceipt(ctx, s, r.Receipt, "")
	if err != nil {
		return memory.WhyNotAnswer{}, err
	}
	a := memory.WhyNotAnswer{Memory: m}
	if a.Winners, err = s.winners(ctx, receipt); err != nil {
		return a, err
	}
	a.Injected, a.Reason, a.Detail = s.reasonInReceipt(receipt, m)
	if a.Injected || a.Reason != "" {
		return a, nil
	}
	if a.Reason, a.Detail = excludedByState(m, e.now(), receipt.Filters.Scope); a.Reason != "" {
		a.Detail += "; so it is now, and was not found then"
		return a, nil
	}
	if m.CreatedAt.After(receipt.At) {
		a.Reason, a.Detail = memory.ReasonMissing, "it is younger than that recall"
		return a, nil
	}
	a.Reason = memory.ReasonBelowFloor
	a.Detail = fmt.Sprintf("it is not among the %d near misses that the receipt holds", len(receipt.NearMisses))
	if n := len(receipt.NearMisses); n > 0 {
		a.Detail += fmt.Sprintf(": its similarity was below %.2f", receipt.NearMisses[n-1].Similarity)
	}
	return a, nil
}

// reasonInReceipt is what a receipt itself says of a memory.
func (s *workspaceState) reasonInReceipt(r memory.Receipt, m memory.Memory) (injected bool, reason, detail string) {
	if i := slices.IndexFunc(r.Injected, func(g memory.InjectedID) bool { return g.ID == m.ID }); i >= 0 {
		return true, "", fmt.Sprintf("it was given: similarity %.2f, score %.2f", r.Injected[i].Similarity, r.Injected[i].Score)
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
		return false, memory.ReasonDisabled, "recall was turned off, or given no room"
	}
	return false, "", ""
}

// winners are the memories that a receipt says were given, as they are now.
func (s *workspaceState) winners(ctx context.Context, r memory.Receipt) (hits []memory.Hit, err error) {
	var ids []memory.ID
	for _, g := range r.Injected {
		ids = append(ids, g.ID)
	}
	visible, err := s.db.Visible(ctx, ids, memory.Predicate{Archive: true})
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
