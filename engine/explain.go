package engine

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/reasons"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/recall"
)

// Explain returns the factors of a memory's score, and whether its state excludes
// it from injection.
func (e *Engine) Explain(ctx context.Context, r memory.ExplainRequest) (memory.ExplainAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	now := e.now()
	e.flush(ctx, s)
	m, err := lookup.FindFor(ctx, s.db, who, r.ID)
	if err != nil {
		return memory.ExplainAnswer{}, err
	}
	if m.CreatedFrom, m.DateReason, err = s.dates.Reason(ctx, m.ID); err != nil {
		return memory.ExplainAnswer{}, err
	}
	settings := s.models.RecallSettings()
	a := memory.ExplainAnswer{Memory: m, Query: r.Query, TierReason: m.TierReason,
		EffectiveAgeDays: decay.EffectiveAge(&m, now).Hours() / 24}
	if half := settings.HalfLives.Days(&m); !math.IsInf(half, 1) {
		a.HalfLifeDays = &half
	}
	seen := memory.Predicate{View: who, Archive: true, Forgotten: memory.Include}
	if a.Similarity, err = s.models.SimilarityOf(ctx, now, m.ID, r.Query, seen); err != nil {
		return memory.ExplainAnswer{}, err
	}
	var factors []memory.Factor
	a.Score, factors = recall.Score(m, a.Similarity, now, settings)
	a.Factors = factors
	state, err := audience.WithoutHiddenSuccessor(ctx, s.db, recall.Pushed(e.askerFor(who, m), now), m)
	if err != nil {
		return a, err
	}
	reason, detail := reasons.OfState(state, recall.Pushed(memory.View{}, now))
	a.Eligible, a.Reason = reason == "", detail
	if a.Eligible {
		a.Reason = "nothing in its state excludes it"
		if m.User != "" {
			a.Reason += "; " + reasons.BelongsTo(m)
		}
	}
	return a, nil
}

// Last returns what was injected last, and the near misses.
func (e *Engine) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	receipt, err := e.receiptsOf(ctx, s).FindOne(ctx, who, r.Receipt, r.Session)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	a := memory.LastAnswer{Receipt: receipt}
	var ids []memory.ID
	for _, g := range receipt.Injected {
		ids = append(ids, g.ID)
		a.Injected = append(a.Injected, memory.ReceiptMemory{ID: g.ID, Score: g.Score, Similarity: g.Similarity})
	}
	for _, n := range receipt.NearMisses {
		ids = append(ids, n.ID)
		a.NearMisses = append(a.NearMisses, memory.ReceiptMemory{ID: n.ID, Score: n.Score, Similarity: n.Similarity, Reason: n.Reason})
	}
	known, err := lookup.Current(ctx, s.db, ids)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	if err := s.keepShown(ctx, who, known); err != nil {
		return memory.LastAnswer{}, err
	}
	for _, list := range []memory.List[memory.ReceiptMemory]{a.Injected, a.NearMisses} {
		for i := range list {
			attachMemory(&list[i], known)
		}
	}
	for i, n := range receipt.NearMisses {
		a.NearMisses[i].Detail = reasons.OfMiss(n, receipt, known[n.ID])
	}
	return a, nil
}

// keepShown removes from known the memories that a view does not show, and the uses by
// others.
func (s *workspaceState) keepShown(ctx context.Context, who memory.View, known map[memory.ID]memory.Memory) error {
	memories := slices.Collect(maps.Values(known))
	shown, err := audience.Shown(ctx, s.db, who, memories)
	if err != nil {
		return err
	}
	err = s.db.Show(ctx, who, memories)
	clear(known)
	for _, m := range memories {
		if shown[m.ID] {
			known[m.ID] = m
		}
	}
	return err
}

// attachMemory adds the memory to its line of a receipt, or the reason why it is
// withheld.
func attachMemory(line *memory.ReceiptMemory, known map[memory.ID]memory.Memory) {
	m, ok := known[line.ID]
	switch {
	case !ok:
		line.Withheld = "gone"
	case m.Forgotten:
		line.Withheld = memory.ReasonForgotten
	case m.Missing:
		line.Withheld = memory.ReasonMissing
	default:
		line.Memory = &m
	}
}

// Show returns the memory with this id, or with this unique prefix of an id, and its
// other versions.
func (e *Engine) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	e.flush(ctx, s)
	m, err := lookup.FindFor(ctx, s.db, who, r.ID)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	a := memory.ShowAnswer{Memory: m}
	if a.CreatedFrom, a.DateReason, err = s.dates.Reason(ctx, m.ID); err != nil {
		return a, err
	}
	older, newer, err := s.db.Versions(ctx, m.ID)
	if err != nil {
		return a, err
	}
	if a.Supersedes, err = lookup.Versions(ctx, s.db, who, older); err != nil || who.Model {
		return a, err
	}
	a.Successors, err = lookup.Versions(ctx, s.db, who, newer)
	return a, err
}

// ReceiptOptions configures what is kept of each recall.
type ReceiptOptions = receipts.Options

// Receipts lists the receipts of recalls, searches and captures, newest first.
func (e *Engine) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = receipts.Validate(r)
	}
	if err != nil {
		return memory.ReceiptsAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.ReceiptsAnswer{}, err
	}
	found, err := e.receiptsOf(ctx, s).Find(ctx, who, r, "")
	return memory.ReceiptsAnswer{Receipts: found}, err
}

// receiptsOf returns the receipts of a workspace. It writes the pending ones first.
func (e *Engine) receiptsOf(ctx context.Context, s *workspaceState) receipts.List {
	e.flush(ctx, s)
	return receipts.List{DB: s.db, Options: e.options().Receipts, Now: e.now()}
}

// Delivered records that the answer with this receipt reached its reader, which
// counts its memories as used.
func (e *Engine) Delivered(ctx context.Context, workspace, receipt string) error {
	s, err := e.lookup(workspace)
	if err == nil {
		s.uses.Confirm(receipt, e.now().In(s.zone()))
	}
	return err
}
