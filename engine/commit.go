package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// maxWriteTries is how often a decision begins again after someone else wrote the
// same file: more would compete with a program that writes all the time.
const maxWriteTries = 3

// refresh indexes the files that memories stand in, or are spoken of in, as
// they are now; for a destroying, which is to find every copy, all files.
func (s *workspaceState) refresh(ctx context.Context, now time.Time, action memory.Action, ids []memory.ID) error {
	if action == memory.ActionDestroy {
		_, err := s.ingestLocked(ctx, now, nil, false, func(memory.Progress) {})
		return err
	}
	stances, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return err
	}
	return s.refreshPaths(ctx, now, pathsOf(stances))
}

func (s *workspaceState) refreshPaths(ctx context.Context, now time.Time, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := s.ingestLocked(ctx, now, paths, false, func(memory.Progress) {})
	return err
}

func pathsOf(stances []index.Declarations) (paths []string) {
	for _, st := range stances {
		if !st.Memory.Missing {
			paths = append(paths, st.Memory.Path)
		}
		for _, l := range st.Entries {
			paths = append(paths, l.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// commit writes a plan into the files. The order makes every crash harmless:
// what is to be hidden is hidden and the intent noted, then the files change,
// then the intent goes. Once begun it is not interrupted.
func (s *workspaceState) commit(ctx context.Context, now time.Time, p *plan, progress func(memory.Progress)) (notices []string, err error) {
	if err := s.precheck(ctx, p.Intent); err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.BeginIntent(p.Intent) }); err != nil {
		return nil, err
	}
	return s.completeIntent(ctx, now, p.Intent, progress)
}

// completeIntent writes what an intent says into files and ends it. Where some files
// fail, what is in the others holds, and the rest is as it was. An intent that
// the index can neither note as done nor take back stays, and is completed by the
// next look at the files.
func (s *workspaceState) completeIntent(ctx context.Context, now time.Time, in index.Intent, progress func(memory.Progress)) ([]string, error) {
	w := writer{workspaceState: s, now: now, items: in.Items, progress: progress, sidecarOnly: map[memory.ID]string{}, failed: map[memory.ID]error{}}
	if err := w.run(ctx); err != nil {
		return nil, unfinishedIntent(in, err)
	}
	done, undone := splitIntent(in, w.failed)
	aside := map[memory.ID]bool{}
	for id := range w.sidecarOnly {
		aside[id] = true
	}
	err := s.db.Update(ctx, now, func(tx *index.Tx) error {
		if len(undone.Items) > 0 {
			if err := tx.AbandonIntent(undone); err != nil {
				return err
			}
		}
		return tx.FinishIntent(done, aside)
	})
	if err != nil {
		return nil, unfinishedIntent(in, err)
	}
	return w.notices(), w.firstFailure(len(done.Items))
}

// unfinishedIntent says that an intent is neither done nor taken back.
func unfinishedIntent(in index.Intent, err error) error {
	var known *memory.Error
	if !errors.As(err, &known) {
		return fmt.Errorf("finish %s: %w", in.Action, err)
	}
	return &memory.Error{Kind: known.Kind, Message: in.Action + " has begun and could not be finished", Cause: err,
		Hint: "it is finished as soon as the index can be written again; memory undo takes it back then"}
}

// splitIntent parts an intent into what was written and what was not.
func splitIntent(in index.Intent, failed map[memory.ID]error) (done, undone index.Intent) {
	done, undone = in, in
	isDone := func(id memory.ID) bool { return failed[id] == nil }
	done.Items, undone.Items, done.Rows, undone.Rows = nil, nil, nil, nil
	for _, item := range in.Items {
		if isDone(item.ID) {
			done.Items = append(done.Items, item)
		} else {
			undone.Items = append(undone.Items, item)
		}
	}
	for _, row := range in.Rows {
		if isDone(row.ID) && (len(done.Items) > 0 || len(in.Items) == 0) {
			done.Rows = append(done.Rows, row)
		}
	}
	for _, list := range []struct{ all, done, undone *[]memory.ID }{{&in.ForgetTexts, &done.ForgetTexts, &undone.ForgetTexts}, {&in.RestoreTexts, &done.RestoreTexts, &undone.RestoreTexts}} {
		*list.done, *list.undone = nil, nil
		for _, id := range *list.all {
			if isDone(id) {
				*list.done = append(*list.done, id)
			} else {
				*list.undone = append(*list.undone, id)
			}
		}
	}
	return done, undone
}

func (w *writer) firstFailure(done int) error {
	for _, item := range w.items {
		err := w.failed[item.ID]
		var known *memory.Error
		switch {
		case err == nil:
		case done > 0 && errors.As(err, &known):
			return &memory.Error{Kind: known.Kind, Message: fmt.Sprintf("%d of %d memories were not changed", len(w.failed), len(w.items)),
				Hint: known.Hint, Cause: err}
		default:
			return err
		}
	}
	return nil
}

// finishIntents carries out what was cut short: all of it, or the decisions alone.
func (s *workspaceState) finishIntents(ctx context.Context, now time.Time, all bool) error {
	open, err := s.db.Intents(ctx)
	if err != nil {
		return err
	}
	for _, in := range open {
		if len(in.Destroy) > 0 {
			if !all {
				continue
			}
			if err := s.resumeDestroy(ctx, now, in); err != nil {
				return fmt.Errorf("finish what %s began: %w", in.Action, err)
			}
			continue
		}
		var ids []memory.ID
		for _, item := range in.Items {
			ids = append(ids, item.ID)
		}
		if err := s.refresh(ctx, now, memory.Action(in.Action), ids); err != nil {
			return err
		}
		if _, err := s.completeIntent(context.WithoutCancel(ctx), now, in, func(memory.Progress) {}); err != nil && !errors.Is(err, memory.ErrConflict) {
			return fmt.Errorf("finish what %s began: %w", in.Action, err)
		}
	}
	return nil
}

// resumeIntents carries out what a crash or a full disk cut short: a start all of it, a
// look at the files the decisions alone, as destroying is much work to try again.
// A folder that is not there keeps nobody from being answered; the next decision
// tries again.
func (s *workspaceState) resumeIntents(ctx context.Context, now time.Time, all bool) error {
	if err := s.finishIntents(ctx, now, all); err != nil && !errors.Is(err, memory.ErrUnavailable) {
		return err
	}
	return nil
}
