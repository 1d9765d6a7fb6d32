package index

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory/index/sqlite"
)

// Receipt is what a recall or a capture did: ids and figures, never text. The
// body's shape is its writer's.
type Receipt struct {
	ID      string
	At      time.Time
	Kind    string // recall, search or capture
	Session string
	Body    json.RawMessage
}

// maxReceipts is how many are kept: some weeks of one person's turns.
const maxReceipts = 5000

// dropAtOnce is how many receipts that are too old go at once: more than come,
// and few enough to cost nothing.
const dropAtOnce = 100

// PutReceipt keeps a receipt, and drops the oldest beyond what is kept. The same
// id again replaces the former.
func (tx *Tx) PutReceipt(r Receipt) error {
	if err := tx.sql.Exec(`INSERT OR REPLACE INTO receipts(id, at, kind, session, body) VALUES (?, ?, ?, ?, ?)`,
		r.ID, sqlite.ToMillis(r.At), r.Kind, r.Session, string(r.Body)); err != nil {
		return err
	}
	return tx.sql.Exec("DELETE FROM receipts WHERE seq <= (SELECT max(seq) FROM receipts) - ?", maxReceipts)
}

// DropReceipts drops the oldest receipts, if they are older than this: some of
// them each time that it is called.
func (tx *Tx) DropReceipts(olderThan time.Time) error {
	return tx.sql.Exec("DELETE FROM receipts WHERE at < ? AND seq IN (SELECT seq FROM receipts ORDER BY seq LIMIT ?)",
		sqlite.ToMillis(olderThan), dropAtOnce)
}

// ReceiptsFilter says which receipts to read. Empty words mean any.
type ReceiptsFilter struct {
	ID      string // or the beginning of one
	Session string
	Kind    string
	Since   time.Time
	Limit   int // 0: none
}

// Receipts lists the newest receipts.
func (db *DB) Receipts(ctx context.Context, want ReceiptsFilter) ([]Receipt, error) {
	if want.Limit <= 0 {
		want.Limit = -1
	}
	return db.receipts(ctx, `WHERE (?1 = '' OR substr(id, 1, length(?1)) = ?1) AND (?2 = '' OR session = ?2) AND (?3 = '' OR kind = ?3)
		AND at >= ?4 ORDER BY seq DESC LIMIT ?5`, want.ID, want.Session, want.Kind, int64(sqlite.ToMillis(want.Since)), want.Limit)
}

func (db *DB) receipts(ctx context.Context, rest string, args ...any) (found []Receipt, err error) {
	err = db.sql.Read().Each(ctx, "SELECT id, at, kind, session, body FROM receipts "+rest, args,
		func(scan func(...any) error) error {
			var r Receipt
			var at sqlite.Millis
			var body string
			err := scan(&r.ID, &at, &r.Kind, &r.Session, &body)
			r.At, r.Body = at.Time(), json.RawMessage(body)
			found = append(found, r)
			return err
		})
	return found, sqlite.Wrap("read receipts", err)
}
