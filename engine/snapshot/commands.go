package snapshot

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
)

// What a request does with snapshots.
const (
	list      = "list"
	create    = "create"
	restoring = "restore"
	remove    = "remove"
)

// OnlyReads reports whether a request changes nothing.
func OnlyReads(r memory.SnapshotRequest) bool { return r.Action == list || r.Preview }

// maxTag is the length of a tag in characters. It stands in a line of a table.
const maxTag = 60

// Validate returns what is wrong with a request.
func Validate(r memory.SnapshotRequest) error {
	isKnown := r.Action == list || r.Action == create || r.Action == restoring || r.Action == remove
	switch {
	case !isKnown:
		return memory.Invalid("action", "unknown action %q", r.Action).WithHint("one of: list, create, restore, remove")
	case r.Tag != "" && r.Action != create:
		return memory.Invalid("tag", "only create takes a tag").WithHint("leave it out")
	case utf8.RuneCountInString(r.Tag) > maxTag:
		return memory.Invalid("tag", "the tag has more than %d characters", maxTag).WithHint("a short name will do")
	case r.Preview && r.Action != restoring:
		return memory.Invalid("preview", "only restore has a preview").WithHint("leave it out")
	}
	return nil
}

// Do lists, makes, restores or removes snapshots. The caller holds the lock of ingests, unless
// the request only reads.
func (s *Store) Do(ctx context.Context, now time.Time, r memory.SnapshotRequest, plans *plan.Executor) (a memory.SnapshotAnswer, err error) {
	var one memory.Snapshot
	switch r.Action {
	case list:
		a.Snapshots, err = s.List()
		return a, err
	case create:
		one, err = s.Create(ctx, now, byHand, r.Tag)
	case remove:
		one, err = s.Remove(r.ID)
	default:
		var p *plan.Plan
		if one, p, err = s.restorePlan(ctx, now, r.ID); err != nil {
			return a, err
		}
		a.Changes = changes(p)
		decided, applyErr := plans.Apply(ctx, now, p, memory.DecideRequest{Preview: r.Preview})
		decided.Action = memory.ActionRestore
		a.Restored, err = &decided, applyErr
	}
	a.Snapshots = memory.List[memory.Snapshot]{one}
	return a, err
}
