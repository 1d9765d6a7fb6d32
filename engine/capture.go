package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/uses"
	"github.com/memory-tiered/memory/index"
)

// CaptureOptions configures what is kept of conversations.
type CaptureOptions struct {
	Off      bool
	Settings capture.Settings
}

// The limits of capture. A person says less that is worth keeping; more is a flood.
const (
	maxPerCapture = 3              // new memories of one request
	maxPerHour    = 20             // new memories of one session in an hour
	maxRepeated   = 5              // near-duplicates of one session in an hour
	stopFor       = 24 * time.Hour // how long a session that exceeds them is ignored
	burstWindow   = time.Hour      // the hour of these limits
	maxMessages   = 10_000         // of one request
	maxTextBytes  = 1 << 20        // bytes of text of one request that are examined
)

// Reasons of package engine why a candidate is left out, beside those of package
// capture.
const (
	skipDuplicate = "duplicate"
	skipForgotten = "forgotten"
	skipBurst     = "burst"
	skipDisabled  = "disabled"
	skipSeen      = "seen"    // stored from this message by an earlier request
	skipDeleted   = "deleted" // captured before, and a person deleted or reworded the line
)

// Capture keeps what is worth keeping of a conversation. A message is examined once
// in its session, however often the host sends it.
func (e *Engine) Capture(ctx context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	start := time.Now()
	s, err := e.lookup(r.Workspace)
	if err == nil && !r.Preview {
		err = e.refuseWhenReadOnly()
	}
	if err == nil && !r.Preview && s.Options.ReadOnly {
		err = decisions.ReadOnlyError(s.Name, memory.ErrForbidden)
	}
	if err == nil && r.Command != "" && uuid.Validate(r.Command) != nil {
		err = memory.Invalid("command", "%q is not a UUID", r.Command).WithHint("a random UUID names one command of a person; leave it out otherwise")
	}
	if err == nil {
		err = r.Sender.Check()
	}
	if err == nil && len(r.Messages) > maxMessages {
		err = memory.Invalid("messages", "%d messages are too many", len(r.Messages)).WithHint("send at most %d at once", maxMessages)
	}
	if err != nil {
		return memory.CaptureAnswer{}, err
	}
	c := &capturing{workspaceState: s, request: r, by: e.authorOf(r.Sender, memory.AudienceModel, e.options().Scopes.ScopeOf("", r.Agent, r.Sender)), now: e.now(), answer: memory.CaptureAnswer{Action: "capture", Preview: r.Preview}}
	if c.command = plan.NewCommand("capture"); r.Command != "" {
		c.command = plan.Command{Source: "cli", Batch: r.Command}
	}
	c.filtered = map[string]int{}
	if e.options().Capture.Off && !r.Preview {
		c.skip("", skipDisabled, "", "")
		return c.answer, nil
	}
	if !r.Preview {
		unlock, err := s.lockIngest(ctx)
		if err != nil {
			return memory.CaptureAnswer{}, err
		}
		defer unlock()
	}
	turn, err := c.newMessages(ctx)
	if err != nil || len(turn.Messages) == 0 {
		return c.answer, err
	}
	turn.Owner = e.isOwner(r.Sender)
	if err := c.run(ctx, turn, e.options().Capture.Settings); err != nil {
		return c.answer, err
	}
	if r.Preview {
		return c.answer, nil
	}
	return c.answer, c.record(ctx, e.options().Receipts, millisecondsSince(start))
}

// capturing is one request under way.
type capturing struct {
	*workspaceState
	request   memory.CaptureRequest
	by        audience.Author
	now       time.Time
	history   index.CaptureHistory
	marks     []index.CaptureMark
	texts     []string             // names of the texts that were stored, see textName
	sentAt    map[string]time.Time // by message, where it is known
	partly    map[string]bool      // messages of which something was left out by the limit
	repeated  map[string]bool      // messages that this user says, as another one did before
	kept      []memory.Memory      // new memories of this request
	answer    memory.CaptureAnswer
	filtered  map[string]int // what was left out, by reason
	extracted int
	noEmbed   string // why candidates were not compared by their vectors
	command   plan.Command
}

// newMessages returns the messages that no earlier request of the session offered.
// An assistant's last message is offered again, because the answer to it is to come.
func (c *capturing) newMessages(ctx context.Context) (turn capture.Turn, err error) {
	turn.Trigger = c.request.Trigger
	messages := withKeys(c.request)
	if c.sentAt, err = c.timesOf(messages); err != nil {
		return turn, err
	}
	if c.history, err = c.db.CaptureHistory(ctx, c.request.Session, c.namesOf(messages), c.now.Add(-burstWindow), c.now); err != nil {
		return turn, err
	}
	c.partly, c.repeated = map[string]bool{}, c.repeatedByUser(messages)
	last := len(messages) // the first of the assistant's messages that nobody has answered
	for last > 0 && messages[last-1].Role == capture.RoleAssistant {
		last--
	}
	size := 0
	for i, m := range messages {
		if c.history.Known[m.Key] && !c.repeated[m.Key] && !c.request.Preview {
			continue
		}
		if size += len(m.Text); size > maxTextBytes {
			c.skip(m.Key, capture.SkipLimit, "", "")
			continue
		}
		if i < last {
			c.marks = append(c.marks, index.CaptureMark{Name: m.Key, Outcome: index.CaptureSeen})
			if c.isNamedByContent(i, m) {
				c.marks = append(c.marks, index.CaptureMark{Name: c.saidByUser(m.Key), Outcome: index.CaptureSeen})
			}
		}
		turn.Messages = append(turn.Messages, m)
	}
	return turn, nil
}

