package decisions

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// actionMove is the action of an intent that moves entries to another file and
// changes no decision. The audit has no row for it.
const actionMove = memory.Action("move")

// RelocateEntries moves entries to the file that the configuration names, after
// that changed. The first decision after the change moves all of them; a scan never
// does. An entry that cannot be moved stays valid where it is, and the decision
// itself succeeds.
func (f *Files) RelocateEntries(ctx context.Context, now time.Time) (notices []string) {
	if f.ReadOnly {
		return nil
	}
	notices, err := f.moveEntries(ctx, now)
	if err != nil {
		notices = append(notices, fmt.Sprintf("some lines could not be moved to %s: %v", f.entriesPlace(), err))
	}
	return notices
}

func (f *Files) moveEntries(ctx context.Context, now time.Time) (notices []string, err error) {
	ids, err := f.DB.MisplacedEntries(ctx, f.InDecisionsFile)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if notices, err = f.rewriteEntries(ctx, now, ids); err != nil {
		return notices, err
	}
	remaining, err := f.DB.MisplacedEntries(ctx, f.InDecisionsFile)
	if moved := len(ids) - len(remaining); moved > 0 {
		notices = append(notices, fmt.Sprintf("the lines about %d memories were moved to %s", moved, f.entriesPlace()))
	}
	return notices, err
}

// rewriteEntries writes the entries about memories as the index knows them.
func (f *Files) rewriteEntries(ctx context.Context, now time.Time, ids []memory.ID) (notices []string, err error) {
	if err := f.Refresh(ctx, now, actionMove, ids); err != nil {
		return nil, err
	}
	declarations, err := f.DB.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := plan.New(now, actionMove, "cli", false)
	for _, decl := range declarations {
		p.Items = append(p.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: decl.Own, Sidecar: decl.Sidecar})
	}
	return f.Commit(ctx, now, p.Intent, func(memory.Progress) {})
}

// RemoveRevoked removes the forgetting from entries that a restore revoked while
// their file was gone.
func (f *Files) RemoveRevoked(ctx context.Context, now time.Time) (notices []string) {
	ids, err := f.DB.RevokedEntries(ctx)
	if err == nil && len(ids) > 0 && !f.ReadOnly {
		notices, err = f.rewriteEntries(ctx, now, ids)
	}
	if err != nil {
		notices = append(notices, fmt.Sprintf("lines that a restore revoked could not be removed: %v", err))
	}
	return notices
}

func (f *Files) entriesPlace() string {
	if f.InDecisionsFile {
		return memory.DecisionsFile
	}
	return "the front matter of their files"
}

// MisplacedNotice reports how many memories have entries in another file than
// configured.
func (f *Files) MisplacedNotice(ctx context.Context) (string, error) {
	ids, err := f.DB.MisplacedEntries(ctx, f.InDecisionsFile)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("the lines about %d memories are not in %s, as configured; the next decision moves them there",
		len(ids), f.entriesPlace()), nil
}

// RestoreDecisionsFile writes the decisions that the index keeps, although their lines
// are gone with a file, into the decisions file, if decisions are kept there.
func (f *Files) RestoreDecisionsFile(ctx context.Context, now time.Time) (notices []string) {
	if f.ReadOnly || !f.InDecisionsFile {
		return nil
	}
	ids, err := f.DB.KeptDecisions(ctx)
	if err == nil && len(ids) > 0 {
		notices, err = f.rewriteEntries(ctx, now, ids)
	}
	switch {
	case err != nil:
		notices = append(notices, fmt.Sprintf("decisions whose lines are gone could not be written to %s: %v", memory.DecisionsFile, err))
	case len(ids) > 0:
		notices = append(notices, fmt.Sprintf("decisions about %s, whose lines were gone, are in %s again", CountText(len(ids)), memory.DecisionsFile))
	}
	return notices
}
