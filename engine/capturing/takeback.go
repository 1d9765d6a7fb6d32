package capturing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// Bounds of what a message takes back that an earlier request of its session stored.
const (
	takeBackWithin   = burstWindow
	takeBackRequests = 3 // the last ones: "Thanks." may stand between
	directly         = 1 // the last one: "just kidding"
	maxAuditRows     = 100
)

// takeBackEarlier forgets what the last request of the session stored, because a message
// takes it back. What it superseded holds again.
func (c *capturing) takeBackEarlier(ctx context.Context, candidate capture.Candidate) error {
	requests := takeBackRequests
	if candidate.Directly {
		requests = directly
	}
	memories, err := c.storedLast(ctx, requests)
	if err != nil || len(memories) == 0 {
		return err
	}
	ids := memory.IDsOf(memories)
	for _, m := range memories {
		c.skip(candidate.Key, candidate.Skip, m.ID, "")
	}
	if c.request.Preview {
		return nil
	}
	if err := c.Refresh(ctx, c.now, memory.ActionForget, ids); err != nil {
		return err
	}
	r := memory.DecideRequest{Action: memory.ActionForget, Source: c.command.Source, Only: true}
	p, err := plan.ForDecision(ctx, c.DB, c.Zone, c.now, r, ids)
	if err != nil {
		return err
	}
	if _, err := c.Apply(ctx, c.now, p, r); err != nil {
		return err
	}
	return c.ReviveReplaced(ctx, c.now, memories, c.command)
}

// lastStoring returns when the last of some requests of the session stored something, or the
// zero time. It does not reach over a request about something else.
func (c *capturing) lastStoring(ctx context.Context, limit int) (at time.Time, err error) {
	requests, err := c.DB.LastCaptures(ctx, c.request.Session, c.now.Add(-takeBackWithin), c.now, limit)
	if err != nil {
		return at, err
	}
	var between []string // names of the marks that requests without a memory have, if they are about something
	for _, r := range requests {
		if !r.Stored {
			between = append(between, topicMark(r.At))
			continue
		}
		h, err := c.DB.CaptureHistory(ctx, c.request.Session, between, c.now, c.now)
		if err != nil || slices.ContainsFunc(between, func(name string) bool { return h.Known[name] }) {
			return at, err
		}
		return r.At, nil
	}
	return at, nil
}

// topicMark names the mark of a request in which the user said something that was not kept,
// and is more than "Thanks."
func topicMark(at time.Time) string { return fmt.Sprintf("\x00topic\x00%d", at.UnixMilli()) }

// markTopic notes that the last message of the user is about something.
func (c *capturing) markTopic(turn capture.Turn) {
	for _, m := range slices.Backward(turn.Messages) {
		if m.Role == capture.RoleUser {
			if !capture.IsAside(m.Text) && !capture.TakesBack(m.Text) {
				c.marks = append(c.marks, index.CaptureMark{Name: topicMark(c.now), Outcome: index.CaptureSeen})
			}
			return
		}
	}
}

// storedLast returns the memories that the last of some requests of the session stored. They
// are this author's, and nobody decided about them.
func (c *capturing) storedLast(ctx context.Context, requests int) (memories []memory.Memory, err error) {
	if c.request.Session == "" {
		return nil, nil
	}
	at, err := c.lastStoring(ctx, requests)
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
	found, err := c.DB.Visible(ctx, ids, memory.Predicate{View: memory.View{Users: c.by.Compared(), Scope: c.by.Scope}})
	return slices.DeleteFunc(found, func(m memory.Memory) bool {
		return m.Source != memory.SourceAutoCapture || m.Pinned || !c.by.Owns(m) || m.SourceRef == nil ||
			!strings.HasPrefix(*m.SourceRef, chunker.SessionRef(c.request.Session))
	}), err
}
