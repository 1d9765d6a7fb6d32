package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/index"
)

// Last returns what was injected last, and the near misses.
func (e *Engine) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	s, who, err := e.ask(r.Workspace, r.Sender, r.For)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	receipt, err := e.receiptsOf(ctx, s).FindOne(ctx, who, r.Receipt, r.Session)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	s.addPrompt(who, r.Prompts && r.Sender.ID() == "", &receipt)
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
	var others []*index.DB
	for _, client := range e.clientWorkspaces(s) {
		others = append(others, client.db)
	}
	known, err := lookup.Shown(ctx, who, ids, s.db, others)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	for _, list := range []memory.List[memory.ReceiptMemory]{a.Injected, a.NearMisses} {
		for i := range list {
			attachMemory(&list[i], known)
		}
	}
	for i, n := range receipt.NearMisses {
		a.NearMisses[i].Detail = receipts.ReasonOfMiss(n, receipt, known[n.ID])
	}
	return a, nil
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
