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

// useBuffer holds delivered uses and receipts that are not written to the index
// yet. An answer never waits for the disk to count a use, and every later request
// sees its uses.
type useBuffer struct {
	mu         sync.Mutex
	offered    map[string]offer // by receipt: what an answer holds, until it is delivered
	offerOrder []string         // receipts, oldest first
	due        []index.Use
	byMemory   map[memory.ID]*memoryUses // sums of due
	receipts   []memory.Receipt          // of delivered answers, oldest first
}

// memoryUses sums the uses of one memory; a session counts once a day.
type memoryUses struct {
	sessions map[sessionDay]bool
	days     []string
	last     time.Time
}

type sessionDay struct{ name, day string }

type offer struct {
	session string
	ids     []memory.ID
	receipt *memory.Receipt // nil: receipts are turned off
}

// maxOffers bounds the answers whose delivery is unconfirmed; the oldest is
// dropped.
const maxOffers = 1024

func newUseBuffer() *useBuffer {
	return &useBuffer{offered: map[string]offer{}, byMemory: map[memory.ID]*memoryUses{}}
}

// Delivered records that the answer with this receipt reached its reader, which
// counts its memories as used.
func (e *Engine) Delivered(_ context.Context, workspace, receipt string) error {
	s, err := e.lookup(workspace)
	if err == nil {
		s.uses.confirm(receipt, e.now())
	}
	return err
}

// FlushUses writes the pending uses and receipts of every workspace.
func (e *Engine) FlushUses(ctx context.Context) error {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !e.options.ReadOnly {
			if err := s.flush(ctx, e.options.Receipts.Keep); err != nil {
				return err
			}
		}
	}
	return nil
}

// addOffer stores what an answer holds until its delivery is confirmed. receipt may
// be nil.
func (u *useBuffer) addOffer(id, session string, hits []memory.Hit, receipt *memory.Receipt) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	if session == "" {
		session = id // each recall without a session counts as a session
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.offered[id] = offer{session, ids, receipt}
	u.offerOrder = append(u.offerOrder, id)
	if len(u.offerOrder) > maxOffers {
		delete(u.offered, u.offerOrder[0])
		u.offerOrder = u.offerOrder[1:]
	}
}

// confirm turns a delivered offer into uses.
func (u *useBuffer) confirm(receipt string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	o, ok := u.offered[receipt]
	if !ok {
		return
	}
	delete(u.offered, receipt)
	u.offerOrder = slices.DeleteFunc(u.offerOrder, func(r string) bool { return r == receipt })
	for _, id := range o.ids {
		u.add(index.Use{ID: id, Session: o.session, At: at})
	}
	if o.receipt != nil {
		u.receipts = append(u.receipts, *o.receipt)
		u.receipts = u.receipts[max(0, len(u.receipts)-maxOffers):]
	}
}

// add counts one use. The caller holds the lock.
func (u *useBuffer) add(use index.Use) {
	u.due = append(u.due, use)
	sum := u.byMemory[use.ID]
	if sum == nil {
		sum = &memoryUses{sessions: map[sessionDay]bool{}}
		u.byMemory[use.ID] = sum
	}
	day := use.At.UTC().Format(time.DateOnly)
	sum.sessions[sessionDay{use.Session, day}] = true
	if use.At.After(sum.last) {
		sum.last = use.At
	}
	if !slices.Contains(sum.days, day) {
		sum.days = append(sum.days, day)
	}
}

// pendingReceipts returns the receipts that are not written to the index yet.
func (u *useBuffer) pendingReceipts() []memory.Receipt {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.receipts)
}

func (u *useBuffer) pendingUses() []index.Use {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.due)
}

// drop removes what the index now has: the n oldest uses, and these receipts.
func (u *useBuffer) drop(n int, receipts []memory.Receipt) {
	u.mu.Lock()
	defer u.mu.Unlock()
	rest := u.due[n:]
	u.due, u.byMemory = nil, map[memory.ID]*memoryUses{}
	for _, use := range rest {
		u.add(use)
	}
	if len(receipts) > 0 {
		last := receipts[len(receipts)-1].ID
		u.receipts = slices.Clone(u.receipts[slices.IndexFunc(u.receipts, func(r memory.Receipt) bool { return r.ID == last })+1:])
	}
}

// flush writes pending uses and receipts to the index.
func (s *workspaceState) flush(ctx context.Context, retention time.Duration) error {
	due, receipts := s.uses.pendingUses(), s.uses.pendingReceipts()
	if len(due)+len(receipts) == 0 || s.isDiskFull() {
		return nil
	}
	var now time.Time
	if len(due) > 0 {
		now = due[len(due)-1].At
	} else {
		now = receipts[len(receipts)-1].At
	}
	err := s.db.Update(ctx, now, func(tx *index.Tx) error {
		if err := tx.AddUses(due); err != nil {
			return err
		}
		return putReceipts(tx, receipts, retention)
	})
	if err == nil {
		s.uses.drop(len(due), receipts)
	}
	return err
}

func putReceipts(tx *index.Tx, receipts []memory.Receipt, retention time.Duration) error {
	for _, r := range receipts {
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := tx.PutReceipt(index.Receipt{ID: r.ID, At: r.At, Kind: r.Kind, Session: r.Session, Body: body}); err != nil {
			return err
		}
	}
	if retention <= 0 {
		return nil
	}
	return tx.DropReceipts(tx.Now.Add(-retention))
}

// sourceWithUses is the index with the pending uses added.
type sourceWithUses struct {
	recall.Source
	uses *useBuffer
}

func (o sourceWithUses) Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	memories, err := o.Source.Visible(ctx, ids, p)
	return o.uses.addTo(memories), err
}

// addTo adds the pending uses to memories from the index.
func (u *useBuffer) addTo(memories []memory.Memory) []memory.Memory {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.byMemory) == 0 {
		return memories
	}
	for i := range memories {
		if sum := u.byMemory[memories[i].ID]; sum != nil {
			sum.addTo(&memories[i])
		}
	}
	return memories
}

// addTo adds the uses to those that the index has for the memory.
func (u *memoryUses) addTo(m *memory.Memory) {
	m.UseCount += len(u.sessions)
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
