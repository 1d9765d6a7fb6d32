package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// actionMove is what an intent is called that changes where lines stand, and
// nothing of what they say: no audit names it.
const actionMove = memory.Action("move")

// relocateEntries moves lines about memories to where the workspace has them, after
// that was set otherwise: all of them, with the first decision since. Looking at
// files never does it. What cannot be moved holds where it stands, and takes
// nothing from the decision that was just made.
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
	if err := s.refresh(ctx, now, actionMove, ids); err != nil {
		return nil, err
	}
	stances, err := s.db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := newPlan(now, actionMove, "cli", false)
	for _, st := range stances {
		p.Items = append(p.Items, index.IntentItem{ID: st.Memory.ID, Before: st.Own, After: st.Own, Sidecar: st.Sidecar})
	}
	if notices, err = s.commit(ctx, now, p, func(memory.Progress) {}); err != nil {
		return notices, err
	}
	left, err := s.db.MisplacedEntries(ctx, s.DecisionsFile)
	if moved := len(ids) - len(left); moved > 0 {
		notices = append(notices, fmt.Sprintf("the lines about %d memories were moved to %s", moved, s.entriesPlace()))
	}
	return notices, err
}

func (s *workspaceState) entriesPlace() string {
	if s.DecisionsFile {
		return memory.DecisionsFile
	}
	return "the front matter of their files"
}

// misplacedNotice says how many memories have lines elsewhere than they should.
func (s *workspaceState) misplacedNotice(ctx context.Context) (string, error) {
	ids, err := s.db.MisplacedEntries(ctx, s.DecisionsFile)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("the lines about %d memories stand elsewhere than in %s, where the configuration has them; the next decision moves them",
		len(ids), s.entriesPlace()), nil
}
