// Package capturing keeps what is worth keeping of conversations as memories.
package capturing

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
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/store"
	"github.com/memory-tiered/memory/index"
)

// The limits of capture. They keep one conversation from filling the notes.
const (
	maxPerCapture = 3              // new memories of one request
	maxPerHour    = 20             // new memories of one session in an hour
	maxRepeated   = 5              // near-duplicates of one session in an hour
	stopFor       = 24 * time.Hour // how long a session that exceeds them is ignored
	burstWindow   = time.Hour      // the hour of these limits
	maxMessages   = 10_000         // of one request
	maxTextBytes  = 1 << 20        // bytes of text of one request that are examined
)

// Reasons of this package why a candidate is left out, beside those of package
// capture.
const (
	skipDuplicate = "duplicate"
	skipForgotten = "forgotten"
	skipBurst     = "burst"
	skipDisabled  = "disabled"
	skipSeen      = "seen"    // stored from this message by an earlier request
	skipDeleted   = "deleted" // captured before, and a person deleted or reworded the line
)

// Keeper keeps what is worth keeping of conversations, in one workspace. Unless the request is a
// preview, the caller holds the lock of ingests.
type Keeper struct {
	store.Writer
}

// Request is a request to capture, with what the engine knows of it.
type Request struct {
	memory.CaptureRequest
	Author    lookup.Author
	FromOwner bool
	Settings  capture.Settings
	Receipts  receipts.Options
	Now       time.Time
	Took      func() float64 // milliseconds since the request came
}

// Validate returns what is wrong with a request.
func Validate(r memory.CaptureRequest) error {
	if r.Command != "" && uuid.Validate(r.Command) != nil {
		return memory.Invalid("command", "%q is not a UUID", r.Command).WithHint("a random UUID names one command of a person; leave it out otherwise")
	}
	if err := r.Sender.Check(); err != nil {
		return err
	}
	if len(r.Messages) > maxMessages {
		return memory.Invalid("messages", "%d messages are too many", len(r.Messages)).WithHint("send at most %d at once", maxMessages)
	}
	return nil
}

// Disabled returns the answer to a request while nothing is captured.
func Disabled(r memory.CaptureRequest) memory.CaptureAnswer {
	c := newCapturing(Keeper{}, Request{CaptureRequest: r})
	c.skip("", skipDisabled, "", "")
	return c.answer
}

// Capture keeps what is worth keeping of the new messages of a request.
func (k Keeper) Capture(ctx context.Context, q Request) (memory.CaptureAnswer, error) {
	c := newCapturing(k, q)
	if c.command = plan.NewCommand("capture"); q.Command != "" {
		c.command = plan.Command{Source: "cli", Batch: q.Command}
	}
	turn, err := c.newMessages(ctx)
	if err != nil || len(turn.Messages) == 0 {
		return c.answer, err
	}
	turn.Owner = q.FromOwner
	c.markTopic(turn)
	if err := c.run(ctx, turn, q.Settings); err != nil {
		return c.answer, err
	}
	if q.Preview {
		return c.answer, nil
	}
	return c.answer, c.record(ctx, q.Receipts, q.Took())
}

func newCapturing(k Keeper, q Request) *capturing {
	return &capturing{Keeper: k, request: q, by: q.Author, now: q.Now, filtered: map[string]int{},
		answer: memory.CaptureAnswer{Action: "capture", Preview: q.Preview}}
}

