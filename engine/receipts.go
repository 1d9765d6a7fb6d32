package engine

import (
	"context"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/index"
)

// ReceiptOptions configures what is kept of each recall.
type ReceiptOptions = receipts.Options

// Receipts lists the receipts of requests, newest first.
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
	var kinds []string
	if r.Kind != "" {
		kinds = []string{r.Kind}
	}
	found, err := e.receiptsOf(ctx, s).Find(ctx, who, r, kinds...)
	for i := range found {
		s.addPrompt(who, r.Prompts && r.Sender.ID() == "", &found[i])
	}
	return memory.ReceiptsAnswer{Receipts: found}, err
}

// addPrompt adds to a receipt what was asked, if the owner requests it and this process knows it.
func (s *workspaceState) addPrompt(who memory.View, requested bool, r *memory.Receipt) {
	if requested && !who.Model && who.Users == nil {
		r.Prompt = s.uses.Prompt(r.ID)
	}
}

// receiptsOf returns the receipts of a workspace. It writes the pending ones first.
func (e *Engine) receiptsOf(ctx context.Context, s *workspaceState) receipts.List {
	e.flush(ctx, s)
	return receipts.List{DB: s.db, Options: e.options().Receipts, Now: e.now()}
}

// Delivered records that the answer with this receipt reached its reader, which
// counts its memories as used.
func (e *Engine) Delivered(ctx context.Context, workspace, receipt string) error {
	if _, err := e.lookupAnswering(workspace, ""); err != nil {
		return err
	}
	for _, s := range e.openWorkspaces() { // an answer may have memories of several
		s.uses.Confirm(receipt, e.now().In(s.zone()))
	}
	return e.hooks.Delivered(receipt)
}

// maxReceiptIDs is the number of ids that a receipt lists. Its counts are complete.
const maxReceiptIDs = 1000

// keepReceipt keeps the receipt of a request that did what it should, and returns its id; empty:
// none is kept. A request does not fail for its receipt.
func (e *Engine) keepReceipt(ctx context.Context, s *workspaceState, r memory.Receipt) string {
	o := e.options()
	if o.Receipts.Off || o.ReadOnly {
		return ""
	}
	r.ID, r.At, r.IDs = uuid.NewString(), e.now(), r.IDs[:min(len(r.IDs), maxReceiptIDs)]
	err := s.db.Update(context.WithoutCancel(ctx), r.At, func(tx *index.Tx) error {
		return receipts.Put(tx, []memory.Receipt{r}, o.Receipts.Keep)
	})
	if err != nil {
		return ""
	}
	return r.ID
}
