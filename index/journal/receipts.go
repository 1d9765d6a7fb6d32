package journal

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
)

// Receipt records what a request did, in ids and figures, never text.
// The writer defines the shape of the body.
type Receipt struct {
	ID      string
	At      time.Time
	Kind    string // one of memory.ReceiptKinds
	Session string
	Body    json.RawMessage
}

// maxReceipts is the number of receipts to keep: some weeks of one person's turns.
const maxReceipts = 5000

// dropBatch is the number of old receipts that one call deletes: more than are
// added between calls, and few enough to cost nothing.
const dropBatch = 100

// PutReceipt stores a receipt and deletes the oldest beyond maxReceipts. It replaces
// a receipt with the same id.
func (w *Writer) PutReceipt(r Receipt) error {
	if err := w.sql.Exec("DELETE FROM receipts WHERE id = ?", r.ID); err != nil { // the new one is the newest
		return err
	}
	if err := w.sql.Exec("INSERT INTO receipts(id, at, kind, session, body) VALUES (?, ?, ?, ?, ?)",
		r.ID, sqldb.ToMillis(r.At), r.Kind, r.Session, string(r.Body)); err != nil {
		return err
	}
	return w.sql.Exec("DELETE FROM receipts WHERE seq <= (SELECT max(seq) FROM receipts) - ?", maxReceipts)
}

// DropReceipts deletes receipts older than a time, at most dropBatch in one call.
func (w *Writer) DropReceipts(olderThan time.Time) error {
	return w.sql.Exec("DELETE FROM receipts WHERE at < ? AND seq IN (SELECT seq FROM receipts ORDER BY seq LIMIT ?)",
		sqldb.ToMillis(olderThan), dropBatch)
}

// ReceiptsFilter selects receipts. An empty field matches all.
type ReceiptsFilter struct {
	ID      string // or a prefix of it
	Session string
	Users   []string // of the requests, as the receipts have them; "" is none
	Kinds   []string
	Since   time.Time
	Limit   int // 0: no limit
}

// Receipts lists the newest receipts.
func (j *Journal) Receipts(ctx context.Context, want ReceiptsFilter) ([]Receipt, error) {
	if want.Limit <= 0 {
		want.Limit = math.MaxInt32
	}
	return j.receipts(ctx, `WHERE (?1 = '' OR substr(id, 1, length(?1)) = ?1) AND (?2 = '' OR session = ?2) AND (?3 = '[]' OR kind IN (SELECT value FROM json_each(?3)))
		AND at >= ?4 AND (?6 = '[]' OR json_extract(body, '$.user') IN (SELECT value FROM json_each(?6))) ORDER BY seq DESC LIMIT ?5`,
		want.ID, want.Session, sqldb.JSONList(want.Kinds), int64(sqldb.ToMillis(want.Since)), want.Limit, sqldb.JSONList(want.Users))
}

func (j *Journal) receipts(ctx context.Context, rest string, args ...any) (found []Receipt, err error) {
	err = j.sql.Read().Each(ctx, "SELECT id, at, kind, session, body FROM receipts "+rest, args,
		func(scan func(...any) error) error {
			var r Receipt
			var at sqldb.Millis
			var body string
			err := scan(&r.ID, &at, &r.Kind, &r.Session, &body)
			r.At, r.Body = at.Time(), json.RawMessage(body)
			found = append(found, r)
			return err
		})
	return found, sqldb.Wrap("read receipts", err)
}
