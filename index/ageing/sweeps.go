package ageing

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory/index/sqlite"
)

// Sweeps reads what the ageing policy has to move, and the state of its sweeps. It is
// safe for concurrent use.
type Sweeps struct{ sql *sqlite.DB }

// New returns the sweeps of a database.
func New(db *sqlite.DB) *Sweeps { return &Sweeps{db} }

// SweepWriter notes inside a transaction when a sweep ran, and what holds the next one.
type SweepWriter struct {
	meta Meta
	now  time.Time
}

// Meta writes the table meta.
type Meta interface {
	SetMeta(key, value string) error
}

// In returns the state of sweeps inside a transaction at now.
func In(meta Meta, now time.Time) *SweepWriter { return &SweepWriter{meta, now} }

// SweepState is what the index knows of the sweeps of the ageing policy.
type SweepState struct {
	LastRun  time.Time // zero: none yet
	LastLook time.Time // when the clock was last noted; zero: never
	Hold     *Hold     // nil: sweeps run
}

// Hold stops sweeps until a person releases them, or the clock goes back.
type Hold struct {
	Reason string    `json:"reason"`
	Before time.Time `json:"before"` // what the clock showed before it jumped
}

// SweepState returns when the last sweep ran, and what holds the next one.
func (db *Sweeps) SweepState(ctx context.Context) (state SweepState, err error) {
	err = db.sql.Read().Each(ctx, "SELECT key, value FROM meta WHERE key IN ('last_decay_run', 'last_clock', 'decay_hold') AND value <> ''", nil,
		func(scan func(...any) error) error {
			var key, value string
			if err := scan(&key, &value); err != nil {
				return err
			}
			if key == "decay_hold" {
				state.Hold = &Hold{}
				return json.Unmarshal([]byte(value), state.Hold)
			}
			to := &state.LastRun
			if key == "last_clock" {
				to = &state.LastLook
			}
			*to, err = time.Parse(time.RFC3339Nano, value)
			return err
		})
	return state, sqlite.Wrap("read the last sweep", err)
}

// SetLastSweep notes that a sweep is complete. Its time decides when the next one is
// due.
func (tx *SweepWriter) SetLastSweep() error {
	return tx.meta.SetMeta("last_decay_run", tx.now.UTC().Format(time.RFC3339Nano))
}

// SetLastLook notes what the clock shows.
func (tx *SweepWriter) SetLastLook() error {
	return tx.meta.SetMeta("last_clock", tx.now.UTC().Format(time.RFC3339Nano))
}

// HoldSweeps holds the sweeps; nil releases them.
func (tx *SweepWriter) HoldSweeps(h *Hold) error {
	if h == nil {
		return tx.meta.SetMeta("decay_hold", "")
	}
	value, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return tx.meta.SetMeta("decay_hold", string(value))
}
