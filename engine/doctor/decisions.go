package doctor

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/index"
)

// Unwritten finds decisions that are interrupted, or not in the file that they
// belong to.
func (x Index) Unwritten(ctx context.Context) (findings []memory.Finding, err error) {
	add := func(severity memory.Severity, message string) {
		if message != "" {
			findings = append(findings, memory.Finding{Severity: severity, Message: message})
		}
	}
	unlock, err := x.Lock(ctx) // a running decision is not interrupted
	if err != nil {
		return nil, err
	}
	defer unlock()
	open, err := x.DB.Intents(ctx)
	if err != nil {
		return nil, err
	}
	if len(open) > 0 {
		add(memory.SeverityError, fmt.Sprintf("%d decisions were interrupted and are not finished", len(open)))
	}
	_, pending, err := x.Decisions.PendingNotice(ctx, x.Now)
	if err != nil {
		return nil, err
	}
	add(memory.SeverityWarning, pending)
	due, err := x.Decisions.DueNotice(ctx)
	add(memory.SeverityWarning, due)
	return findings, err
}

// MendUnwritten finishes interrupted decisions and writes the lines where they belong.
func (x Index) MendUnwritten(ctx context.Context) error {
	if x.Decisions.ReadOnly {
		return decisions.ReadOnlyError(x.Name, memory.ErrConflict)
	}
	if err := x.Decisions.FinishIntents(ctx, x.Now, true); err != nil {
		return err
	}
	_, err := x.Decisions.WritePending(ctx, x.Now)
	x.Decisions.WriteDue(ctx, x.Now) // what it could not do is found again
	return err
}

// StaleQuotes finds entries whose texts were edited since. In a new index, such an
// entry may match no memory.
func (x Index) StaleQuotes(ctx context.Context) ([]memory.Finding, error) {
	n := 0
	err := x.DB.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if decisions.IsStale(q.Quote, q.Text) {
			n++
		}
	})
	if n == 0 || err != nil {
		return nil, err
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: fmt.Sprintf("the quotes of %d decisions are older than their texts", n)}}, nil
}

// MendQuotes writes the present quotes of all entries whose texts were edited.
func (x Index) MendQuotes(ctx context.Context) error {
	if x.Decisions.ReadOnly {
		return decisions.ReadOnlyError(x.Name, memory.ErrConflict)
	}
	return x.Decisions.RefreshAllQuotes(ctx, x.Now)
}