// capturing is one request under way.
type capturing struct {
	Keeper
	request   Request
	by        lookup.Author
	now       time.Time
	history   index.CaptureHistory
	marks     []index.CaptureMark
	texts     []string             // names of the texts that were stored, see TextName
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

// skip lists something that was left out.
func (c *capturing) skip(key, reason string, id memory.ID, detail string) {
	c.answer.Skipped = append(c.answer.Skipped, memory.CaptureSkipped{Key: key, Reason: reason, ID: id, Detail: detail})
	c.filtered[reason]++
}

// leaveOut lists a candidate that is left out. If the user asked to keep it, the list tells why
// it is not kept.
func (c *capturing) leaveOut(candidate capture.Candidate, reason, detail string) {
	c.skip(candidate.Key, reason, "", detail)
	if candidate.Explicit {
		c.answer.Skipped[len(c.answer.Skipped)-1].NotKept = notKept(reason, detail)
	}
}

// notKept returns why a text is not kept, for the user who asked to keep it.
func notKept(reason, detail string) string {
	switch reason {
	case capture.SkipSecret:
		if detail == "" {
			return "it looks like a secret"
		}
		return fmt.Sprintf("it looks like a secret (%s)", detail)
	case skipForgotten:
		return "the same text was forgotten before, and only a restore brings it back"
	case skipDeleted:
		return "it was kept before, and a person deleted it since"
	case capture.SkipPrivate:
		return "the message says that it is private"
	case capture.SkipTooShort:
		return "it is too short to mean something later"
	case capture.SkipTooLong:
		return "it is too long for one memory"
	case capture.SkipLimit, skipBurst:
		return "too much was to be kept at once"
	case capture.SkipForget, capture.SkipJoke:
		return "the user takes it back"
	case capture.SkipQuoted:
		return "it is quoted or pasted text, or looks like code"
	case capture.SkipVague:
		return "the message does not tell what to keep"
	case capture.SkipInstruction:
		return "it tells the agent how to behave, and only the owner may"
	}
	return "it looks like nothing to keep: " + strings.ReplaceAll(reason, "_", " ")
}

// record stores which messages were examined, and the receipt, in one transaction.
func (c *capturing) record(ctx context.Context, o receipts.Options, tookMS float64) error {
	marks := slices.DeleteFunc(c.marks, func(m index.CaptureMark) bool {
		key, _, _ := strings.Cut(m.Name, "\x00\x00")
		return m.Outcome == index.CaptureSeen && c.partly[key]
	})
	var made []memory.Receipt
	if !o.Off {
		c.answer.Receipt = uuid.NewString()
		made = append(made, c.receipt(tookMS))
	}
	return c.DB.Update(ctx, c.now, func(tx *index.Tx) error {
		if err := errors.Join(tx.AddCaptures(c.request.Session, marks), tx.NoteCaptured(c.texts)); err != nil {
			return err
		}
		return receipts.Put(tx, made, o.Keep)
	})
}

// receipt returns the receipt of the request: figures and ids, never a text.
func (c *capturing) receipt(tookMS float64) memory.Receipt {
	stored, superseded, duplicates := len(c.kept), len(c.answer.Superseded), c.filtered[skipDuplicate]
	r := memory.Receipt{ID: c.answer.Receipt, At: c.now, Kind: memory.ReceiptCapture, Session: c.request.Session, Agent: c.request.Agent,
		User: c.request.Sender.ID(), Candidates: map[memory.Tier]int{}, Selected: map[memory.Tier]int{}, Rejected: map[string]int{},
		Lanes: map[memory.Lane]string{}, TookMS: tookMS,
		Schema: receiptSchema, Extracted: &c.extracted, Filtered: c.filtered, Stored: &stored, Duplicates: &duplicates, Superseded: &superseded}
	r.IDs = memory.IDsOf(c.kept)
	if c.noEmbed != "" {
		r.EmbeddingSkipped = &c.noEmbed
	}
	return r
}

// Notices reports the sessions that offered too much.
func Notices(ctx context.Context, db *index.DB, now time.Time) (notices []string, err error) {
	stopped, err := db.StoppedCaptures(ctx, now.Add(-stopFor), now)
	for _, session := range stopped {
		notices = append(notices, fmt.Sprintf("capture has stopped for 24 hours in the session %q, which offered more than %d memories or %d near-duplicates in an hour", session, maxPerHour, maxRepeated))
	}
	return notices, err
}

// receiptSchema names the fields of a capture's receipt.
const receiptSchema = "memory-tiered.autoCapture.receipt.v1"
