// Package verdicts stores what a person thinks of a memory that a model got. It decides which
// question a verdict is about, and what it declares.
package verdicts

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/uses"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall/question"
)

// Verdicts are the verdicts about the memories of one workspace.
type Verdicts struct {
	DB        *index.DB
	Decisions *decisions.Files
	Uses      *uses.Buffer
}

// maxQuery bounds the question of a verdict, in bytes. A longer prompt is compared by its
// beginning.
const maxQuery = 2000

// Give carries out a verdict for a question. The caller holds the lock of ingests.
func (s Verdicts) Give(ctx context.Context, now time.Time, v memory.Verdict, id memory.ID, query string) (a memory.ChangeAnswer, err error) {
	a.Action, a.Query = memory.AuditFeedback, query
	if err := s.Decisions.Refresh(ctx, now, memory.AuditFeedback, []memory.ID{id}); err != nil {
		return a, err
	}
	p, err := planOf(ctx, s.DB, now, v, id)
	if err != nil {
		return a, err
	}
	changed, err := s.Decisions.Apply(ctx, now, p, memory.DecideRequest{})
	if err != nil {
		return a, err
	}
	a.Changed, a.Batch, a.Notices = changed.Changed, changed.Batch, changed.Notices
	if v != memory.VerdictNever {
		err = s.DB.Update(ctx, now, func(tx *index.Tx) error {
			return tx.AddFeedback(a.Batch, memory.Feedback{ID: id, Verdict: v, Query: query})
		})
	}
	return a, err
}

// Query returns the question of a verdict: that of the request, or what was asked in the
// recall that injected the memory.
func (s Verdicts) Query(ctx context.Context, r memory.FeedbackRequest, kept receipts.List, id memory.ID) (string, error) {
	query := strings.TrimSpace(strings.ToValidUTF8(r.Query, ""))
	switch {
	case r.Verdict == "":
		return "", memory.Invalid("verdict", "the verdict is missing").WithHint("one of: wrong, useful, never")
	case query != "" && r.Receipt != "":
		return "", memory.Invalid("receipt", "a receipt already has its query").WithHint("leave out either receipt or query")
	case r.Verdict == memory.VerdictNever && query != "":
		return "", memory.Invalid("query", "never holds for all questions").WithHint("leave out query, or say wrong")
	case r.Verdict == memory.VerdictNever:
		return "", nil
	}
	if query == "" {
		receipt, err := receiptThatGave(ctx, kept, r.Receipt, id)
		if err != nil {
			return "", err
		}
		if query = s.Uses.Prompt(receipt.ID); query == "" {
			return "", &memory.Error{Kind: memory.ErrNotFound, Field: "query", Message: "the prompt of that recall is not known any more",
				Hint: "give the question: --query; a prompt is only in the memory of the service that answered it"}
		}
	}
	if query = query[:min(len(query), maxQuery)]; question.IsTrivial(query) {
		return "", memory.Invalid("query", "the question has no word that names a thing").WithHint("give a question with the words that matter")
	}
	return strings.ToValidUTF8(query, ""), nil
}

// receiptThatGave returns the receipt with an id, or the newest one that lists the memory as
// injected.
func receiptThatGave(ctx context.Context, kept receipts.List, id string, given memory.ID) (memory.Receipt, error) {
	if id != "" {
		return kept.FindOne(ctx, memory.View{}, id, "")
	}
	all, err := kept.Find(ctx, memory.View{}, memory.ReceiptsRequest{}, memory.ReceiptRecall, memory.ReceiptSearch)
	if err != nil {
		return memory.Receipt{}, err
	}
	for _, receipt := range all {
		if receipts.Injects(receipt, given) {
			return receipt, nil
		}
	}
	return memory.Receipt{}, &memory.Error{Kind: memory.ErrNotFound, Field: "query", Message: "no recall has injected " + given.Short(),
		Hint: "give the question that it is wrong or useful for: --query"}
}
