package contexts

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
)

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
