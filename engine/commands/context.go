package commands

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/secrets"
	"github.com/memory-tiered/memory/recall"
)

// maxContext bounds the current context. It precedes every prompt, so it is as short as a
// stored memory.
const maxContext = 10_000

// maxHours bounds the time to live of the current context: ten years. A
// longer one is a mistake.
const maxHours = 24 * 366 * 10

// minTTL is the shortest time to live: the database stores milliseconds.
const minTTL = time.Millisecond

// ValidateContext returns the text of a request and its time to live, which is byDefault where the
// request names none.
func ValidateContext(r memory.ContextRequest, byDefault time.Duration) (text string, ttl time.Duration, err error) {
	text = strings.TrimSpace(strings.ToValidUTF8(r.Text, "\uFFFD"))
	if text == "" || len(text) > maxContext {
		return "", 0, memory.Invalid("text", "a current context has 1 to %d bytes, this one has %d", maxContext, len(text))
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

// SetContext sets the current context of a user, or everybody's, until its time to live ends.
// None is set that repeats a forgotten text.
func (c Commands) SetContext(ctx context.Context, now time.Time, user, text string, ttl time.Duration) error {
	hidden, err := c.DB.Hidden(ctx, memory.View{})
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
	p := planContext(now, memory.AuditSetContext, user)
	p.Then = append(p.Then, func(tx *index.Tx) error { return tx.SetContext(p.Batch, user, text, now.Add(ttl)) })
	_, err = c.Apply(ctx, now, p, memory.DecideRequest{})
	return err
}

// ClearContext removes the current context of a user, or everybody's. It reports whether there
// was one.
func (c Commands) ClearContext(ctx context.Context, now time.Time, user string) (cleared bool, err error) {
	p := planContext(now, memory.AuditClearContext, user)
	err = c.DB.Update(ctx, now, func(tx *index.Tx) (err error) {
		cleared, err = tx.ClearContext(p.Batch, user)
		if err != nil || !cleared {
			return err
		}
		return tx.Audit(p.Rows...)
	})
	return cleared, err
}

// planContext returns the plan of a command that changes the current context of a user, or
// everybody's.
func planContext(now time.Time, action memory.Action, user string) *plan.Plan {
	p := plan.New(now, action, "", false)
	p.Rows = []memory.AuditRow{{At: now, Action: p.Action, Source: p.Source, Batch: p.Batch}}
	if user != "" {
		p.Rows[0].New = map[string]any{userKey: user}
	}
	return p
}

// userKey is the key of the user in such a row.
const userKey = "user"

// LongContextNotice warns of a context that may be cut in blocks of so many tokens. It is empty for
// others.
func LongContextNotice(current *memory.Context, tokens int) string {
	if current == nil || !recall.CutsContext(current, tokens) {
		return ""
	}
	return fmt.Sprintf("the current context has %d bytes, more than half of a block of %d tokens (injection.maxTokens): it is cut to what the memories leave", len(current.Text), tokens)
}

// isContextChange reports whether a command set or cleared the current context.
func isContextChange(row memory.AuditRow) bool {
	return row.Action == memory.AuditSetContext || row.Action == memory.AuditClearContext
}

// restoreContext plans to make the context current again that a command replaced or cleared.
func (c Commands) restoreContext(p *plan.Plan, row memory.AuditRow) {
	user, _ := row.New[userKey].(string) // without one: everybody's
	p.Then = append(p.Then, func(tx *index.Tx) error {
		restored, err := tx.RestoreContext(row.Batch, user)
		notice := "no current context is set any more; the one before has expired, or there was none"
		if restored {
			notice = "the former context is current again"
		}
		p.Notices = append(p.Notices, notice)
		return err
	})
}

// VisibleContext returns the first current context that is set of some users. It is nil if there
// is none, or if it repeats what is hidden from a view.
func VisibleContext(ctx context.Context, db *index.DB, now time.Time, v memory.View, users []string) (*memory.Context, error) {
	current, err := db.Context(ctx, now, users)
	if err != nil || current == nil {
		return nil, err
	}
	hidden, err := db.Hidden(ctx, v)
	if err != nil || hidden.Hides(current.Text, nil) {
		return nil, err
	}
	return current, nil
}
