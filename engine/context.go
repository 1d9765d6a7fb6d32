package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/redact"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// Context returns the current context of a user, or everybody's. One that repeats a
// forgotten text is not returned.
func (e *Engine) Context(ctx context.Context, r memory.ContextOf) (memory.ContextAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = r.Sender.Check()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	current, err := s.visibleContext(ctx, e.now(), e.contextsOf(r.Sender, memory.AudiencePerson))
	return memory.ContextAnswer{Context: current}, err
}

// contextsOf returns the users of whose current contexts a sender gets the first one: the
// sender, under each name, then everybody.
func (e *Engine) contextsOf(s memory.Sender, who memory.Audience) []string {
	return append(slices.Clone(e.authorOf(s, who, "").Names), "")
}

// maxContext bounds the current context in bytes. It precedes every prompt, so it
// is as short as a stored memory.
const maxContext = maxStored

// maxContextHours bounds the time to live of the current context: ten years. A
// longer one is a mistake.
const maxContextHours = 24 * 366 * 10

// minContextTTL is the shortest time to live: the database stores milliseconds.
const minContextTTL = time.Millisecond

// SetContext sets the current context until its time to live ends.
func (e *Engine) SetContext(ctx context.Context, r memory.ContextRequest) (memory.ContextAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = r.Sender.Check()
	}
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	text := strings.TrimSpace(strings.ToValidUTF8(r.Text, "\uFFFD"))
	if text == "" || len(text) > maxContext {
		return memory.ContextAnswer{}, memory.Invalid("text", "a current context has 1 to %d bytes, this one has %d", maxContext, len(text))
	}
	ttl := e.options().ContextTTL
	if r.TTLHours != nil {
		if !(*r.TTLHours > 0 && *r.TTLHours <= maxContextHours) {
			return memory.ContextAnswer{}, memory.Invalid("ttl_hours", "the time to live must be more than 0 and at most 10 years; it is %s hours", strconv.FormatFloat(*r.TTLHours, 'f', -1, 64)).
				WithHint("a duration such as 30m or 4h")
		}
		ttl = max(minContextTTL, time.Duration(*r.TTLHours*float64(time.Hour)))
	}
	forgotten, err := s.db.ForgottenTexts(ctx)
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	if redact.RepeatsForgotten(text, forgotten) {
		return memory.ContextAnswer{}, memory.Conflict("the context repeats a text that is forgotten").
			WithHint("leave it out, or restore its memory first")
	}
	now := e.now()
	user := e.authorOf(r.Sender, memory.AudiencePerson, "").User
	row := contextRow(now, memory.AuditSetContext, user)
	err = s.db.Update(ctx, now, func(tx *index.Tx) error {
		return errors.Join(tx.SetContext(row.Batch, user, text, now.Add(ttl)), tx.Audit(row))
	})
	if err != nil {
		return memory.ContextAnswer{}, err
	}
	current, err := s.visibleContext(ctx, now, e.contextsOf(r.Sender, memory.AudiencePerson)) // as it was set, however soon it ends
	return memory.ContextAnswer{Context: current, Notice: s.longContextNotice(current)}, err
}

// longContextNotice warns of a context that may be cut in the blocks, or is empty.
func (s *workspaceState) longContextNotice(current *memory.Context) string {
	tokens := s.models.RecallSettings().MaxTokens
	if current == nil || !recall.CutsContext(current, tokens) {
		return ""
	}
	return fmt.Sprintf("the current context has %d bytes, more than half of a block of %d tokens (injection.maxTokens): it is cut to what the memories leave", len(current.Text), tokens)
}

// contextRow returns the audit's row of a command that changes the current context of a
// user, or everybody's.
func contextRow(now time.Time, action, user string) memory.AuditRow {
	row := memory.AuditRow{At: now, Action: action, Source: "cli", Batch: uuid.NewString()}
	if user != "" {
		row.New = map[string]any{contextUser: user}
	}
	return row
}

// contextUser is the key of the user in such a row.
const contextUser = "user"

// ClearContext removes the current context of a user, or everybody's.
func (e *Engine) ClearContext(ctx context.Context, r memory.ContextOf) error {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = r.Sender.Check()
	}
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return err
	}
	now := e.now()
	user := e.authorOf(r.Sender, memory.AudiencePerson, "").User
	row := contextRow(now, memory.AuditClearContext, user)
	return s.db.Update(ctx, now, func(tx *index.Tx) error {
		cleared, err := tx.ClearContext(row.Batch, user)
		if err != nil || !cleared {
			return err
		}
		return tx.Audit(row)
	})
}

// visibleContext returns the first current context that is set of some users, or nil if
// there is none or it repeats a forgotten text.
func (s *workspaceState) visibleContext(ctx context.Context, now time.Time, users []string) (*memory.Context, error) {
	current, err := s.db.Context(ctx, now, users)
	if err != nil || current == nil {
		return nil, err
	}
	forgotten, err := s.db.ForgottenTexts(ctx)
	if err != nil || s.contextRepeats(current.Text, forgotten) {
		return nil, err
	}
	return current, nil
}

// contextCheck is whether a current context repeats one of some forgotten texts.
type contextCheck struct {
	text      string
	forgotten [sha256.Size]byte // digest of the forgotten texts
	repeats   bool
}

// contextRepeats is [redact.RepeatsForgotten], and remembers the last result: every recall
// asks for it.
func (s *workspaceState) contextRepeats(text string, forgotten index.ForgottenTexts) bool {
	check := contextCheck{text: text, forgotten: forgotten.Digest()}
	if last := s.contextCheck.Load(); last != nil && last.text == check.text && last.forgotten == check.forgotten {
		return last.repeats
	}
	check.repeats = redact.RepeatsForgotten(text, forgotten)
	s.contextCheck.Store(&check)
	return check.repeats
}
