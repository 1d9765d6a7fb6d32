package index

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory"
)

// Receipt is what a recall or a capture did: ids and figures, never text. The
// body's shape is its writer's.
type Receipt struct {
	ID      string
	At      time.Time
	Kind    string // recall or capture
	Session string
	Body    json.RawMessage
}

// maxReceipts is how many are kept: some weeks of one person's turns.
const maxReceipts = 5000

// PutReceipt keeps a receipt, and drops the oldest beyond what is kept. The same
// id again replaces the former.
func (tx *Tx) PutReceipt(r Receipt) error {
	if err := tx.exec(`INSERT OR REPLACE INTO receipts(id, at, kind, session, body) VALUES (?, ?, ?, ?, ?)`,
		r.ID, toMillis(r.At), r.Kind, r.Session, string(r.Body)); err != nil {
		return err
	}
	return tx.exec("DELETE FROM receipts WHERE seq <= (SELECT max(seq) FROM receipts) - ?", maxReceipts)
}

// Receipt gives the receipt of that id; none is not found.
func (db *DB) Receipt(ctx context.Context, id string) (Receipt, error) {
	found, err := db.receipts(ctx, "WHERE id = ?", id)
	if err == nil && len(found) == 0 {
		return Receipt{}, &memory.Error{Kind: memory.ErrNotFound, Field: "receipt", Message: "Receipt not found: " + id}
	}
	if err != nil {
		return Receipt{}, err
	}
	return found[0], nil
}

// Receipts lists the newest receipts, of one session or, with an empty one, of
// all. A limit of 0 is none.
func (db *DB) Receipts(ctx context.Context, session string, limit int) ([]Receipt, error) {
	if limit <= 0 {
		limit = -1
	}
	return db.receipts(ctx, "WHERE ?1 = '' OR session = ?1 ORDER BY seq DESC LIMIT ?2", session, limit)
}

func (db *DB) receipts(ctx context.Context, rest string, args ...any) (found []Receipt, err error) {
	err = db.now().each(ctx, "SELECT id, at, kind, session, body FROM receipts "+rest, args,
		func(scan func(...any) error) error {
			var r Receipt
			var at millis
			var body string
			err := scan(&r.ID, &at, &r.Kind, &r.Session, &body)
			r.At, r.Body = at.time(), json.RawMessage(body)
			found = append(found, r)
			return err
		})
	return found, failed("read receipts", err)
}
