package decisions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// actionMove is the action of an intent that writes entries again and changes no decision.
// The audit has no row for it.
const actionMove = memory.Action("move")

// due lists the memories whose lines are to be written again. They stand in another file
// than configured, forget a text that was restored while their file was gone, or are gone
// with the decisions file.
func (f *Files) due(ctx context.Context) (ids []memory.ID, err error) {
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
func (f *Files) WriteDue(ctx context.Context, now time.Time) (notices []string) {
	if f.ReadOnly {
		return nil
	}
	ids, err := f.due(ctx)
	if err == nil && len(ids) > 0 {
		if notices, err = f.rewriteEntries(ctx, now, ids); err == nil {
			var left []memory.ID
			if left, err = f.due(ctx); len(left) < len(ids) {
				notices = append(notices, fmt.Sprintf("the lines about %s were written to %s", CountText(len(ids)-len(left)), f.entriesPlace()))
			}
		}
	}
	if err != nil {
		notices = append(notices, fmt.Sprintf("some lines could not be written to %s: %v", f.entriesPlace(), err))
	}
	return notices
}

// DueNotice reports how many memories have lines that are to be written again.
func (f *Files) DueNotice(ctx context.Context) (string, error) {
	ids, err := f.due(ctx)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("the lines about %s are to be written to %s; the next decision does that", CountText(len(ids)), f.entriesPlace()), nil
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

func (f *Files) entriesPlace() string {
	if f.InDecisionsFile {
		return memory.DecisionsFile
	}
	return "the front matter of their files"
}
