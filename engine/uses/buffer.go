// Package uses counts which memories reached a reader. It holds the uses and the receipts
// of delivered answers until they are written to the index, and adds them to what the
// index knows.
package uses

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

// Buffer holds delivered uses and receipts that are not written to the index
// yet. An answer never waits for a write to count a use, and every later request sees
// its uses.
type Buffer struct {
	flushing   sync.Mutex // held by the flush that runs
	mu         sync.Mutex
	offered    map[string]offer // by receipt: what an answer holds, until it is delivered
	offerOrder []string         // receipts, oldest first
	due        []index.Use
	byMemory   Pending          // of due; replaced, never changed
	receipts   []memory.Receipt // of delivered answers, oldest first
}

// memoryUses is what holds for a memory with its pending uses. The counts include
// what the index has, so they stay right while the uses are being written.
type memoryUses struct {
	all     tally
	own     map[string]tally               // by user
	counted map[sessionDay]index.UseKind   // the pending uses, by anybody
	byUser  map[string]map[sessionDay]bool // the sessions and days in which a user got it
}

// tally is the number of uses with their days.
type tally struct {
	count int
	days  []string // sorted
	last  time.Time
}

// with returns the tally with one more use.
func (t tally) with(at time.Time) tally {
	return tally{t.count + 1, withDay(t.days, at.Format(time.DateOnly)), at.UTC()}
}

// Pending holds the pending uses by memory. It is never changed, so a request that
// takes it before it reads the index misses no use that is written meanwhile.
type Pending map[memory.ID]memoryUses

type sessionDay struct{ name, day string }

type offer struct {
	session string
	names   []string // of the user who gets it, as [memory.OwnNames] returns them
	ids     []memory.ID
	kinds   []index.UseKind // of the uses of ids
	receipt *memory.Receipt // nil: receipts are turned off
}

// maxOffers bounds the answers whose delivery is unconfirmed; the oldest is
// dropped.
const maxOffers = 1024

// NewBuffer returns an empty buffer.
func NewBuffer() *Buffer {
	return &Buffer{offered: map[string]offer{}, byMemory: Pending{}}
}

// AddOffer stores what an answer for some users, as [memory.Identities.Readable] returns
// them, holds until its delivery is confirmed. kind is that of the uses of memories that
// earned their place. receipt may be nil.
func (u *Buffer) AddOffer(id, session string, users []string, hits []memory.Hit, kind index.UseKind, receipt *memory.Receipt) {
	o := offer{session: session, names: memory.OwnNames(users), receipt: receipt}
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

// Confirm turns a delivered offer into uses. A memory is used once in a session and
// day; all callers without a session count as one session. at is in the workspace's
// zone.
func (u *Buffer) Confirm(ctx context.Context, db *index.DB, receipt string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	o, ok := u.offered[receipt]
	if !ok {
		return
	}
	delete(u.offered, receipt)
	u.offerOrder = slices.DeleteFunc(u.offerOrder, func(r string) bool { return r == receipt })
	// If the index cannot be read, the uses are counted when they are written.
	written, _ := db.Uses(ctx, o.ids, o.names, o.session, at.Format(time.DateOnly))
	next, user := maps.Clone(u.byMemory), ""
	if len(o.names) > 0 {
		user = o.names[0]
	}
	for i, id := range o.ids {
		u.add(next, index.Use{ID: id, User: user, Session: o.session, At: at, Kind: o.kinds[i]}, written[id])
	}
	u.byMemory = next
	if o.receipt != nil {
		u.receipts = append(u.receipts, *o.receipt)
		u.receipts = u.receipts[max(0, len(u.receipts)-maxOffers):]
	}
}

// add counts one use in next, unless the index or the buffer has counted it. A use
// of a better kind than the counted one is written and not counted again. What is new for
// its user alone counts for this user alone. The caller holds the lock.
func (u *Buffer) add(next Pending, use index.Use, written index.Used) {
	key := sessionDay{use.Session, use.At.Format(time.DateOnly)}
	sum, pending := next[use.ID]
	kind, counted := sum.counted[key]
	if written.Counted {
		kind, counted = max(kind, written.Kind), true
	}
	isNewForUser := use.User != "" && !written.CountedForOwn && !sum.byUser[use.User][key]
	if counted && use.Kind <= kind && !isNewForUser {
		return
	}
	if !pending {
		sum = memoryUses{all: tally{count: written.Count, days: written.Days}}
	}
	sum.counted, sum.own, sum.byUser = cloned(sum.counted), cloned(sum.own), cloned(sum.byUser)
	u.due = append(u.due, use)
	if !counted {
		sum.all = sum.all.with(use.At)
	}
	sum.counted[key] = max(kind, use.Kind)
	if isNewForUser {
		own, known := sum.own[use.User]
		if !known {
			own = tally{written.Own.Count, written.Own.Days, written.Own.Last}
		}
		sum.own[use.User] = own.with(use.At)
		sum.byUser[use.User] = cloned(sum.byUser[use.User])
		sum.byUser[use.User][key] = true
	}
	next[use.ID] = sum
}

// cloned returns a copy of a map that can be written.
func cloned[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return maps.Clone(m)
}

// withDay returns the sorted days with one more.
func withDay(days []string, day string) []string {
	i, known := slices.BinarySearch(days, day)
	if known {
		return days
	}
	return slices.Insert(slices.Clone(days), i, day)
}

// Pending returns the pending uses. A request takes them before it reads the index.
func (u *Buffer) Pending() Pending {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.byMemory
}

// PendingReceipts returns the receipts that are not written to the index yet.
func (u *Buffer) PendingReceipts() []memory.Receipt {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.receipts)
}

