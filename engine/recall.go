package engine

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// Recall gives what to put before a model that gets a prompt.
func (e *Engine) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	begin := time.Now()
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	at, past, err := resolveAsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	current, err := s.db.Context(ctx, at)
	if err != nil {
		return memory.RecallAnswer{}, err
	}
	p := recall.Prompt{Text: r.Prompt, MaxItems: r.MaxItems, MaxTokens: r.MaxTokens, InPrompt: r.InPrompt,
		Context: current, Predicate: memory.Predicate{Scope: r.Scope}}
	if !e.o.AutoRecall {
		p.MaxItems = new(int) // no memories; the context goes before the prompt all the same
	}
	if past {
		p.Predicate.AsOf = at
	}
	var answer memory.RecallAnswer
	var trace recall.Trace
	if err := s.withModel(func(r *recall.Recaller) (err error) {
		answer, trace, err = r.Recall(ctx, at, p)
		return err
	}); err != nil {
		return memory.RecallAnswer{}, err
	}
	answer.Stale = e.o.ReadOnly
	answer.TookMS = millisecondsSince(begin)
	if record := r.Record == nil || *r.Record; record && !past && !e.o.ReadOnly {
		answer.Receipt = uuid.NewString()
		s.uses.addOffer(answer.Receipt, r.Session, answer.Hits, e.receiptIfKept(func() memory.Receipt { return e.recallReceipt(s, r, at, answer, trace) }))
	}
	return answer, nil
}

// receiptIfKept is a receipt, where they are kept.
func (e *Engine) receiptIfKept(receipt func() memory.Receipt) *memory.Receipt {
	if e.o.Receipts.Off {
		return nil
	}
	r := receipt()
	return &r
}

// Search gives the memories that answer a query, best first.
func (e *Engine) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	begin := time.Now()
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	at, past, err := resolveAsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	if past && r.Record {
		return memory.SearchAnswer{}, memory.Invalid("as_of", "a search as of another time records nothing").
			WithHint("leave out either as_of or record")
	}
	p, err := resolveFilter(r.Filter, s.Zone)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	if past {
		p.AsOf = at
	}
	if r.Forgotten {
		p.Forgotten = memory.Include
	}
	limit, err := resolveLimit(r.Limit, recall.DefaultLimit, recall.MaxLimit)
	if err != nil {
		return memory.SearchAnswer{}, err
	}
	var answer memory.SearchAnswer
	ask := recall.SearchOptions{Text: r.Query, Lane: r.Lane, Predicate: p, Limit: limit, Explain: r.Explain}
	if err := s.withModel(func(r *recall.Recaller) (err error) {
		answer, err = r.Search(ctx, at, ask)
		return err
	}); err != nil {
		return memory.SearchAnswer{}, err
	}
	answer.Stale = e.o.ReadOnly
	answer.TookMS = millisecondsSince(begin)
	if r.Record && !e.o.ReadOnly {
		answer.Receipt = uuid.NewString()
		s.uses.addOffer(answer.Receipt, r.Session, answer.Hits, e.receiptIfKept(func() memory.Receipt { return e.searchReceipt(s, r, at, answer, limit) }))
	}
	return answer, nil
}

// Delivered says that the answer with this receipt has reached its reader: what
// it held has been used.
func (e *Engine) Delivered(_ context.Context, workspace, receipt string) error {
	s, err := e.lookup(workspace)
	if err == nil {
		s.uses.confirm(receipt, e.now())
	}
	return err
}

// maxAnswer is how many memories one answer holds at most.
const maxAnswer = 10_000

// resolveLimit reads a limit: 0 means as many as an answer may hold.
func resolveLimit(limit *int, otherwise, most int) (int, error) {
	switch {
	case limit == nil:
		return otherwise, nil
	case *limit < 0:
		return 0, memory.Invalid("limit", "a limit of %d makes no sense", *limit).WithHint("0 means no limit")
	case *limit == 0 || *limit > most:
		return most, nil
	}
	return *limit, nil
}
