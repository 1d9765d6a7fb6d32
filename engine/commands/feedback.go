package commands

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall/question"
)

// maxQuery bounds the question of a verdict, in bytes. A longer prompt is compared by its
// beginning.
const maxQuery = 2000

// Feedback carries out a verdict about a memory for a question.
func (c Commands) Feedback(ctx context.Context, now time.Time, v memory.Verdict, id memory.ID, query string) (a memory.ChangeAnswer, err error) {
	a.Action, a.Query = memory.AuditFeedback, query
	if err := c.Refresh(ctx, now, memory.AuditFeedback, []memory.ID{id}); err != nil {
		return a, err
	}
	p, err := c.planFeedback(ctx, now, v, id)
	if err != nil {
		return a, err
	}
	if v != memory.VerdictNever {
		p.Then = append(p.Then, func(tx *index.Tx) error {
			return tx.AddFeedback(p.Batch, memory.Feedback{ID: id, Verdict: v, Query: query})
		})
	}
	changed, err := c.Apply(ctx, now, p, memory.DecideRequest{})
	a.Changed, a.Batch, a.Notices = changed.Changed, changed.Batch, changed.Notices
	return a, err
}

// QueryOf returns the question of a verdict: that of the request, or what was asked in the
// recall that injected the memory.
func (c Commands) QueryOf(ctx context.Context, r memory.FeedbackRequest, kept receipts.List, id memory.ID) (string, error) {
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
		if query = c.Uses.Prompt(receipt.ID); query == "" {
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

// planFeedback plans what a verdict about a memory declares. Never again labels the memory and the
// copies of its text as to be ignored. The others declare nothing and are in the audit.
func (c Commands) planFeedback(ctx context.Context, now time.Time, v memory.Verdict, id memory.ID) (*plan.Plan, error) {
	p := plan.New(now, memory.AuditFeedback, "", false)
	about, err := c.DB.Declarations(ctx, []memory.ID{id})
	if err != nil || len(about) == 0 {
		return p, err
	}
	if v != memory.VerdictNever {
		p.RecordChange(about[0].Memory, about[0].Memory)
	} else if err := c.ignore(ctx, p, about[0]); err != nil {
		return nil, err
	}
	for i := range p.Rows {
		p.Rows[i].New["verdict"] = v
	}
	return p, nil
}

// ignore labels a memory and the copies of its text as to be ignored, as far as they are not.
func (c Commands) ignore(ctx context.Context, p *plan.Plan, about index.Declarations) error {
	if about.Memory.ImportanceLabel == memory.ImportanceIgnore {
		return memory.Conflict("%s", memory.AlreadyIgnored).WithHint("memory undo reverses the verdict; a label in its file has to be removed there")
	}
	copies, err := c.DB.DeclarationsOfCopies(ctx, []memory.ID{about.Memory.ID})
	if err != nil {
		return err
	}
	for i, decl := range append([]index.Declarations{about}, copies...) {
		m := decl.Memory
		if i > 0 && m.ID == about.Memory.ID || m.ImportanceLabel == memory.ImportanceIgnore {
			continue
		}
		declared, after := decl.Own, m
		declared.ImportanceLabel, after.ImportanceLabel = memory.ImportanceIgnore, memory.ImportanceIgnore
		p.Change(decl, declared, after)
	}
	return nil
}
