package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// bringHome moves lines about memories to where the workspace has them, after
// that was set otherwise: all of them, with the first decision since. Looking at
// files never does it. What cannot be moved holds where it stands.
func (s *space) bringHome(ctx context.Context, now time.Time) (notices []string, err error) {
	if s.Options.ReadOnly {
		return nil, nil
	}
	ids, err := s.db.Astray(ctx, s.DecisionsFile)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if err := s.upToDate(ctx, now, ids); err != nil {
		return nil, err
	}
	stances, err := s.db.Stances(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := newPlan(now, "move", "cli", false)
	for _, st := range stances {
		p.Items = append(p.Items, index.Intended{ID: st.Memory.ID, Was: st.Said, Said: st.Said, Sidecar: st.Sidecar})
	}
	if notices, err = s.carryOut(ctx, now, p); err != nil {
		return []string{fmt.Sprintf("lines about %d memories stay where they are: %v", len(ids), err)}, nil
	}
	left, err := s.db.Astray(ctx, s.DecisionsFile)
	if moved := len(ids) - len(left); moved > 0 {
		notices = append(notices, fmt.Sprintf("the lines about %d memories were moved to %s", moved, s.homeName()))
	}
	return notices, err
}

func (s *space) homeName() string {
	if s.DecisionsFile {
		return memory.DecisionsFile
	}
	return "the front matter of their files"
}

// strayNotice says how many memories have lines elsewhere than they should.
func (s *space) strayNotice(ctx context.Context) (string, error) {
	ids, err := s.db.Astray(ctx, s.DecisionsFile)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return fmt.Sprintf("the lines about %d memories stand elsewhere than in %s, where the configuration has them; the next decision moves them",
		len(ids), s.homeName()), nil
}
