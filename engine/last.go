package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/receipts"
)

// Last returns what was injected last, and the near misses.
func (e *Engine) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	s, err := e.lookupAnswering(r.Workspace, "")
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
	s.addPrompt(who, r.Prompts && r.Sender.ID() == "", &receipt)
	a, ids := receipts.AnswerWithIDs(receipt)
	var others []lookup.Other
	for _, client := range e.clientWorkspaces(s) {
		others = append(others, lookup.Other{DB: client.db, OnlyCopies: s.isOfTeam() || client.isOfTeam()})
	}
	known, err := lookup.Shown(ctx, who, ids, s.db, others)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	receipts.AttachMemories(&a, known)
	return a, nil
}
