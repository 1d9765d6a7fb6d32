package sqldb

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
)

// Pipeline is a backend that sends several statements at once: each way to a server takes time.
type Pipeline interface {
	// Send executes translated changes in order, up to the first one that fails.
	Send(ctx context.Context, conn *sql.Conn, changes []Change) error
}

// Change is a statement that changes rows, with its arguments.
type Change struct {
	Text string
	Args []any
}

// maxQueued is the number of statements that are sent at once. More save hardly any time.
const maxQueued = 200

// enqueue adds a statement to those that the next [Tx.flush] sends. The caller may change
// the arguments afterwards.
func (tx *Tx) enqueue(query string, args []any) error {
	values := make([]any, len(args))
	for i, arg := range args {
		values[i] = arg
		if value, err := driver.DefaultParameterConverter.ConvertValue(arg); err == nil { // or it is a list
			values[i] = value
		}
		if b, ok := values[i].([]byte); ok {
			values[i] = bytes.Clone(b)
		}
	}
	tx.queue = append(tx.queue, Change{tx.w.translated(query), values})
	if len(tx.queue) < maxQueued {
		return nil
	}
	return tx.flush()
}

// flush sends the statements of the queue.
func (tx *Tx) flush() error {
	if len(tx.queue) == 0 {
		return nil
	}
	err := tx.w.pipeline.Send(context.Background(), tx.w.conn, tx.queue)
	tx.queue = nil
	return Classify(tx.w.backend, err)
}

// translated returns a statement in the SQL of the system.
func (w *writer) translated(query string) string {
	text, known := w.translations[query]
	if !known {
		text = w.backend.Translate(query)
		w.translations[query] = text
	}
	return text
}
