package plan

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/verify"
)

// containsAny returns a function that reports whether a text contains one of these.
func containsAny(texts []string) func(string) bool {
	matcher := verify.NewMatcher(texts...)
	return func(text string) bool { return matcher.Index([]byte(text)) >= 0 }
}

// PlanDestroy adds to a plan that memories are destroyed: all that is needed to carry it out, but
// no text. It refuses what cannot be carried out, before anything changes.
func (f *Executor) PlanDestroy(ctx context.Context, p *Plan, all []memory.Memory) error {
	paths := map[string]bool{}
	for _, m := range all {
		p.Destroy = append(p.Destroy, m.ID)
		if !m.Forgotten {
			p.ForgetTexts = append(p.ForgetTexts, m.ID) // hides it from every answer at once
		}
		if !m.Missing {
			paths[m.Path] = true
		}
		p.Rows = append(p.Rows, memory.AuditRow{At: p.At, Action: p.Action, ID: m.ID, Source: p.Source, Batch: p.Batch,
			Old: map[string]any{"destroyed": false}, New: map[string]any{"destroyed": true}})
	}
	r, err := f.newRemover(ctx, p.Intent)
	if err != nil {
		return err
	}
	for path := range r.entries {
		paths[path] = true
	}
	p.Paths = slices.Sorted(maps.Keys(paths))
	for _, path := range p.Paths {
		if err := r.check(path); err != nil {
			return err
		}
	}
	return nil
}

// destroy carries out a plan that destroys memories. Once begun, it ignores cancellation.
func (f *Executor) destroy(ctx context.Context, now time.Time, p *Plan, progress func(memory.Progress)) error {
	ctx = context.WithoutCancel(ctx)
	texts, err := f.Texts(ctx, p.Destroy)
	if err == nil {
		err = f.DB.BeginIntent(ctx, now, p.Intent)
	}
	if err != nil {
		return err
	}
	d := destruction{Executor: f, now: now, contains: containsAny(texts), progress: progress}
	p.Notices, err = d.run(ctx, p.Intent)
	return err
}

// destruction carries out one intent, from whatever step an earlier run reached.
type destruction struct {
	*Executor
	now      time.Time
	contains func(string) bool // reports whether a text contains one of the destroyed texts
	resumed  bool              // an earlier run began it
	progress func(memory.Progress)
}

// run takes the steps in an order that makes every crash harmless. First come the
// files, then the tables, then the free pages and copies of the tables. The intent
// goes last. If a file cannot be edited, its memories stay and remain forgotten,
// failed has the reason, and the intent remains for them.
func (d *destruction) run(ctx context.Context, intent index.Intent) (notices []string, err error) {
	var failed error
	if len(intent.Destroy) > 0 {
		var stay map[memory.ID]bool
		if stay, failed, err = d.removeTexts(ctx, intent); err != nil {
			return nil, unfinishedDestroy(err)
		}
		if err := d.DB.Update(ctx, d.now, func(tx *index.Tx) (err error) {
			intent, err = tx.Destroy(intent, stay, d.contains)
			return err
		}); err != nil {
			return nil, unfinishedDestroy(err)
		}
	}
	d.noteUnfinished(nil)
	if failed != nil {
		d.noteUnfinished(unfinishedDestroy(failed))
	}
	if !intent.TextsRemoved {
		return nil, failed
	}
	if err = d.Host.StepDone("tables"); err == nil {
		notices, err = d.sweep(ctx, intent)
	}
	if err != nil {
		return notices, errors.Join(err, failed)
	}
	return notices, failed
}

// sweep removes what the deleted rows left in the database and in its copies.
func (d *destruction) sweep(ctx context.Context, intent index.Intent) (notices []string, err error) {
	for i, step := range []struct {
		name string
		run  func() error
	}{
		{"sweep", func() error { return d.DB.Scrub(ctx) }},
		{"copies", func() (err error) { notices, err = d.Host.PurgeCopies(ctx); return err }},
		{"intent", func() error {
			return d.DB.Update(ctx, d.now, func(tx *index.Tx) error { return tx.FinishDestroy(intent) })
		}},
	} {
		d.progress(memory.Progress{Stage: "sweep", Done: i, Total: 3})
		if err := step.run(); err != nil {
			return notices, unfinishedDestroy(err)
		}
		if err := d.Host.StepDone(step.name); err != nil {
			return notices, err
		}
	}
	return notices, nil
}

// unfinishedDestroy returns the error of an interrupted destroy, with a hint about
// how it continues.
func unfinishedDestroy(err error) error {
	return becauseOf(err, "destroy has begun and is not finished",
		"remove the cause; destroy then continues with the next decision or the next start, and memory verify lists what is left")
}

// removeTexts removes the texts from every file. It returns the memories that stay,
// because a file could not be edited or still contains their text, and the reason.
func (d *destruction) removeTexts(ctx context.Context, intent index.Intent) (stay map[memory.ID]bool, failed, err error) {
	if err := d.Host.StepDone("begin"); err != nil {
		return nil, nil, err
	}
	r, err := d.newRemover(ctx, intent)
	if err != nil {
		return nil, nil, err
	}
	r.resumed = d.resumed
	before, err := d.WithCopies(ctx, intent.Destroy)
	if err != nil {
		return nil, nil, err
	}
	paths := pathsToEdit(intent, before)
	fileErrs := map[string]error{}
	for i, path := range paths {
		if err := r.removeFrom(path); err != nil {
			fileErrs[path] = err
		}
		d.progress(memory.Progress{Stage: "write", Done: i + 1, Total: len(paths)})
		if err := d.Host.StepDone("file"); err != nil {
			return nil, nil, err
		}
	}
	if stay, err = d.inFailedFiles(ctx, before, fileErrs); err != nil {
		return nil, nil, err
	}
	if err := d.Host.RefreshPaths(ctx, d.now, paths); err != nil {
		return nil, nil, err
	}
	failed, err = d.addPresent(ctx, intent, stay, fileErrs)
	return stay, failed, errors.Join(err, d.Host.StepDone("index"))
}

// resumeDestroy continues an interrupted destroy. If it cannot finish, the intent stays and its
// memories remain forgotten until the next try.
func (f *Executor) resumeDestroy(ctx context.Context, now time.Time, intent index.Intent) error {
	texts, err := f.Texts(ctx, intent.Destroy)
	if err != nil {
		return err
	}
	f.noteUnfinished(nil)
	d := destruction{Executor: f, now: now, contains: containsAny(texts), resumed: true, progress: func(memory.Progress) {}}
	_, err = d.run(context.WithoutCancel(ctx), intent)
	var known *memory.Error
	if errors.As(err, &known) {
		if f.UnfinishedDestroy() == nil {
			f.noteUnfinished(err)
		}
		return nil
	}
	return err
}
