package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
)

// A decision is pending while it is only in the index: its file could not be
// written, or did not exist.

// WritePending writes the pending decisions of every workspace whose files can be
// written now, and returns how many it wrote. A running service calls it often.
func (e *Engine) WritePending(ctx context.Context) (written int, err error) {
	if e.options().ReadOnly {
		return 0, nil
	}
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr != nil || s.isDiskFull() || s.Options.ReadOnly {
			continue
		}
		n, err := s.writePendingAlone(ctx, e.now())
		written, errs = written+n, append(errs, err)
	}
	return written, errors.Join(errs...)
}

// writePendingAlone is writePendingUnlessBusy while no ingest runs. It waits for none
// if nothing is pending.
func (s *workspaceState) writePendingAlone(ctx context.Context, now time.Time) (written int, err error) {
	if ids, err := s.db.PendingDecisions(ctx); err != nil || len(ids) == 0 {
		return 0, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return s.writePendingUnlessBusy(ctx, now)
}

// writePendingUnlessBusy writes the pending decisions, but no file that git is
// changing at the moment.
func (s *workspaceState) writePendingUnlessBusy(ctx context.Context, now time.Time) (written int, err error) {
	if git.Find(s.Dir).Busy() {
		return 0, nil
	}
	return s.writePending(ctx, now)
}

// writePending writes the pending decisions whose files can be written now. Their
// rows in the index are removed after the files are on disk, so the next call
// continues an interrupted one.
func (s *workspaceState) writePending(ctx context.Context, now time.Time) (written int, err error) {
	if s.Options.ReadOnly {
		return 0, nil
	}
	w, err := s.pendingWriter(ctx, now)
	if err != nil || len(w.items) == len(w.sidecarOnly) {
		return 0, err
	}
	ctx = context.WithoutCancel(ctx)
	if err := w.run(ctx); err != nil {
		return 0, err
	}
	var done []index.IntentItem
	var ids []memory.ID
	for _, item := range w.items {
		if _, unwritten := w.sidecarOnly[item.ID]; !unwritten && w.failed[item.ID] == nil {
			done, ids = append(done, item), append(ids, item.ID)
		}
	}
	if err := errors.Join(w.unsynced, s.stepDone("pending written")); err != nil || len(done) == 0 {
		return 0, err
	}
	if err := s.syncFiles(ctx, ids); err != nil {
		return 0, err
	}
	return len(done), s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.DropWritten(done) })
}

// pendingWriter returns a writer for the pending decisions. Those whose files cannot
// be written are marked as sidecarOnly, with the reason.
func (s *workspaceState) pendingWriter(ctx context.Context, now time.Time) (*writer, error) {
	w := &writer{workspaceState: s, now: now, progress: func(memory.Progress) {},
		sidecarOnly: map[memory.ID]string{}, failed: map[memory.ID]error{}}
	ids, err := s.db.PendingDecisions(ctx)
	if err != nil || len(ids) == 0 {
		return w, err
	}
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	unfinished, err := s.unfinished(ctx)
	if err != nil {
		return nil, err
	}
	for _, decl := range declarations {
		w.items = append(w.items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: decl.Own, Sidecar: decl.Sidecar})
		if unfinished[decl.Memory.ID] {
			w.sidecarOnly[decl.Memory.ID] = "another decision about it is not finished"
		}
	}
	return w, w.skipUnwritable(ctx)
}

// unfinished returns the memories of interrupted commands, which are completed first.
func (s *workspaceState) unfinished(ctx context.Context) (map[memory.ID]bool, error) {
	open, err := s.db.Intents(ctx)
	ids := map[memory.ID]bool{}
	for _, in := range open {
		for _, item := range in.Items {
			ids[item.ID] = true
		}
		for _, id := range slices.Concat(in.ForgetTexts, in.RestoreTexts, in.Destroy) {
			ids[id] = true
		}
	}
	return ids, err
}

// skipUnwritable marks the decisions whose files cannot be written, so that run
// leaves these files alone.
func (w *writer) skipUnwritable(ctx context.Context) error {
	edits, err := w.planEdits(ctx)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		reason := ""
		if folder, err := w.openFolder(); err != nil {
			return err
		} else if reason, err = w.editObstacle(folder, path, edits[path]); err != nil {
			reason = err.Error()
		} else if reason != "" {
			reason = path + " " + reason
		}
		if reason == "" {
			continue
		}
		for _, id := range edits[path].ids() {
			w.sidecarOnly[id] = reason
		}
	}
	return nil
}

// readOnlyError is the error, of some kind, for writing to a workspace that the
// configuration marks as read-only.
func (s *workspaceState) readOnlyError(kind error) error {
	return &memory.Error{Kind: kind, Message: fmt.Sprintf("the workspace %s is read-only; nothing was changed", s.Name),
		Hint: fmt.Sprintf("the setting workspaces.%s.readOnly makes it so; memory config set workspaces.%s.readOnly false allows to write", s.Name, s.Name)}
}

// editObstacle returns why a file may not be edited, such as "cannot be written";
// empty if it may. An error means that the edit is not possible now.
func (s *workspaceState) editObstacle(folder *workspaceFolder, path string, e fileEdit) (reason string, err error) {
	src, _, err := readForEdit(folder, path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fileChanged(path)
	}
	if err != nil {
		return "", err
	}
	_, err = applyChanges(path, src, s.Zone, e.changes)
	if reason = readOnlyReason(err); reason == "" && err != nil {
		return "", err
	}
	if s.Options.ReadOnly {
		return "belongs to a read-only workspace", nil
	}
	if obstacle := readOnlyReason(folder.WriteObstacle(path)); obstacle != "" {
		return obstacle, nil
	}
	return reason, nil
}

// pendingNotice reports how many memories have pending decisions, and why.
func (s *workspaceState) pendingNotice(ctx context.Context, now time.Time) (n int, notice string, err error) {
	w, err := s.pendingWriter(ctx, now)
	if w == nil || len(w.items) == 0 {
		return 0, "", err
	}
	var reasons []string
	for _, item := range w.items {
		if reason := w.sidecarOnly[item.ID]; reason != "" && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	const shown = 3 // enough to see the cause
	if more := len(reasons) - shown; more > 0 {
		reasons = append(reasons[:shown:shown], fmt.Sprintf("%d more", more))
	}
	notice = "decisions about " + countText(len(w.items)) + " are kept in the index only"
	switch { // after an error, the folder is not there, which status reports
	case err == nil && len(reasons) == 0:
		notice += "; the next index pass or decision writes them into their files"
	case err == nil:
		notice += " (" + strings.Join(reasons, "; ") + "); they are written as soon as that is possible"
	}
	return len(w.items), notice, nil
}

// pendingWrittenNotice reports decisions that were pending.
func pendingWrittenNotice(written int) string {
	return "decisions about " + countText(written) + ", which were kept in the index only, are in their files now"
}

func countText(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
