package engine

import (
	"context"
	"encoding/json"
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
	told    []memory.Receipt // of what was delivered, oldest first
}

type offer struct {
	session string
	ids     []memory.ID
	receipt *memory.Receipt // nil: none is kept
}

// maxOffered bounds the answers whose delivery is still to be heard of: one
// that nobody confirms is forgotten after so many others.
const maxOffered = 1024

func newUses() *uses { return &uses{offered: map[string]offer{}} }

// offer remembers what an answer holds until it is known to have arrived. kept
// may be nil.
func (u *uses) offer(receipt, session string, hits []memory.Hit, kept *memory.Receipt) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	if session == "" {
		session = receipt // a recall without a session is a session of its own
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.offered[receipt] = offer{session, ids, kept}
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
	if o.receipt != nil {
		u.told = append(u.told, *o.receipt)
		u.told = u.told[max(0, len(u.told)-maxOffered):]
	}
}

// receipts are those that are not written to the index yet.
func (u *uses) receipts() []memory.Receipt {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.told)
}

func (u *uses) pending() []index.Use {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.due)
}

// written drops what is in the index now: the n oldest pending uses, and the
// receipts up to this one.
func (u *uses) written(n int, receipts []memory.Receipt) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.due = slices.Clone(u.due[n:])
	if len(receipts) > 0 {
		last := receipts[len(receipts)-1].ID
		u.told = slices.Clone(u.told[slices.IndexFunc(u.told, func(r memory.Receipt) bool { return r.ID == last })+1:])
	}
}

// flush writes pending uses and receipts to the index.
func (s *space) flush(ctx context.Context, keep time.Duration) error {
	due, told := s.uses.pending(), s.uses.receipts()
	if len(due)+len(told) == 0 || s.isFrozen() {
		return nil
	}
	var now time.Time
	if len(due) > 0 {
		now = due[len(due)-1].At
	} else {
		now = told[len(told)-1].At
	}
	err := s.db.Update(ctx, now, func(tx *index.Tx) error {
		if err := tx.AddUses(due); err != nil {
			return err
		}
		return putReceipts(tx, told, keep)
	})
	if err == nil {
		s.uses.written(len(due), told)
	}
	return err
}

func putReceipts(tx *index.Tx, told []memory.Receipt, keep time.Duration) error {
	for _, r := range told {
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := tx.PutReceipt(index.Receipt{ID: r.ID, At: r.At, Kind: r.Kind, Session: r.Session, Body: body}); err != nil {
			return err
		}
	}
	if keep <= 0 {
		return nil
	}
	return tx.DropReceipts(tx.Now.Add(-keep))
}

// Flush writes the uses and receipts of every workspace that are still in memory.
func (e *Engine) Flush(ctx context.Context) error {
	for _, s := range e.all() {
		if s.failed == nil && !e.o.ReadOnly {
			if err := s.flush(ctx, e.o.Receipts.Keep); err != nil {
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
	return o.uses.counted(memories), err
}

// counted adds the pending uses to memories as the index has them.
func (u *uses) counted(memories []memory.Memory) []memory.Memory {
	if due := u.pending(); len(due) > 0 {
		for i := range memories {
			memories[i] = used(memories[i], due)
		}
	}
	return memories
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
