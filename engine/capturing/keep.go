package capturing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/wording"
)

// run examines the new messages and stores what is worth keeping.
func (c *capturing) run(ctx context.Context, turn capture.Turn, settings capture.Settings) error {
	candidates := capture.Extract(turn, settings)
	if c.isStopped() {
		for _, candidate := range candidates {
			c.leaveOut(candidate, skipBurst, "")
		}
		return nil
	}
	forgotten, err := c.DB.ForgottenTexts(ctx)
	if err != nil {
		return err
	}
	for _, candidate := range candidates {
		if candidate.Earlier {
			if err := c.takeBackEarlier(ctx, candidate); err != nil {
				return err
			}
			continue
		}
		if !candidate.Kept() {
			c.partly[candidate.Key] = c.partly[candidate.Key] || candidate.Later
			c.leaveOut(candidate, candidate.Skip, candidate.Detail)
			continue
		}
		c.extracted++
		if err := c.examine(ctx, candidate, forgotten); err != nil {
			return err
		}
	}
	if len(c.kept) > 0 && !c.request.Preview {
		if _, err := c.Models.EmbedPending(ctx, c.now, store.EmbedLimit, func(memory.Progress) {}); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// statement is a candidate as it is stored: its text has the dates of its relative days.
type statement struct {
	capture.Candidate
	admitted store.Text // the same text
	name     string     // of its mark
	mayBeOld bool       // it has relative days, and its message tells no time: it may be one that is sent again
}

// resentWithin is how long after a message without a time the same words are that message.
// Hosts send a session again within days. After that, "tomorrow" is another day.
const resentWithin = 30 * 24 * time.Hour

// examine stores a candidate, unless something speaks against it.
func (c *capturing) examine(ctx context.Context, candidate capture.Candidate, forgotten index.ForgottenTexts) error {
	text := chunker.Clean(candidate.Text)
	admitted, refused := store.Admit(text, false)
	sent, isTimed := c.sentAt[candidate.Key]
	s := statement{Candidate: candidate, name: c.markName(candidate.Key) + "\x00" + text}
	s.admitted = admitted.WithDays(cmp.Or(sent, c.now).In(c.Zone))
	s.Text = s.admitted.String()
	s.mayBeOld = !isTimed && s.Text != text
	isForgotten := func(text string) bool { return forgotten.Contains(chunker.Fingerprint(text), text, nil) }
	reason := ""
	switch {
	case isForgotten(text), isForgotten(s.Text):
		reason = skipForgotten
	case len(c.kept) == maxPerCapture:
		c.partly[candidate.Key] = true
		reason = capture.SkipLimit
	case c.isStopped():
		reason = skipBurst
	case refused != nil:
		reason = capture.SkipSecret
	}
	if reason != "" {
		c.leaveOut(candidate, reason, "")
		return nil
	}
	known, err := c.wasStored(ctx, s.name)
	if err == nil && known {
		c.skip(candidate.Key, skipSeen, "", "")
		return nil
	}
	if err != nil {
		return err
	}
	return c.keep(ctx, s)
}

// wasStored reports whether an earlier request of the session stored this text of
// this message. It is asked for messages that were examined partly.
func (c *capturing) wasStored(ctx context.Context, name string) (bool, error) {
	if c.request.Preview {
		return false, nil
	}
	h, err := c.DB.CaptureHistory(ctx, c.request.Session, []string{name}, c.now, c.now)
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

// keep stores a statement, unless a memory says the same.
func (c *capturing) keep(ctx context.Context, candidate statement) error {
	if !c.request.Preview {
		if err := c.RefreshNotes(ctx, c.now); err != nil {
			return err
		}
	}
	found, err := c.Relations.Find(ctx, c.now, candidate.Text, c.by)
	if err != nil {
		return err
	}
	c.noEmbed = cmp.Or(found.NoEmbed, c.noEmbed)
	same, ok := found.ForgottenSame()
	if !ok {
		same, ok = found.SameAs("")
	}
	if !ok {
		same, ok = c.saidBefore(candidate, found)
	}
	if ok {
		return c.keepDuplicate(ctx, candidate, same, found)
	}
	unrecalled, isAgain := found.UnrecalledSame()
	if deleted, err := c.wasDeleted(ctx, candidate); err != nil {
		return err
	} else if deleted && !isAgain {
		c.leaveOut(candidate.Candidate, skipDeleted, "memory store keeps it all the same")
		return nil
	}
	if c.repeatsPreviewed(candidate) {
		c.skip(candidate.Key, skipDuplicate, "", "")
		return nil
	}
	stored := memory.Memory{Text: candidate.Text, Tier: memory.TierHot, Type: candidate.Type, Category: candidate.Category,
		Trust: candidate.Trust, User: c.by.User, Scope: c.by.Scope, Source: memory.SourceAutoCapture, CreatedAt: c.now, ImportanceLabel: memory.ImportanceUnknown, Importance: memory.DefaultImportance,
		Path: store.CapturedPath(c.now, c.Zone, 1)}
	old := found.Replaced(candidate.Trust, c.by)
	if !c.request.Preview {
		var note store.Appended
		if stored, note, err = c.writeCaptured(ctx, candidate, store.HasPrivate(old) || unrecalled.Private); err != nil { // the new value is as private as the old one
			return err
		}
		if err := c.Audit(ctx, c.now, stored, note, memory.AuditCapture, c.command); err != nil {
			return c.TakeBack(ctx, c.now, note, err)
		}
		if err := c.Supersede(ctx, c.now, stored.ID, old, c.command); err != nil {
			return err
		}
		c.marks = append(c.marks, index.CaptureMark{Name: candidate.name, Outcome: index.CaptureStored})
		c.texts = append(c.texts, TextName(c.by, candidate.Trust, candidate.admitted.Said()), TextName(c.by, candidate.Trust, candidate.Text))
		c.history.Stored++
	}
	c.kept = append(c.kept, stored)
	c.answer.Stored = append(c.answer.Stored, stored)
	c.listSuperseded(old)
	return nil
}

// saidBefore returns the memory of an earlier day that has the words of a statement, if its
// message may be the one of that day.
func (c *capturing) saidBefore(candidate statement, found store.Found) (store.Related, bool) {
	i := slices.IndexFunc(found.List, func(m store.Related) bool {
		thatDay := candidate.admitted.WithDays(m.CreatedAt.In(c.Zone))
		return candidate.mayBeOld && m.Unrecalled == "" && c.now.Sub(m.CreatedAt) < resentWithin && m.Text == thatDay.String()
	})
	if i < 0 {
		return store.Related{}, false
	}
	return found.List[i], true
}

// TextName names a captured text by its wording, for its user and scope, and its trust. What the
// assistant said, and a person deleted, the owner may say all the same.
func TextName(by lookup.Author, trust memory.TrustTier, text string) string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%x", by.User, by.Scope, trust, wording.Of(text).Hash)
}

// wasDeleted reports whether the text was captured before. No memory says it any more, so
// that a person deleted or reworded it, unless its line is on another branch. A message that
// was sent after that capture and asks to remember the text is a new decision.
func (c *capturing) wasDeleted(ctx context.Context, candidate statement) (bool, error) {
	if wording.Of(candidate.Text).IsEmpty() {
		return false, nil
	}
	text := candidate.Text
	if candidate.mayBeOld {
		text = candidate.admitted.Said()
	}
	at, err := c.DB.CapturedAt(ctx, TextName(c.by, candidate.Trust, text))
	if err != nil || at.IsZero() || candidate.mayBeOld && c.now.Sub(at) >= resentWithin {
		return false, err
	}
	if sent, known := c.sentAt[candidate.Key]; candidate.Explicit && known && sent.After(at) {
		return false, nil
	}
	elsewhere, err := c.isOnAnotherBranch(ctx, candidate.Text)
	return !elsewhere, err
}

// isOnAnotherBranch reports whether a captured text is absent because of the branch that is
// checked out. Where git cannot tell, a person deleted the text.
func (c *capturing) isOnAnotherBranch(ctx context.Context, text string) (bool, error) {
	want := wording.Of(text).Hash
	elsewhere, err := git.OnlyElsewhere(ctx, c.Dir, store.CapturedFolder, func(line string) bool {
		item, _, _ := strings.Cut(strings.TrimLeft(line, "-*+ "), "<!--")
		return wording.Of(item).Hash == want
	})
	return err == nil && elsewhere, ctx.Err()
}

// repeatsPreviewed reports whether a preview lists nearly the same text already.
func (c *capturing) repeatsPreviewed(candidate statement) bool {
	text := alignment.Read(candidate.Text)
	return c.request.Preview && slices.ContainsFunc(c.kept, func(m memory.Memory) bool {
		return text.NearDuplicate(alignment.Read(m.Text))
	})
}

// keepDuplicate lists a duplicate. Nothing comes back that is forgotten.
func (c *capturing) keepDuplicate(ctx context.Context, candidate statement, same store.Related, found store.Found) error {
	m := same.Memory
	if m.Forgotten {
		c.leaveOut(candidate.Candidate, skipForgotten, "")
		return nil
	}
	c.skip(candidate.Key, skipDuplicate, m.ID, "")
	if !same.Exact && !c.request.Preview {
		c.marks = append(c.marks, index.CaptureMark{Name: candidate.name, Outcome: index.CaptureRepeated})
		c.history.Repeated++
	}
	if c.request.Preview {
		return nil
	}
	old, err := c.SettleDuplicate(ctx, c.now, same, found, store.Statement{Trust: candidate.Trust, By: c.command, Author: c.by})
	c.listSuperseded(old)
	return err
}

// listSuperseded lists superseded memories. A host hands the answer to its model.
func (c *capturing) listSuperseded(old []memory.Memory) {
	c.answer.Superseded = append(c.answer.Superseded, store.ShownIDs(old, memory.View{Model: true, Now: c.now})...)
}

// writeCaptured appends a candidate to today's captured file and indexes it.
func (c *capturing) writeCaptured(ctx context.Context, candidate statement, isPrivate bool) (m memory.Memory, note store.Appended, err error) {
	note, err = c.AppendCaptured(ctx, c.now, c.by, candidate.admitted,
		store.DeclaredOfCaptured(candidate.Candidate, c.by, c.request.Session, isPrivate, c.sentAt[candidate.Key]))
	if err != nil {
		return m, note, err
	}
	m, err = c.Publish(ctx, c.now, note, candidate.Text)
	return m, note, err
}
