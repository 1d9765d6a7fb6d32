package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Index checks the index of one workspace, and mends what it can.
type Index struct {
	*plan.Executor
	Path string // of the database
	Now  time.Time
	Lock func(context.Context) (unlock func(), err error) // holds off decisions and ingests
}

// Damage checks a copy of the database. Each kind of damage is a check of its own.
func (x Index) Damage(ctx context.Context) (findings []memory.Finding, err error) {
	if damaged := FindingOf(x.DB.Damage(), "the database is damaged", "memory index --force"); damaged != nil {
		return damaged, nil
	}
	problems, err := x.DB.Diagnose(ctx)
	for _, p := range problems {
		findings = append(findings, memory.Finding{Check: p.Check, Severity: memory.SeverityError, Message: p.Err.Error(), Fix: "memory index --force"})
	}
	return findings, err
}

// DamagedForgotten finds lists of forgotten texts that were set aside.
func (x Index) DamagedForgotten(context.Context) (findings []memory.Finding, err error) {
	for _, notice := range damagedForgotten(x.DB) {
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: notice,
			Fix: fmt.Sprintf("forget them again, or put a copy of %s from a backup of yours in its place while no service runs; then delete the damaged file",
				filepath.Base(index.ForgottenFile(x.Path)))})
	}
	return findings, nil
}

// SuccessorMistakes finds values of superseded_by that name no text, or lead back.
func (x Index) SuccessorMistakes(ctx context.Context) (findings []memory.Finding, err error) {
	found, err := store.SuccessionNotices(ctx, x.DB)
	for _, notice := range found {
		findings = append(findings, memory.Finding{Severity: memory.SeverityWarning, Message: notice, Fix: "correct superseded_by in these lines"})
	}
	return findings, err
}

// Held reports that no memory ages, because the clock is not believed or a sweep
// would move too much.
func (x Index) Held(ctx context.Context) ([]memory.Finding, error) {
	state, err := x.DB.SweepState(ctx)
	if err != nil {
		return nil, err
	}
	if held := ageing.HeldReason(state, x.Now); held != nil {
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "no memory ages: " + *held, Fix: "memory decay run --yes"}}, nil
	}
	return nil, nil
}

// ReadOnlyFolder finds a folder that cannot be written.
func ReadOnlyFolder(folder *workspace.Workspace, name string) (findings []memory.Finding) {
	for _, notice := range ReadOnlyNotices(folder) {
		findings = append(findings, memory.Finding{Severity: memory.SeverityWarning, Message: notice,
			Fix: "make the folder writable, or memory config set workspaces." + name + ".readOnly true"})
	}
	return findings
}

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
	_, pending, err := x.PendingNotice(ctx, x.Now)
	if err != nil {
		return nil, err
	}
	add(memory.SeverityWarning, pending)
	due, err := x.DueNotice(ctx)
	add(memory.SeverityWarning, due)
	return findings, err
}

// MendUnwritten finishes interrupted decisions and writes the lines where they belong.
func (x Index) MendUnwritten(ctx context.Context) error {
	if x.ReadOnly {
		return plan.ReadOnlyError(x.Name, memory.ErrConflict)
	}
	if err := x.FinishIntents(ctx, x.Now, true); err != nil {
		return err
	}
	_, err := x.WritePending(ctx, x.Now)
	x.WriteDue(ctx, x.Now) // what it could not do is found again
	return err
}
