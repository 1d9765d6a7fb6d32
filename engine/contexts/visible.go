package contexts

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/redact"
	"github.com/memory-tiered/memory/index"
)

// Visible returns the first current context that is set of some users, or nil if
// there is none or it repeats a forgotten text.
func (c *Contexts) Visible(ctx context.Context, now time.Time, users []string) (*memory.Context, error) {
	current, err := c.db.Context(ctx, now, users)
	if err != nil || current == nil {
		return nil, err
	}
	forgotten, err := c.db.ForgottenTexts(ctx)
	if err != nil || c.repeats(current.Text, forgotten) {
		return nil, err
	}
	return current, nil
}

// check is whether a current context repeats one of some forgotten texts.
type check struct {
	text      string
	forgotten [sha256.Size]byte // digest of the forgotten texts
	repeats   bool
}

// repeats is [redact.RepeatsForgotten], and remembers the last result: every recall
// asks for it.
func (c *Contexts) repeats(text string, forgotten index.ForgottenTexts) bool {
	one := check{text: text, forgotten: forgotten.Digest()}
	if last := c.check.Load(); last != nil && last.text == one.text && last.forgotten == one.forgotten {
		return last.repeats
	}
	one.repeats = redact.RepeatsForgotten(text, forgotten)
	c.check.Store(&one)
	return one.repeats
}
