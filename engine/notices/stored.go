package notices

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory/index"
)

// metaKey is the key of the index's meta table: a JSON list of sentences for status, until the
// index is rebuilt by --force.
const metaKey = "notices"

// KeepOpening stores the notices of opening, so that status shows them until the
// index is rebuilt by --force.
func KeepOpening(ctx context.Context, db *index.DB, now time.Time) error {
	added := db.Notices()
	if len(added) == 0 {
		return nil
	}
	stored, err := Stored(ctx, db)
	if err != nil {
		return err
	}
	for _, n := range added {
		stored = append(stored, now.Format(time.DateTime)+" UTC: "+n)
	}
	return Store(ctx, db, now, stored)
}

// Stored returns the notices of opening that are stored.
func Stored(ctx context.Context, db *index.DB) (stored []string, err error) {
	src, err := db.Meta(ctx, metaKey)
	if err != nil || src == "" {
		return nil, err
	}
	return stored, json.Unmarshal([]byte(src), &stored)
}

// Store replaces the stored notices.
func Store(ctx context.Context, db *index.DB, now time.Time, notices []string) error {
	src, err := json.Marshal(notices)
	if err != nil {
		return err
	}
	return db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaKey, string(src)) })
}
