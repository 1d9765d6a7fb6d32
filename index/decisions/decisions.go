// Package decisions stores what a person or a program decides about memories. An [Intent]
// is a decision while it is written into files, and the sidecar keeps what no file has.
// Forgetting covers every copy of a text, and destroying deletes them.
package decisions

import (
	"time"

	"github.com/memory-tiered/memory/index/journal"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// View reads intents, and the copies that a decision is about.
type View struct{ sql *sqlite.DB }

// New returns the decisions in a database.
func New(db *sqlite.DB) *View { return &View{db} }

// DecisionWriter stores decisions inside a transaction.
type DecisionWriter struct {
	sql     *sqlite.Tx
	changes *rows.Tx
	journal *journal.Writer
	now     time.Time
}

// In returns the decisions inside a transaction at now.
func In(tx *sqlite.Tx, c *rows.Tx, j *journal.Writer, now time.Time) *DecisionWriter {
	return &DecisionWriter{tx, c, j, now}
}
