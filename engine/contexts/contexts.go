// Package contexts holds the current contexts of one index: what a user, or everybody, does now.
// None of them is returned that repeats a forgotten text.
package contexts

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/recall"
)

// Contexts are the current contexts of one index.
type Contexts struct{ db *index.DB }

// New returns the contexts of an index.
func New(db *index.DB) *Contexts { return &Contexts{db: db} }

// maxBytes bounds the current context. It precedes every prompt, so it is as short as a
// stored memory.
const maxBytes = 10_000

// maxHours bounds the time to live of the current context: ten years. A
// longer one is a mistake.
const maxHours = 24 * 366 * 10

// minTTL is the shortest time to live: the database stores milliseconds.
const minTTL = time.Millisecond

// Validate returns the text of a request and its time to live, which is byDefault where the
// request names none.
func Validate(r memory.ContextRequest, byDefault time.Duration) (text string, ttl time.Duration, err error) {
	text = strings.TrimSpace(strings.ToValidUTF8(r.Text, "\uFFFD"))
	if text == "" || len(text) > maxBytes {
		return "", 0, memory.Invalid("text", "a current context has 1 to %d bytes, this one has %d", maxBytes, len(text))
	}
	if r.TTLHours == nil {
		return text, byDefault, nil
	}
	if !(*r.TTLHours > 0 && *r.TTLHours <= maxHours) {
		return "", 0, memory.Invalid("ttl_hours", "the time to live must be more than 0 and at most 10 years; it is %s hours", strconv.FormatFloat(*r.TTLHours, 'f', -1, 64)).
			WithHint("a duration such as 30m or 4h")
	}
	return text, max(minTTL, time.Duration(*r.TTLHours*float64(time.Hour))), nil
}

// Set sets the current context of a user, or everybody's, until its time to live ends.
func (c *Contexts) Set(ctx context.Context, now time.Time, user, text string, ttl time.Duration) error {
	hidden, err := c.db.Hidden(ctx, memory.View{})
	if err != nil {
		return err
	}
	if hidden.Hides(text, nil) {
		return memory.Conflict("the context repeats a text that is forgotten").
			WithHint("leave it out, or restore its memory first")
	}
	if kind, found := secrets.Find(text); found {
		return &memory.Error{Kind: memory.ErrForbidden, Field: "text",
			Message: fmt.Sprintf("this does not become the current context, because it looks like it contains a secret (%s): a context is put into every prompt", kind)}
	}
	row := auditRow(now, memory.AuditSetContext, user)
	return c.db.Update(ctx, now, func(tx *index.Tx) error {
		return errors.Join(tx.SetContext(row.Batch, user, text, now.Add(ttl)), tx.Audit(row))
	})
}

// Clear removes the current context of a user, or everybody's. It reports whether there was
// one.
func (c *Contexts) Clear(ctx context.Context, now time.Time, user string) (cleared bool, err error) {
	row := auditRow(now, memory.AuditClearContext, user)
	err = c.db.Update(ctx, now, func(tx *index.Tx) (err error) {
		cleared, err = tx.ClearContext(row.Batch, user)
		if err != nil || !cleared {
			return err
		}
		return tx.Audit(row)
	})
	return cleared, err
}

// auditRow returns the audit's row of a command that changes the current context of a
// user, or everybody's.
func auditRow(now time.Time, action, user string) memory.AuditRow {
	row := memory.AuditRow{At: now, Action: action, Source: "cli", Batch: uuid.NewString()}
	if user != "" {
		row.New = map[string]any{userKey: user}
	}
	return row
}

// userKey is the key of the user in such a row.
const userKey = "user"

// LongNotice warns of a context that may be cut in blocks of so many tokens. It is empty for
// others.
func LongNotice(current *memory.Context, tokens int) string {
	if current == nil || !recall.CutsContext(current, tokens) {
		return ""
	}
	return fmt.Sprintf("the current context has %d bytes, more than half of a block of %d tokens (injection.maxTokens): it is cut to what the memories leave", len(current.Text), tokens)
}

// IsChange reports whether a command set or cleared the current context.
func IsChange(row memory.AuditRow) bool {
	return row.Action == memory.AuditSetContext || row.Action == memory.AuditClearContext
}

// Undo makes the context current again that a command replaced or cleared.
func (c *Contexts) Undo(ctx context.Context, now time.Time, r memory.DecideRequest, row memory.AuditRow) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	if r.Preview {
		return a, nil
	}
	p := plan.New(now, memory.ActionUndo, r.Source, false)
	p.RecordUndo(row.Batch, []memory.AuditRow{row})
	restored := false
	user, _ := row.New[userKey].(string) // without one: everybody's
	err := c.db.Update(ctx, now, func(tx *index.Tx) (err error) {
		if restored, err = tx.RestoreContext(row.Batch, user); err != nil {
			return err
		}
		return tx.Audit(p.Rows...)
	})
	if err != nil {
		return a, err
	}
	a.Batch = p.Batch
	a.Notices = append(a.Notices, "no current context is set any more; the one before has expired, or there was none")
	if restored {
		a.Notices[0] = "the former context is current again"
	}
	return a, nil
}

// Visible returns the first current context that is set of some users. It is nil if there is
// none, or if it repeats what is hidden from a view.
func (c *Contexts) Visible(ctx context.Context, now time.Time, v memory.View, users []string) (*memory.Context, error) {
	current, err := c.db.Context(ctx, now, users)
	if err != nil || current == nil {
		return nil, err
	}
	hidden, err := c.db.Hidden(ctx, v)
	if err != nil || hidden.Hides(current.Text, nil) {
		return nil, err
	}
	return current, nil
}
