package engine

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

// relocateEntries moves entries to the file that the configuration names, after
// that changed. The first decision after the change moves all of them; a scan never
// does. An entry that cannot be moved stays valid where it is, and the decision
// itself succeeds.
func (s *workspaceState) relocateEntries(ctx context.Context, now time.Time) (notices []string) {
	if s.Options.ReadOnly {
		return nil
	}
	notices, err := s.moveEntries(ctx, now)
	if err != nil {
		notices = append(notices, fmt.Sprintf("some lines could not be moved to %s: %v", s.entriesPlace(), err))
	}
	return notices
}

func (s *workspaceState) moveEntries(ctx context.Context, now time.Time) (notices []string, err error) {
	ids, err := s.db.MisplacedEntries(ctx, s.DecisionsFile)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if notices, err = s.rewriteEntries(ctx, now, ids); err != nil {
		return notices, err
	}
	remaining, err := s.db.MisplacedEntries(ctx, s.DecisionsFile)
	if moved := len(ids) - len(remaining); moved > 0 {
		notices = append(notices, fmt.Sprintf("the lines about %d memories were moved to %s", moved, s.entriesPlace()))
	}
	return notices, err
}

// rewriteEntries writes the entries about memories as the index knows them.
func (s *workspaceState) rewriteEntries(ctx context.Context, now time.Time, ids []memory.ID) (notices []string, err error) {
	if err := s.refresh(ctx, now, actionMove, ids); err != nil {
		return nil, err
	}
	declarations, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := plan.New(now, actionMove, "cli", false)
	for _, decl := range declarations {
		p.Items = append(p.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: decl.Own, Sidecar: decl.Sidecar})
	}
	return s.commit(ctx, now, p, func(memory.Progress) {})
}

// removeRevoked removes the forgetting from entries that a restore revoked while
// their file was gone.
func (s *workspaceState) removeRevoked(ctx context.Context, now time.Time) (notices []string) {
	ids, err := s.db.RevokedEntries(ctx)
	if err == nil && len(ids) > 0 && !s.Options.ReadOnly {
		notices, err = s.rewriteEntries(ctx, now, ids)
	}
	if err != nil {
		notices = append(notices, fmt.Sprintf("lines that a restore revoked could not be removed: %v", err))
	}
	return notices
}

func (s *workspaceState) entriesPlace() string {
	if s.DecisionsFile {
		return memory.DecisionsFile
	}
	return "the front matter of their files"
}

// misplacedNotice reports how many memories have entries in another file than
// configured.
func (s *workspaceState) misplacedNotice(ctx context.Context) (string, error) {
	ids, err := s.db.MisplacedEntries(ctx, s.DecisionsFile)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("the lines about %d memories are not in %s, as configured; the next decision moves them there",
		len(ids), s.entriesPlace()), nil
}

// restoreDecisionsFile writes the decisions that the index keeps, although their lines
// are gone with a file, into the decisions file, if decisions are kept there.
func (s *workspaceState) restoreDecisionsFile(ctx context.Context, now time.Time) (notices []string) {
	if s.Options.ReadOnly || !s.DecisionsFile {
		return nil
	}
	ids, err := s.db.KeptDecisions(ctx)
	if err == nil && len(ids) > 0 {
		notices, err = s.rewriteEntries(ctx, now, ids)
	}
	switch {
	case err != nil:
		notices = append(notices, fmt.Sprintf("decisions whose lines are gone could not be written to %s: %v", memory.DecisionsFile, err))
	case len(ids) > 0:
		notices = append(notices, fmt.Sprintf("decisions about %s, whose lines were gone, are in %s again", countText(len(ids)), memory.DecisionsFile))
	}
	return notices
}
