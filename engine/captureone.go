package engine

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/similar"
)

// run examines the new messages and stores what is worth keeping.
func (c *capturing) run(ctx context.Context, turn capture.Turn, settings capture.Settings) error {
	if c.isStopped() {
		for _, m := range turn.Messages {
			c.skip(m.Key, skipBurst, "", "")
		}
		return nil
	}
	forgotten, err := c.db.ForgottenTexts(ctx)
	if err != nil {
		return err
	}
	for _, candidate := range capture.Extract(turn, settings) {
		if !candidate.Kept() {
			c.skip(candidate.Key, candidate.Skip, "", candidate.Detail)
			continue
		}
		c.extracted++
		candidate.Text = chunker.Clean(candidate.Text)
		switch name := candidate.Key + "\x00" + candidate.Text; {
		case forgotten.Contains(chunker.Fingerprint(candidate.Text), candidate.Text, nil):
			c.skip(candidate.Key, skipForgotten, "", "")
		case len(c.kept) == maxPerCapture:
			c.partly[candidate.Key] = true
			c.skip(candidate.Key, capture.SkipLimit, "", "")
		case c.isStopped():
			c.skip(candidate.Key, skipBurst, "", "")
		default:
			known, err := c.wasStored(ctx, name)
			if err == nil && known {
				c.skip(candidate.Key, skipSeen, "", "")
				continue
			}
			if err == nil {
				err = c.keep(ctx, candidate, name)
			}
			if err != nil {
				return err
			}
		}
	}
	if len(c.kept) > 0 && !c.request.Preview {
		if _, err := c.embedPending(ctx, c.now, storeEmbedLimit, func(memory.Progress) {}); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// wasStored reports whether an earlier request of the session stored this text of
// this message. It is asked for messages that were examined partly.
func (c *capturing) wasStored(ctx context.Context, name string) (bool, error) {
	if c.request.Preview {
		return false, nil
	}
	h, err := c.db.CaptureHistory(ctx, c.request.Session, []string{name}, c.now)
	return h.Known[name], err
}

// isStopped reports whether the session offered too much. Callers without a session
// have no limit but that of a request.
func (c *capturing) isStopped() bool {
	if c.request.Session == "" || c.request.Preview {
		return false
	}
	if !c.history.StoppedAt.IsZero() && c.now.Sub(c.history.StoppedAt) < stopFor {
		return true
	}
	if c.history.Stored < maxPerHour && c.history.Repeated <= maxRepeated {
		return false
	}
	c.history.StoppedAt = c.now
	c.marks = append(c.marks, index.CaptureMark{Name: "", Outcome: index.CaptureStopped})
	return true
}

// keep stores a candidate, unless a memory says the same.
func (c *capturing) keep(ctx context.Context, candidate capture.Candidate, name string) error {
	similarOnes, err := c.findSimilar(ctx, candidate.Text)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(similarOnes, func(m similarMemory) bool { return m.same }); at >= 0 {
		return c.keepDuplicate(ctx, candidate, similarOnes[at], replaced(candidate, similarOnes), name)
	}
	if c.repeatsPreviewed(candidate) {
		c.skip(candidate.Key, skipDuplicate, "", "")
		return nil
	}
	stored := memory.Memory{Text: candidate.Text, Tier: memory.TierHot, Type: candidate.Type, Category: candidate.Category,
		Trust: candidate.Trust, Source: memory.SourceAutoCapture, CreatedAt: c.now, ImportanceLabel: memory.ImportanceUnknown, Importance: memory.DefaultImportance,
		Path: capturedPath(c.now, c.zone(), 1)}
	old := replaced(candidate, similarOnes)
	if !c.request.Preview {
		if stored, err = c.writeCaptured(ctx, candidate); err != nil {
			return err
		}
		if err := c.supersede(ctx, stored.ID, old); err != nil {
			return err
		}
		c.marks = append(c.marks, index.CaptureMark{Name: name, Outcome: index.CaptureStored})
		c.history.Stored++
	}
	c.kept = append(c.kept, stored)
	c.answer.Stored = append(c.answer.Stored, stored)
	c.listSuperseded(old)
	return nil
}

// repeatsPreviewed reports whether a preview lists nearly the same text already.
func (c *capturing) repeatsPreviewed(candidate capture.Candidate) bool {
	text := similar.New(candidate.Text)
	return c.request.Preview && slices.ContainsFunc(c.kept, func(m memory.Memory) bool {
		listed := similar.New(m.Text)
		return text.NearDuplicate(&listed)
	})
}

// keepDuplicate does what a duplicate calls for: nothing comes back that is
// forgotten, a memory gains the trust of who says it again, and one that was
// superseded holds again.
func (c *capturing) keepDuplicate(ctx context.Context, candidate capture.Candidate, same similarMemory, old []memory.Memory, name string) error {
	m := same.Memory
	if m.Forgotten {
		c.skip(candidate.Key, skipForgotten, "", "")
		return nil
	}
	c.skip(candidate.Key, skipDuplicate, m.ID, "")
	if !same.exact && !c.request.Preview {
		c.marks = append(c.marks, index.CaptureMark{Name: name, Outcome: index.CaptureRepeated})
		c.history.Repeated++
	}
	if c.request.Preview || !mayReplace(candidate.Trust, m) {
		return nil
	}
	if candidate.Trust == memory.TrustTrusted && m.Trust == memory.TrustUntrusted {
		if err := c.trust(ctx, m); err != nil {
			return err
		}
	}
	if m.SupersededBy == nil {
		return nil
	}
	if err := c.revive(ctx, m.ID); err != nil {
		return err
	}
	c.listSuperseded(old)
	return c.supersede(ctx, m.ID, old)
}

func (c *capturing) listSuperseded(old []memory.Memory) {
	for _, m := range old {
		c.answer.Superseded = append(c.answer.Superseded, m.ID)
	}
}

// replaced returns the memories that a candidate replaces: they give another value
// to the same subject, and nobody wrote them by hand or pinned them.
func replaced(candidate capture.Candidate, list []similarMemory) (old []memory.Memory) {
	for _, m := range list {
		if !m.same && !m.Forgotten && !m.Pinned && m.SupersededBy == nil && mayReplace(candidate.Trust, m.Memory) && similar.Replaces(candidate.Text, m.Text) {
			old = append(old, m.Memory)
		}
	}
	return old
}

// mayReplace reports whether a text of this trust may change a memory without a
// person's decision.
func mayReplace(trust memory.TrustTier, m memory.Memory) bool {
	rank := func(t memory.TrustTier) int { return slices.Index(memory.TrustTiers, t) }
	return (m.Source == memory.SourceAutoCapture || m.Source == memory.SourceTool) && m.Trust != memory.TrustQuarantined && rank(trust) <= rank(m.Trust)
}

// supersede notes that a memory replaces others, and audits it.
func (c *capturing) supersede(ctx context.Context, by memory.ID, old []memory.Memory) error {
	if len(old) == 0 {
		return nil
	}
	return c.db.Update(ctx, c.now, func(tx *index.Tx) error {
		for _, m := range old {
			if err := tx.Supersede(m.ID, by); err != nil {
				return err
			}
			if err := tx.Audit(memory.AuditRow{At: c.now, Action: "supersede", ID: m.ID, Source: "capture",
				Old: map[string]any{"superseded_by": m.SupersededBy}, New: map[string]any{"superseded_by": by}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// revive makes a superseded memory hold again.
func (c *capturing) revive(ctx context.Context, id memory.ID) error {
	return c.db.Update(ctx, c.now, func(tx *index.Tx) error {
		if err := tx.Supersede(id, ""); err != nil {
			return err
		}
		return tx.Audit(memory.AuditRow{At: c.now, Action: "supersede", ID: id, Source: "capture", New: map[string]any{"superseded_by": nil}})
	})
}

// trust declares a memory trusted, because its owner says the same.
func (c *capturing) trust(ctx context.Context, m memory.Memory) error {
	declarations, err := c.db.Declarations(ctx, []memory.ID{m.ID})
	if err != nil || len(declarations) == 0 {
		return err
	}
	own := declarations[0].Own
	raised := own
	raised.Trust = memory.TrustTrusted
	p := newPlan(c.now, "trust", "capture", false)
	p.Items = []index.IntentItem{{ID: m.ID, Before: own, After: raised, Sidecar: declarations[0].Sidecar}}
	after := m
	after.Trust = memory.TrustTrusted
	p.recordChange(m, after)
	_, err = c.commit(ctx, c.now, p, func(memory.Progress) {})
	return err
}
