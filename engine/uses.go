package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// useBuffer holds delivered uses and receipts that are not written to the index
// yet. An answer never waits for a write to count a use, and every later request sees
// its uses.
type useBuffer struct {
	flushing   sync.Mutex // held by the flush that runs
	mu         sync.Mutex
	offered    map[string]offer // by receipt: what an answer holds, until it is delivered
	offerOrder []string         // receipts, oldest first
	due        []index.Use
	byMemory   overlay          // of due; replaced, never changed
	receipts   []memory.Receipt // of delivered answers, oldest first
}

// memoryUses is what holds for a memory with its pending uses. The counts include
// what the index has, so they stay right while the uses are being written.
type memoryUses struct {
	count   int
	days    []string // sorted
	last    time.Time
	counted map[sessionDay]index.UseKind // the pending uses
}

// overlay holds the pending uses by memory. It is never changed, so a request that
// takes it before it reads the index misses no use that is written meanwhile.
type overlay map[memory.ID]memoryUses

type sessionDay struct{ name, day string }

type offer struct {
	session string
	ids     []memory.ID
	kinds   []index.UseKind // of the uses of ids
	receipt *memory.Receipt // nil: receipts are turned off
}

// maxOffers bounds the answers whose delivery is unconfirmed; the oldest is
// dropped.
const maxOffers = 1024

func newUseBuffer() *useBuffer {
	return &useBuffer{offered: map[string]offer{}, byMemory: overlay{}}
}

// Delivered records that the answer with this receipt reached its reader, which
// counts its memories as used.
func (e *Engine) Delivered(ctx context.Context, workspace, receipt string) error {
	s, err := e.lookup(workspace)
	if err == nil {
		s.uses.confirm(ctx, s.db, receipt, e.now().In(s.zone()))
	}
	return err
}

// zone returns the workspace's time zone, whose days a use is counted in.
func (s *workspaceState) zone() *time.Location {
	if s.Zone == nil {
		return time.UTC
	}
	return s.Zone
}

// FlushUses writes the pending uses and receipts of every workspace.
func (e *Engine) FlushUses(ctx context.Context) error {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil && !e.options().ReadOnly {
			if err := s.flush(ctx, e.options().Receipts.Keep); err != nil {
				return err
			}
		}
	}
	return nil
}

// addOffer stores what an answer holds until its delivery is confirmed. kind is that
// of the uses of memories that earned their place. receipt may be nil.
func (u *useBuffer) addOffer(id, session string, hits []memory.Hit, kind index.UseKind, receipt *memory.Receipt) {
	o := offer{session: session, receipt: receipt}
	for _, h := range hits {
		o.ids = append(o.ids, h.ID)
		if h.Earned {
			o.kinds = append(o.kinds, kind)
		} else {
			o.kinds = append(o.kinds, index.UseDelivered)
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.offered[id] = o
	u.offerOrder = append(u.offerOrder, id)
	if len(u.offerOrder) > maxOffers {
		delete(u.offered, u.offerOrder[0])
		u.offerOrder = u.offerOrder[1:]
	}
}

// confirm turns a delivered offer into uses. A memory is used once in a session and
// day; all callers without a session count as one session. at is in the workspace's
// zone.
func (u *useBuffer) confirm(ctx context.Context, db *index.DB, receipt string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	o, ok := u.offered[receipt]
	if !ok {
		return
	}
	delete(u.offered, receipt)
	u.offerOrder = slices.DeleteFunc(u.offerOrder, func(r string) bool { return r == receipt })
	// If the index cannot be read, the uses are counted when they are written.
	written, _ := db.Uses(ctx, o.ids, o.session, at.Format(time.DateOnly))
	next := maps.Clone(u.byMemory)
	for i, id := range o.ids {
		u.add(next, index.Use{ID: id, Session: o.session, At: at, Kind: o.kinds[i]}, written[id])
	}
	u.byMemory = next
	if o.receipt != nil {
		u.receipts = append(u.receipts, *o.receipt)
		u.receipts = u.receipts[max(0, len(u.receipts)-maxOffers):]
	}
}

// add counts one use in next, unless the index or the buffer has counted it. A use
// of a better kind than the counted one is written and not counted again. The caller
// holds the lock.
func (u *useBuffer) add(next overlay, use index.Use, written index.Used) {
	key := sessionDay{use.Session, use.At.Format(time.DateOnly)}
	sum, pending := next[use.ID]
	kind, counted := sum.counted[key]
	if written.Counted {
		kind, counted = max(kind, written.Kind), true
	}
	if counted && use.Kind <= kind {
		return
	}
	if !pending {
		sum = memoryUses{count: written.Count, days: written.Days}
	}
	u.due = append(u.due, use)
	if !counted {
		sum.count, sum.last = sum.count+1, use.At.UTC()
	}
	sum.counted = maps.Clone(sum.counted)
	if sum.counted == nil {
		sum.counted = map[sessionDay]index.UseKind{}
	}
	sum.counted[key] = use.Kind
	sum.days = withDay(sum.days, key.day)
	next[use.ID] = sum
}

// withDay returns the sorted days with one more.
func withDay(days []string, day string) []string {
	i, known := slices.BinarySearch(days, day)
	if known {
		return days
	}
	return slices.Insert(slices.Clone(days), i, day)
}

// pending returns the pending uses. A request takes them before it reads the index.
func (u *useBuffer) pending() overlay {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.byMemory
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
	u.due = slices.Clone(u.due[n:])
	next := overlay{}
	for _, use := range u.due {
		next[use.ID] = u.byMemory[use.ID]
	}
	u.byMemory = next
	if len(receipts) > 0 {
		last := receipts[len(receipts)-1].ID
		u.receipts = slices.Clone(u.receipts[slices.IndexFunc(u.receipts, func(r memory.Receipt) bool { return r.ID == last })+1:])
	}
}

// flush writes pending uses and receipts to the index. One flush runs at a time:
// drop removes as many uses as its own flush has read.
func (s *workspaceState) flush(ctx context.Context, retention time.Duration) error {
	s.uses.flushing.Lock()
	defer s.uses.flushing.Unlock()
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
	pending := o.uses.pending()
	memories, err := o.Source.Visible(ctx, ids, p)
	return pending.addTo(memories), err
}

// addTo adds the pending uses to memories from the index.
func (o overlay) addTo(memories []memory.Memory) []memory.Memory {
	if len(o) == 0 {
		return memories
	}
	for i := range memories {
		if sum, used := o[memories[i].ID]; used {
			sum.addTo(&memories[i])
		}
	}
	return memories
}

// addTo raises what the index has for the memory to what holds with the uses.
func (u memoryUses) addTo(m *memory.Memory) {
	m.UseCount = max(m.UseCount, u.count)
	if last := u.last; m.LastAccessedAt == nil || last.After(*m.LastAccessedAt) {
		m.LastAccessedAt = &last
	}
	days := m.UseDays
	for _, day := range u.days {
		days = withDay(days, day)
	}
	m.UseDays = days
}
