package plan

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Executor carries out plans in one workspace. It writes what they declare into the front
// matter of the memories' files, or into the decisions file. What cannot be written stays in the
// index until it can be. It is not safe for concurrent use: the caller holds the lock of ingests.
type Executor struct {
	DB   *index.DB
	Zone *time.Location // of times without a zone in the files
	Name string         // of the workspace
	Dir  string         // its folder

	ReadOnly        bool // no file of the workspace may be written
	InDecisionsFile bool // entries belong into memory.DecisionsFile, not into their files
	Host            Host

	mu    sync.Mutex
	cause error // why the last destroy is not finished
}

// Host is what the executor needs of its workspace.
type Host interface {
	// Folder returns the open folder of the workspace.
	Folder() (*workspace.Workspace, error)
	// RefreshPaths indexes the present content of some files.
	RefreshPaths(ctx context.Context, now time.Time, paths []string) error
	// RefreshAll indexes the present content of all files.
	RefreshAll(ctx context.Context, now time.Time) error
	// WatchAppends carries over what is still appended to a file that was replaced.
	WatchAppends(*workspace.LateAppends)
	// PurgeCopies removes what is left of destroyed texts in backups and other copies of the index.
	PurgeCopies(context.Context) (notices []string, err error)
	// Snapshot saves what is decided about all memories, before a command that changes many.
	Snapshot(ctx context.Context, now time.Time, cause string) error
	// StepDone is called after each step that a crash may interrupt.
	StepDone(step string) error
}

// countText returns a number of memories, for a person.
func countText(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

// Apply carries out a plan, unless it is a preview, and returns what it
// changes.
func (f *Executor) Apply(ctx context.Context, now time.Time, p *Plan, r memory.DecideRequest) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: memory.Action(p.Action), Unchanged: p.Unchanged, Preview: r.Preview}
	if !r.Preview && len(p.Rows)+len(p.Texts) > 0 {
		if err := f.SnapshotBefore(ctx, now, r, p.Action, len(p.Rows)); err != nil {
			return memory.DecideAnswer{}, err
		}
		if err := f.CarryOut(ctx, now, p, ProgressOf(r)); err != nil {
			return memory.DecideAnswer{}, err
		}
		a.Notices, a.Batch = p.Notices, p.Batch
		declarations, err := f.DB.Declarations(ctx, p.IDs)
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		p.After = map[memory.ID]memory.Memory{}
		for _, decl := range declarations {
			p.After[decl.Memory.ID] = decl.Memory
		}
	}
	for _, id := range p.IDs {
		a.Changed = append(a.Changed, p.After[id])
		if a.Action == memory.ActionUndo && p.After[id].Missing && !p.before[id].Missing {
			a.Removed = append(a.Removed, id)
		}
	}
	return a, nil
}

// CarryOut carries out a plan. Its order makes every crash harmless: the texts are written
// first. Then one transaction hides what is to be hidden and records the intent. Then the
// declarations are written, and the last transaction removes the intent and writes the audit.
func (f *Executor) CarryOut(ctx context.Context, now time.Time, p *Plan, progress func(memory.Progress)) error {
	if p.IsDestroy() {
		return f.destroy(ctx, now, p, progress)
	}
	if err := f.precheck(ctx, p.Intent); err != nil {
		return err
	}
	if err := f.Write(ctx, now, p.Texts); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if p.Indexed != nil {
		if err := p.Indexed(ctx); err != nil {
			return err
		}
	}
	return f.declare(ctx, now, p, progress)
}

// declare writes the declarations and the rows of a plan.
func (f *Executor) declare(ctx context.Context, now time.Time, p *Plan, progress func(memory.Progress)) error {
	if len(p.Items)+len(p.ForgetTexts)+len(p.RestoreTexts) == 0 {
		return f.DB.Update(ctx, now, func(tx *index.Tx) error { return errors.Join(tx.Audit(p.Rows...), p.then(tx)) })
	}
	if err := f.DB.BeginIntent(ctx, now, p.Intent); err != nil {
		return err
	}
	notices, err := f.completeIntent(ctx, now, p.Intent, p.then, progress)
	p.Notices = append(p.Notices, notices...)
	return err
}

func (p *Plan) then(tx *index.Tx) error {
	if len(p.grades) > 0 {
		if err := tx.ReplaceGrades(p.grades); err != nil {
			return err
		}
	}
	for _, write := range p.Then {
		if err := write(tx); err != nil {
			return err
		}
	}
	return nil
}

// ProgressOf returns what a request reports its progress to.
func ProgressOf(r memory.DecideRequest) func(memory.Progress) {
	if r.Progress == nil {
		return func(memory.Progress) {}
	}
	return r.Progress
}
