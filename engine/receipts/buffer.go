package receipts

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Buffer holds delivered uses and receipts that are not written to the index yet. An
// answer never waits for a write to count a use. A service writes them every ten seconds,
// and requests about uses or receipts write them before they read. A kill loses those since.
type Buffer struct {
	flushing   sync.Mutex // held by the flush that runs
	mu         sync.Mutex
	offered    map[string]offer // by receipt: what an answer holds, until it is delivered
	offerOrder []string         // receipts, oldest first
	due        []index.Use
	receipts   []memory.Receipt // of delivered answers, oldest first
	prompts    prompts
}

type offer struct {
	uses    []index.Use     // without their times
	receipt *memory.Receipt // nil: receipts are turned off
}

// maxOffers bounds the answers whose delivery is unconfirmed; the oldest is
// dropped.
const maxOffers = 1024

// NewBuffer returns an empty buffer.
func NewBuffer() *Buffer { return &Buffer{offered: map[string]offer{}} }

// AddOffer stores what an answer for some users, as [memory.Identities.Readable] returns
// them, holds until its delivery is confirmed. kind is that of the uses of memories that
// earned their place. receipt may be nil.
func (u *Buffer) AddOffer(id, session string, users []string, hits []memory.Hit, kind index.UseKind, receipt *memory.Receipt) {
	o, user := offer{receipt: receipt}, ""
	if names := memory.OwnNames(users); len(names) > 0 {
		user = names[0]
	}
	for _, h := range hits {
		use := index.Use{ID: h.ID, User: user, Session: session, Kind: index.UseDelivered}
		if h.Earned {
			use.Kind = kind
		}
		o.uses = append(o.uses, use)
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
func (u *Buffer) Confirm(receipt string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	o, ok := u.offered[receipt]
	if !ok {
		return
	}
	delete(u.offered, receipt)
	u.offerOrder = slices.DeleteFunc(u.offerOrder, func(r string) bool { return r == receipt })
	for _, use := range o.uses {
		use.At = at
		u.due = append(u.due, use)
	}
	if o.receipt != nil {
		u.receipts = append(u.receipts, *o.receipt)
		u.receipts = u.receipts[max(0, len(u.receipts)-maxOffers):]
	}
}

// Flush writes the pending uses and receipts to the index, and drops receipts that are
// older than the retention time (0: none). One flush runs at a time. What it could not
// write is pending again.
func (u *Buffer) Flush(ctx context.Context, db *index.DB, retention time.Duration) error {
	u.flushing.Lock()
	defer u.flushing.Unlock()
	u.mu.Lock()
	due, receipts := u.due, u.receipts
	u.due, u.receipts = nil, nil
	u.mu.Unlock()
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
		return Put(tx, receipts, retention)
	})
	if err != nil {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.due, u.receipts = append(due, u.due...), append(receipts, u.receipts...)
	}
	return err
}

// PutReceipts stores receipts, and drops those that are older than the retention time (0:
// none).
func Put(tx *index.Tx, receipts []memory.Receipt, retention time.Duration) error {
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