// withKeys returns the messages of a request, each with a key.
func withKeys(r memory.CaptureRequest) (messages []capture.Message) {
	keys := memory.CaptureKeys(r.Messages)
	for i, m := range r.Messages {
		text := string(m.Content)
		if r.Success != nil && !*r.Success && m.Role == capture.RoleAssistant {
			text = ""
		}
		messages = append(messages, capture.Message{Key: keys[i], Role: m.Role, Text: text})
	}
	return messages
}

// timesOf returns when the messages were sent. A time in the future is now.
func (c *capturing) timesOf(messages []capture.Message) (map[string]time.Time, error) {
	times := map[string]time.Time{}
	for i, m := range c.request.Messages {
		if m.At == "" {
			continue
		}
		at, _, err := memory.ReadTime(m.At, c.zone())
		if err != nil {
			return nil, memory.Invalid("messages", "at: %s", err)
		}
		if at.Before(c.now) {
			times[messages[i].Key] = at
		}
	}
	return times, nil
}

// namesOf returns the names of the marks that show which messages are known.
func (c *capturing) namesOf(messages []capture.Message) (names []string) {
	for i, m := range messages {
		names = append(names, m.Key)
		if c.isNamedByContent(i, m) {
			names = append(names, c.saidByUser(m.Key))
		}
	}
	return names
}

// isNamedByContent reports whether another user who says the same has the same key.
func (c *capturing) isNamedByContent(i int, m capture.Message) bool {
	return c.by.User != "" && m.Role == capture.RoleUser && c.request.Messages[i].Key == ""
}

// saidByUser returns the name of the mark that this user said a message.
func (c *capturing) saidByUser(key string) string { return key + "\x00\x00" + c.by.User }

// repeatedByUser returns the last message of the user, if another user of the session
// said the same before. A host sends the messages of all users again with the sender of
// the last one, so no other message is surely this user's.
func (c *capturing) repeatedByUser(messages []capture.Message) map[string]bool {
	for i, m := range slices.Backward(messages) {
		if m.Role == capture.RoleUser {
			known := c.history.Known
			return map[string]bool{m.Key: c.isNamedByContent(i, m) && known[m.Key] && !known[c.saidByUser(m.Key)]}
		}
	}
	return nil
}

// markName returns the beginning of the names of marks about a message's texts.
func (c *capturing) markName(key string) string {
	if c.repeated[key] {
		return c.saidByUser(key)
	}
	return key
}

// skip lists something that was left out.
func (c *capturing) skip(key, reason string, id memory.ID, detail string) {
	c.answer.Skipped = append(c.answer.Skipped, memory.CaptureSkipped{Key: key, Reason: reason, ID: id, Detail: detail})
	c.filtered[reason]++
}

// record stores which messages were examined, and the receipt, in one transaction.
func (c *capturing) record(ctx context.Context, o ReceiptOptions, tookMS float64) error {
	marks := slices.DeleteFunc(c.marks, func(m index.CaptureMark) bool {
		key, _, _ := strings.Cut(m.Name, "\x00\x00")
		return m.Outcome == index.CaptureSeen && c.partly[key]
	})
	var receipts []memory.Receipt
	if !o.Off {
		c.answer.Receipt = uuid.NewString()
		receipts = append(receipts, c.receipt(tookMS))
	}
	return c.db.Update(ctx, c.now, func(tx *index.Tx) error {
		if err := errors.Join(tx.AddCaptures(c.request.Session, marks), tx.NoteCaptured(c.texts)); err != nil {
			return err
		}
		return uses.PutReceipts(tx, receipts, o.Keep)
	})
}

// receipt returns the receipt of the request: figures and ids, never a text.
func (c *capturing) receipt(tookMS float64) memory.Receipt {
	stored, superseded, duplicates := len(c.kept), len(c.answer.Superseded), c.filtered[skipDuplicate]
	r := memory.Receipt{ID: c.answer.Receipt, At: c.now, Kind: memory.ReceiptCapture, Session: c.request.Session, Agent: c.request.Agent,
		User: c.request.Sender.ID(), Candidates: map[memory.Tier]int{}, Selected: map[memory.Tier]int{}, Rejected: map[string]int{},
		Lanes: map[memory.Lane]string{}, TookMS: tookMS,
		Schema: memory.CaptureReceiptSchema, Extracted: &c.extracted, Filtered: c.filtered, Stored: &stored, Duplicates: &duplicates, Superseded: &superseded}
	for _, m := range c.kept {
		r.IDs = append(r.IDs, m.ID)
	}
	if c.noEmbed != "" {
		r.EmbeddingSkipped = &c.noEmbed
	}
	return r
}

// addStoppedCaptures reports the sessions that offered too much.
func (s *workspaceState) addStoppedCaptures(ctx context.Context, now time.Time, w *memory.WorkspaceStatus) error {
	stopped, err := s.db.StoppedCaptures(ctx, now.Add(-stopFor), now)
	for _, session := range stopped {
		w.Notices = append(w.Notices, fmt.Sprintf("capture has stopped for 24 hours in the session %q, which offered more than %d memories or %d near-duplicates in an hour", session, maxPerHour, maxRepeated))
	}
	return err
}
