package capturing

import (
	"context"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/plan"
)

// Bounds of what a message takes back that an earlier request of its session stored.
const (
	takeBackWithin   = burstWindow
	takeBackRequests = 3 // the last ones: "Thanks." may stand between
	maxAuditRows     = 100
)

// takeBackEarlier forgets what the last request of the session stored, because a message
// takes it back. What it superseded holds again.
func (c *capturing) takeBackEarlier(ctx context.Context, key string) error {
	memories, err := c.storedLast(ctx)
	if err != nil || len(memories) == 0 {
		return err
	}
	var ids []memory.ID
	for _, m := range memories {
		ids = append(ids, m.ID)
		c.skip(key, capture.SkipForget, m.ID, "")
	}
	if c.request.Preview {
		return nil
	}
	if err := c.Decisions.Refresh(ctx, c.now, memory.ActionForget, ids); err != nil {
		return err
	}
	r := memory.DecideRequest{Action: memory.ActionForget, Source: c.command.Source, Only: true}
	p, err := plan.ForDecision(ctx, c.DB, c.Zone, c.now, r, ids)
	if err != nil {
		return err
	}
	if _, err := c.Decisions.Apply(ctx, c.now, p, r); err != nil {
		return err
	}
	return c.Succession.ReviveReplaced(ctx, c.now, memories, c.command)
}

// storedLast returns the memories that the last request of the session stored, as far as
// they are this author's and nobody decided about them.
func (c *capturing) storedLast(ctx context.Context) (memories []memory.Memory, err error) {
	if c.request.Session == "" {
		return nil, nil
	}
	at, err := c.DB.LastCaptured(ctx, c.request.Session, c.now.Add(-takeBackWithin), c.now, takeBackRequests)
	if err != nil || at.IsZero() {
		return nil, err
	}
	audit, err := c.DB.Audit(ctx, memory.AuditRequest{Action: memory.AuditCapture, Limit: maxAuditRows})
	if err != nil {
		return nil, err
	}
	var ids []memory.ID
	for _, row := range audit.Audit {
		if row.At.Equal(at) && !slices.Contains(ids, row.ID) {
			ids = append(ids, row.ID)
		}
	}
	found, err := c.DB.Visible(ctx, ids, memory.Predicate{Users: c.by.Compared(), Scope: c.by.Scope})
	return slices.DeleteFunc(found, func(m memory.Memory) bool {
		return m.Source != memory.SourceAutoCapture || m.Pinned || !c.by.Owns(m) || m.SourceRef == nil ||
			!strings.HasPrefix(*m.SourceRef, dailynote.SourceRefOf(c.request.Session))
	}), err
}
