package plan

import (
	"cmp"
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
	"github.com/memory-tiered/memory/workspace"
)

// A decision is pending while it is only in the index: its file could not be
// written, or did not exist.

// WritePendingUnlessBusy writes the pending decisions, but no file that git is
// changing at the moment.
func (f *Executor) WritePendingUnlessBusy(ctx context.Context, now time.Time) (written int, err error) {
	if git.Find(f.Dir).Busy() {
		return 0, nil
	}
	return f.WritePending(ctx, now)
}

// WritePending writes the pending decisions whose files can be written now. Their
// rows in the index are removed after the files are on disk, so the next call
// continues an interrupted one.
func (f *Executor) WritePending(ctx context.Context, now time.Time) (written int, err error) {
	if f.ReadOnly {
		return 0, nil
	}
	w, err := f.pendingWriter(ctx, now)
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
	if err := errors.Join(w.unsynced, f.Host.StepDone("pending written")); err != nil || len(done) == 0 {
		return 0, err
	}
	if err := f.syncFiles(ctx, ids); err != nil {
		return 0, err
	}
	return len(done), f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.DropWritten(done) })
}

// pendingWriter returns a writer for the pending decisions. Those whose files cannot
// be written are marked as sidecarOnly, with the reason.
func (f *Executor) pendingWriter(ctx context.Context, now time.Time) (*writer, error) {
	w := newWriter(f, now, nil)
	ids, err := f.DB.PendingDecisions(ctx)
	if err != nil || len(ids) == 0 {
		return w, err
	}
	declarations, err := f.DB.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	open, err := f.DB.Intents(ctx)
	if err != nil {
		return nil, err
	}
	for _, decl := range declarations {
		w.items = append(w.items, itemOf(decl, decl.Own))
		if slices.ContainsFunc(open, func(in index.Intent) bool { return slices.Contains(in.Memories(), decl.Memory.ID) }) {
			w.sidecarOnly[decl.Memory.ID] = "another decision about it is not finished"
		}
	}
	return w, w.skipUnwritable(ctx)
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
		if folder, err := w.Host.Folder(); err != nil {
			return err
		} else if path == memory.DecisionsFile && w.isElsewhere(ctx, folder) {
			reason = path + " is on another git branch"
		} else if reason, err = w.editObstacle(path, edits[path]); err != nil {
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

// isElsewhere reports whether the decisions file is missing because git has it in another
// commit. A new one would keep git from switching back.
func (f *Executor) isElsewhere(ctx context.Context, folder *workspace.Workspace) bool {
	_, exists, err := folder.Stat(memory.DecisionsFile)
	return err == nil && !exists && git.Find(f.Dir).DeletedByCommit(ctx, memory.DecisionsFile)
}

// editObstacle returns why a file may not be edited, such as "cannot be written";
// empty if it may. An error means that the edit is not possible now.
func (f *Executor) editObstacle(path string, e fileEdit) (reason string, err error) {
	folder, err := f.Host.Folder()
	if err != nil {
		return "", err
	}
	src, _, err := ReadForEdit(folder, path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", FileChanged(path)
	}
	if err != nil {
		return "", err
	}
	_, err = applyChanges(path, src, f.Zone, e.changes)
	if reason = readOnlyReason(err); reason == "" && err != nil {
		return "", err
	}
	obstacle, _ := f.obstacle(folder, path)
	return cmp.Or(obstacle, reason), nil
}

// PendingNotice reports how many memories have pending decisions, and why.
func (f *Executor) PendingNotice(ctx context.Context, now time.Time) (n int, notice string, err error) {
	w, err := f.pendingWriter(ctx, now)
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

// PendingWrittenNotice reports decisions that were pending.
func PendingWrittenNotice(written int) string {
	return "decisions about " + countText(written) + ", which were kept in the index only, are in their files now"
}

// actionMove is the action of an intent that writes entries again and changes no decision.
// The audit has no row for it.
const actionMove = memory.Action("move")

// due lists the memories whose lines are to be written again. They stand in another file
// than configured, forget a text that was restored while their file was gone, or are gone
// with the decisions file.
func (f *Executor) due(ctx context.Context) (ids []memory.ID, err error) {
	ids, err = f.DB.MisplacedEntries(ctx, f.InDecisionsFile)
	if err != nil {
		return nil, err
	}
	revoked, err := f.DB.RevokedEntries(ctx)
	if err != nil {
		return nil, err
	}
	ids = append(ids, revoked...)
	if f.InDecisionsFile {
		kept, err := f.DB.KeptDecisions(ctx)
		if err != nil {
			return nil, err
		}
		ids = append(ids, kept...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// WriteDue writes the lines that are not in the files as the index knows them. A decision
// does that, and a scan never. A line that cannot be written stays valid where it is.
func (f *Executor) WriteDue(ctx context.Context, now time.Time) (notices []string) {
	if f.ReadOnly {
		return nil
	}
	ids, err := f.due(ctx)
	if err == nil && len(ids) > 0 {
		if notices, err = f.rewriteEntries(ctx, now, ids); err == nil {
			var left []memory.ID
			if left, err = f.due(ctx); len(left) < len(ids) {
				notices = append(notices, fmt.Sprintf("the lines about %s were written to %s", countText(len(ids)-len(left)), f.entriesPlace()))
			}
		}
	}
	if err != nil {
		notices = append(notices, fmt.Sprintf("some lines could not be written to %s: %v", f.entriesPlace(), err))
	}
	return notices
}

// DueNotice reports how many memories have lines that are to be written again.
func (f *Executor) DueNotice(ctx context.Context) (string, error) {
	ids, err := f.due(ctx)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("the lines about %s are to be written to %s; the next decision does that", countText(len(ids)), f.entriesPlace()), nil
}

// rewriteEntries writes the entries about memories as the index knows them.
func (f *Executor) rewriteEntries(ctx context.Context, now time.Time, ids []memory.ID) (notices []string, err error) {
	if err := f.Refresh(ctx, now, actionMove, ids); err != nil {
		return nil, err
	}
	declarations, err := f.DB.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := New(now, actionMove, "cli", false)
	for _, decl := range declarations {
		p.Items = append(p.Items, itemOf(decl, decl.Own))
	}
	err = f.CarryOut(ctx, now, p, func(memory.Progress) {})
	return p.Notices, err
}

func (f *Executor) entriesPlace() string {
	if f.InDecisionsFile {
		return memory.DecisionsFile
	}
	return "the front matter of their files"
}
