package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/memory-tiered/memory/index"
)

// Keys of the index's meta table.
const (
	metaNotices   = "notices"    // a JSON list of sentences for status, until the index is rebuilt by --force
	metaZone      = "zone"       // the time zone in which the files were last read
	metaLastIndex = "last_index" // when a scan last found a change, RFC 3339
)

// Notices lists the notices of opening the indexes: which one was damaged, and what
// was lost.
func (e *Engine) Notices() []string {
	var all []string
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			all = append(all, s.db.Notices()...)
		}
	}
	return all
}

// persistNotices stores the notices of opening, so that status shows them until the
// index is rebuilt by --force.
func (s *workspaceState) persistNotices(ctx context.Context, now time.Time) error {
	added := s.db.Notices()
	if len(added) == 0 {
		return nil
	}
	stored, err := s.storedNotices(ctx)
	if err != nil {
		return err
	}
	for _, n := range added {
		stored = append(stored, now.Format(time.DateTime)+" UTC: "+n)
	}
	return s.setNotices(ctx, now, stored)
}

func (s *workspaceState) storedNotices(ctx context.Context) (stored []string, err error) {
	src, err := s.db.Meta(ctx, metaNotices)
	if err != nil || src == "" {
		return nil, err
	}
	return stored, json.Unmarshal([]byte(src), &stored)
}

func (s *workspaceState) setNotices(ctx context.Context, now time.Time, notices []string) error {
	src, err := json.Marshal(notices)
	if err != nil {
		return err
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaNotices, string(src)) })
}