func (u *Buffer) pendingUses() []index.Use {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.due)
}

// drop removes what the index now has: the n oldest uses, and these receipts.
func (u *Buffer) drop(n int, receipts []memory.Receipt) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.due = slices.Clone(u.due[n:])
	next := Pending{}
	for _, use := range u.due {
		next[use.ID] = u.byMemory[use.ID]
	}
	u.byMemory = next
	if len(receipts) > 0 {
		last := receipts[len(receipts)-1].ID
		u.receipts = slices.Clone(u.receipts[slices.IndexFunc(u.receipts, func(r memory.Receipt) bool { return r.ID == last })+1:])
	}
}

// Flush writes the pending uses and receipts to the index, and drops receipts that are
// older than the retention time (0: none). One flush runs at a time: drop removes as many
// uses as its own flush has read.
func (u *Buffer) Flush(ctx context.Context, db *index.DB, retention time.Duration) error {
	u.flushing.Lock()
	defer u.flushing.Unlock()
	due, receipts := u.pendingUses(), u.PendingReceipts()
	if len(due)+len(receipts) == 0 {
		return nil
	}
	var now time.Time
	if len(due) > 0 {
		now = due[len(due)-1].At
	} else {
		now = receipts[len(receipts)-1].At
	}
	err := db.Update(ctx, now, func(tx *index.Tx) error {
		if err := tx.AddUses(due); err != nil {
			return err
		}
		return PutReceipts(tx, receipts, retention)
	})
	if err == nil {
		u.drop(len(due), receipts)
	}
	return err
}

// PutReceipts stores receipts, and drops those that are older than the retention time (0:
// none).
func PutReceipts(tx *index.Tx, receipts []memory.Receipt, retention time.Duration) error {
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

// Over returns the index with the pending uses added.
func (u *Buffer) Over(index recall.Source) recall.Source { return sourceWithUses{index, u} }

// sourceWithUses is the index with the pending uses added.
type sourceWithUses struct {
	recall.Source
	uses *Buffer
}

func (o sourceWithUses) AppendVisible(ctx context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	pending := o.uses.Pending()
	memories, err := o.Source.AppendVisible(ctx, to, ids, p)
	if err == nil {
		pending.AddTo(memories[len(to):], p.Users)
	}
	return memories, err
}

// AddTo adds the pending uses to memories from the index: of all for nil, else of the first
// user whose memories are shown.
func (o Pending) AddTo(memories []memory.Memory, users []string) []memory.Memory {
	if len(o) == 0 {
		return memories
	}
	names := memory.OwnNames(users)
	for i := range memories {
		sum, used := o[memories[i].ID]
		switch {
		case used && users == nil:
			sum.all.addTo(&memories[i])
		case used && len(names) > 0:
			if own, given := sum.own[names[0]]; given {
				own.addTo(&memories[i])
			}
		}
	}
	return memories
}

// addTo raises what the index has for the memory to what holds with the uses.
func (t tally) addTo(m *memory.Memory) {
	m.UseCount = max(m.UseCount, t.count)
	if last := t.last; !last.IsZero() && (m.LastAccessedAt == nil || last.After(*m.LastAccessedAt)) {
		m.LastAccessedAt = &last
	}
	days := m.UseDays
	for _, day := range t.days {
		days = withDay(days, day)
	}
	m.UseDays = days
}
