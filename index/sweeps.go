package index

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory/index/sqldb"
)

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
func (db *DB) SweepState(ctx context.Context) (state SweepState, err error) {
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
	return state, sqldb.Wrap("read the last sweep", err)
}

// SetLastSweep notes that a sweep is complete. Its time decides when the next one is
// due.
func (tx *Tx) SetLastSweep() error {
	return tx.SetMeta("last_decay_run", tx.Now.UTC().Format(time.RFC3339Nano))
}

// LastGrading returns when a schedule last had the memories graded; zero: never.
func (db *DB) LastGrading(ctx context.Context) (time.Time, error) {
	value, err := db.Meta(ctx, "last_grading")
	if err != nil || value == "" {
		return time.Time{}, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

// SetLastGrading notes that a schedule had the memories graded.
func (tx *Tx) SetLastGrading() error {
	return tx.SetMeta("last_grading", tx.Now.UTC().Format(time.RFC3339Nano))
}

// SetLastLook notes what the clock shows.
func (tx *Tx) SetLastLook() error {
	return tx.SetMeta("last_clock", tx.Now.UTC().Format(time.RFC3339Nano))
}

// HoldSweeps holds the sweeps; nil releases them.
func (tx *Tx) HoldSweeps(h *Hold) error {
	if h == nil {
		return tx.SetMeta("decay_hold", "")
	}
	value, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return tx.SetMeta("decay_hold", string(value))
}
