package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// uses holds what has been delivered and is not written to the index yet, so
// that counting a use never makes an answer wait for the disk, and a request
// that begins after an answer sees its uses all the same.
type uses struct {
	mu      sync.Mutex
	offered map[string]offer // receipt → what its answer holds, until it is delivered
	order   []string         // receipts, oldest first
	due     []index.Use
}

type offer struct {
	session string
	ids     []memory.ID
}

// maxOffered bounds the answers whose delivery is still to be heard of: one
// that nobody confirms is forgotten after so many others.
const maxOffered = 1024

func newUses() *uses { return &uses{offered: map[string]offer{}} }

// offer remembers what an answer holds until it is known to have arrived.
func (u *uses) offer(receipt, session string, hits []memory.Hit) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	if session == "" {
		session = receipt // a recall without a session is a session of its own
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.offered[receipt] = offer{session, ids}
	u.order = append(u.order, receipt)
	if len(u.order) > maxOffered {
		delete(u.offered, u.order[0])
		u.order = u.order[1:]
	}
}

// delivered turns an offer into uses.
func (u *uses) delivered(receipt string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	o, ok := u.offered[receipt]
	if !ok {
		return
	}
	delete(u.offered, receipt)
	u.order = slices.DeleteFunc(u.order, func(r string) bool { return r == receipt })
	for _, id := range o.ids {
		u.due = append(u.due, index.Use{ID: id, Session: o.session, At: at})
	}
}

func (u *uses) pending() []index.Use {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.due)
}

// written drops the n oldest pending uses: they are in the index now.
func (u *uses) written(n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.due = slices.Clone(u.due[n:])
}

// flush writes pending uses to the index.
func (s *space) flush(ctx context.Context) error {
	due := s.uses.pending()
	if len(due) == 0 || s.isFrozen() {
		return nil
	}
	if err := s.db.AddUses(ctx, due[len(due)-1].At, due); err != nil {
		return err
	}
	s.uses.written(len(due))
	return nil
}

// Flush writes the uses of every workspace that are still in memory.
func (e *Engine) Flush(ctx context.Context) error {
	for _, s := range e.all() {
		if s.failed == nil && !e.o.ReadOnly {
			if err := s.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// overlay is the index with the uses that are not in it yet.
type overlay struct {
	recall.Source
	uses *uses
}

func (o overlay) Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	memories, err := o.Source.Visible(ctx, ids, p)
	if due := o.uses.pending(); len(due) > 0 && err == nil {
		for i := range memories {
			memories[i] = used(memories[i], due)
		}
	}
	return memories, err
}

// used counts pending uses, once a session and day.
func used(m memory.Memory, due []index.Use) memory.Memory {
	type once struct{ session, day string }
	seen := map[once]bool{}
	for _, u := range due {
		key := once{u.Session, u.At.UTC().Format(time.DateOnly)}
		if u.ID != m.ID || seen[key] {
			continue
		}
		seen[key] = true
		m.UseCount++
		if at := u.At; m.LastAccessedAt == nil || at.After(*m.LastAccessedAt) {
			m.LastAccessedAt = &at
		}
		if !slices.Contains(m.UseDays, key.day) {
			m.UseDays = append(slices.Clone(m.UseDays), key.day)
		}
	}
	return m
}
