package engine

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall/question"
)

// maxFeedbackQuery bounds the question of a verdict, in bytes. A longer prompt is compared
// by its beginning.
const maxFeedbackQuery = 2000

// Feedback stores what a person thinks of a memory that a model got. Never again is a
// declaration in its file, also for the copies of its text. Wrong and useful are rows of the
// index, which count for questions like the one that was asked.
func (e *Engine) Feedback(ctx context.Context, r memory.FeedbackRequest) (memory.ChangeAnswer, error) {
	a := memory.ChangeAnswer{Action: memory.AuditFeedback}
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return a, err
	}
	m, err := lookup.Find(ctx, s.db, r.ID)
	if err != nil {
		return a, err
	}
	if a.Query, err = e.feedbackQuery(ctx, s, r, m.ID); err != nil {
		return a, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return a, err
	}
	defer unlock()
	return a, s.feedback(ctx, e.now(), r.Verdict, m.ID, &a)
}

// feedback carries out a verdict. The caller holds the lock of ingests.
func (s *workspaceState) feedback(ctx context.Context, now time.Time, v memory.Verdict, id memory.ID, a *memory.ChangeAnswer) error {
	if err := s.decisions.FinishIntents(ctx, now, true); err != nil {
		return err
	}
	if err := s.decisions.Refresh(ctx, now, memory.AuditFeedback, []memory.ID{id}); err != nil {
		return err
	}
	p, err := plan.ForVerdict(ctx, s.db, now, v, id)
	if err != nil {
		return err
	}
	changed, err := s.decisions.Apply(ctx, now, p, memory.DecideRequest{})
	if err != nil {
		return err
	}
	a.Changed, a.Batch, a.Notices = changed.Changed, changed.Batch, changed.Notices
	if v == memory.VerdictNever {
		return s.db.Show(ctx, memory.View{}, a.Changed)
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error {
		return tx.AddFeedback(a.Batch, memory.Feedback{ID: id, Verdict: v, Query: a.Query})
	})
}

// feedbackQuery returns the question of a verdict: that of the request, or what was asked in
// the recall that injected the memory.
func (e *Engine) feedbackQuery(ctx context.Context, s *workspaceState, r memory.FeedbackRequest, id memory.ID) (string, error) {
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
		receipt, err := e.receiptThatGave(ctx, s, r.Receipt, id)
		if err != nil {
			return "", err
		}
		if query = s.uses.Prompt(receipt.ID); query == "" {
			return "", &memory.Error{Kind: memory.ErrNotFound, Field: "query", Message: "the prompt of that recall is not known any more",
				Hint: "give the question: --query; a prompt is only in the memory of the service that answered it"}
		}
	}
	if query = query[:min(len(query), maxFeedbackQuery)]; question.IsTrivial(query) {
		return "", memory.Invalid("query", "the question has no word that names a thing").WithHint("give a question with the words that matter")
	}
	return strings.ToValidUTF8(query, ""), nil
}

// receiptThatGave returns the receipt with an id, or the newest one that lists the memory as
// injected.
func (e *Engine) receiptThatGave(ctx context.Context, s *workspaceState, id string, given memory.ID) (memory.Receipt, error) {
	kept := e.receiptsOf(ctx, s)
	if id != "" {
		return kept.FindOne(ctx, memory.View{}, id, "")
	}
	all, err := kept.Find(ctx, memory.View{}, memory.ReceiptsRequest{}, memory.ReceiptCapture)
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
