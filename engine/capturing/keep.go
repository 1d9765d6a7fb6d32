package capturing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/dailynote"
	"github.com/memory-tiered/memory/engine/relations"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/engine/succession"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/similar"
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
		candidate.Text = chunker.Clean(candidate.Text)
		switch name := c.markName(candidate.Key) + "\x00" + candidate.Text; {
		case forgotten.Contains(chunker.Fingerprint(candidate.Text), candidate.Text, nil):
			c.leaveOut(candidate, skipForgotten, "")
		case len(c.kept) == maxPerCapture:
			c.partly[candidate.Key] = true
			c.leaveOut(candidate, capture.SkipLimit, "")
		case c.isStopped():
			c.leaveOut(candidate, skipBurst, "")
		default:
			admitted, refused := dailynote.Admit(candidate.Text, false)
			if refused != nil {
				c.leaveOut(candidate, capture.SkipSecret, "")
				continue
			}
			known, err := c.wasStored(ctx, name)
			if err == nil && known {
				c.skip(candidate.Key, skipSeen, "", "")
				continue
			}
			if err == nil {
				err = c.keep(ctx, candidate, admitted, name)
			}
			if err != nil {
				return err
			}
		}
	}
	if len(c.kept) > 0 && !c.request.Preview {
		if _, err := c.Models.EmbedPending(ctx, c.now, store.EmbedLimit, func(memory.Progress) {}); err != nil && ctx.Err() != nil {
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

// keep stores a candidate, unless a memory says the same.
func (c *capturing) keep(ctx context.Context, candidate capture.Candidate, text dailynote.Text, name string) error {
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
	if ok {
		return c.keepDuplicate(ctx, candidate, same, found, name)
	}
	unrecalled, isAgain := found.UnrecalledSame()
	if deleted, err := c.wasDeleted(ctx, candidate); err != nil {
		return err
	} else if deleted && !isAgain {
		c.leaveOut(candidate, skipDeleted, "memory store keeps it all the same")
		return nil
	}
	if c.repeatsPreviewed(candidate) {
		c.skip(candidate.Key, skipDuplicate, "", "")
		return nil
	}
	stored := memory.Memory{Text: candidate.Text, Tier: memory.TierHot, Type: candidate.Type, Category: candidate.Category,
		Trust: candidate.Trust, User: c.by.User, Scope: c.by.Scope, Source: memory.SourceAutoCapture, CreatedAt: c.now, ImportanceLabel: memory.ImportanceUnknown, Importance: memory.DefaultImportance,
		Path: dailynote.CapturedPath(c.now, c.Zone, 1)}
	old := found.Replaced(candidate.Trust, c.by)
	if !c.request.Preview {
		var note dailynote.Appended
		if stored, note, err = c.writeCaptured(ctx, candidate, text, succession.HasPrivate(old) || unrecalled.Private); err != nil { // the new value is as private as the old one
			return err
		}
		if err := c.Audit(ctx, c.now, stored, note, memory.AuditCapture, c.command); err != nil {
			return c.TakeBack(ctx, c.now, note, err)
		}
		if err := c.Succession.Supersede(ctx, c.now, stored.ID, old, c.command); err != nil {
			return err
		}
		c.marks = append(c.marks, index.CaptureMark{Name: name, Outcome: index.CaptureStored})
		c.texts = append(c.texts, c.textName(candidate))
		c.history.Stored++
	}
	c.kept = append(c.kept, stored)
	c.answer.Stored = append(c.answer.Stored, stored)
	c.listSuperseded(old)
	return nil
}

// textName names what a candidate says: its wording, for its user and scope, and its trust.
// What the assistant said, and a person deleted, the owner may say all the same.
func (c *capturing) textName(candidate capture.Candidate) string {
	hash := wording.Of(candidate.Text).Hash
	return fmt.Sprintf("%s\x00%s\x00%s\x00%x", c.by.User, c.by.Scope, candidate.Trust, hash)
}

// wasDeleted reports whether the text was captured before. No memory says it any more, so
// that a person deleted or reworded it, unless its line is on another branch. A message that
// was sent after that capture and asks to remember the text is a new decision.
func (c *capturing) wasDeleted(ctx context.Context, candidate capture.Candidate) (bool, error) {
	if wording.Of(candidate.Text).IsEmpty() {
		return false, nil
	}
	at, err := c.DB.CapturedAt(ctx, c.textName(candidate))
	if err != nil || at.IsZero() {
		return false, err
	}
	sent, known := c.sentAt[candidate.Key]
	if candidate.Explicit && known && sent.After(at) {
		return false, nil
	}
	elsewhere, err := c.isOnAnotherBranch(ctx, candidate.Text)
	return !elsewhere, err
}

// isOnAnotherBranch reports whether a captured text is absent because of the branch that is
// checked out. Where git cannot tell, a person deleted the text.
func (c *capturing) isOnAnotherBranch(ctx context.Context, text string) (bool, error) {
	want := wording.Of(text).Hash
	elsewhere, err := git.OnlyElsewhere(ctx, c.Dir, dailynote.CapturedFolder, func(line string) bool {
		item, _, _ := strings.Cut(strings.TrimLeft(line, "-*+ "), "<!--")
		return wording.Of(item).Hash == want
	})
	return err == nil && elsewhere, ctx.Err()
}

// repeatsPreviewed reports whether a preview lists nearly the same text already.
func (c *capturing) repeatsPreviewed(candidate capture.Candidate) bool {
	text := similar.New(candidate.Text)
	return c.request.Preview && slices.ContainsFunc(c.kept, func(m memory.Memory) bool {
		listed := similar.New(m.Text)
		return text.NearDuplicate(&listed)
	})
}

// keepDuplicate lists a duplicate. Nothing comes back that is forgotten.
func (c *capturing) keepDuplicate(ctx context.Context, candidate capture.Candidate, same relations.Memory, found relations.Found, name string) error {
	m := same.Memory
	if m.Forgotten {
		c.leaveOut(candidate, skipForgotten, "")
		return nil
	}
	c.skip(candidate.Key, skipDuplicate, m.ID, "")
	if !same.Exact && !c.request.Preview {
		c.marks = append(c.marks, index.CaptureMark{Name: name, Outcome: index.CaptureRepeated})
		c.history.Repeated++
	}
	if c.request.Preview {
		return nil
	}
	old, err := c.Succession.SettleDuplicate(ctx, c.now, same, found, succession.Statement{Trust: candidate.Trust, By: c.command, Author: c.by})
	c.listSuperseded(old)
	return err
}

// listSuperseded lists superseded memories. A host hands the answer to its model.
func (c *capturing) listSuperseded(old []memory.Memory) {
	c.answer.Superseded = append(c.answer.Superseded, succession.ShownIDs(old, memory.AudienceModel)...)
}

// writeCaptured appends a candidate to today's captured file and indexes it.
func (c *capturing) writeCaptured(ctx context.Context, candidate capture.Candidate, text dailynote.Text, isPrivate bool) (m memory.Memory, note dailynote.Appended, err error) {
	folder, err := c.Host.Folder()
	if err != nil {
		return m, note, err
	}
	note, err = dailynote.Append(folder, c.Host.WatchAppends, func(n int) string { return dailynote.CapturedPath(c.now, c.Zone, n) }, func(current []byte) ([]byte, bool) {
		return dailynote.FitCaptured(current, text, func(declared bool) dailynote.Annotation {
			return dailynote.AnnotationOfCaptured(candidate, c.by, c.request.Session, !declared, isPrivate, c.sentAt[candidate.Key])
		})
	})
	if err != nil {
		return m, note, err
	}
	m, err = c.Publish(ctx, c.now, note, candidate.Text)
	return m, note, err
}
