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
	sums    map[memory.ID]*used // of due
	told    []memory.Receipt    // of what was delivered, oldest first
}

// used is what has been delivered of one memory: a use a session and day.
type used struct {
	once map[session]bool
	days []string
	last time.Time
}

type session struct{ name, day string }

type offer struct {
	session string
	ids     []memory.ID
	receipt *memory.Receipt // nil: none is kept
}

// maxOffered bounds the answers whose delivery is still to be heard of: one
// that nobody confirms is forgotten after so many others.
const maxOffered = 1024

func newUses() *uses { return &uses{offered: map[string]offer{}, sums: map[memory.ID]*used{}} }

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
		u.add(index.Use{ID: id, Session: o.session, At: at})
	}
	if o.receipt != nil {
		u.told = append(u.told, *o.receipt)
		u.told = u.told[max(0, len(u.told)-maxOffered):]
	}
}

// add notes one use. The caller holds the lock.
func (u *uses) add(use index.Use) {
	u.due = append(u.due, use)
	sum := u.sums[use.ID]
	if sum == nil {
		sum = &used{once: map[session]bool{}}
		u.sums[use.ID] = sum
	}
	day := use.At.UTC().Format(time.DateOnly)
	sum.once[session{use.Session, day}] = true
	if use.At.After(sum.last) {
		sum.last = use.At
	}
	if !slices.Contains(sum.days, day) {
		sum.days = append(sum.days, day)
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
	rest := u.due[n:]
	u.due, u.sums = nil, map[memory.ID]*used{}
	for _, use := range rest {
		u.add(use)
	}
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

// FlushUses writes the uses and receipts of every workspace that are still in memory.
func (e *Engine) FlushUses(ctx context.Context) error {
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
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.sums) == 0 {
		return memories
	}
	for i := range memories {
		if sum := u.sums[memories[i].ID]; sum != nil {
			sum.count(&memories[i])
		}
	}
	return memories
}

// count adds them to what the index has of a memory.
func (u *used) count(m *memory.Memory) {
	m.UseCount += len(u.once)
	if last := u.last; m.LastAccessedAt == nil || last.After(*m.LastAccessedAt) {
		m.LastAccessedAt = &last
	}
	m.UseDays = slices.Clone(m.UseDays)
	for _, day := range u.days {
		if !slices.Contains(m.UseDays, day) {
			m.UseDays = append(m.UseDays, day)
		}
	}
}
