package engine

import (
	"context"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/receipts"
	"github.com/memory-tiered/memory/engine/transfer"
)

// Import brings the memories of an export into a workspace. It returns when they can be
// found. progress may be nil.
func (e *Engine) Import(ctx context.Context, r memory.ImportRequest, progress func(memory.Progress)) (answer memory.ImportAnswer, err error) {
	s, _, err := e.askOwner(r.Workspace, r.Sender, r.For)
	if err == nil {
		r.Dedupe, err = memory.ParseDedupe(string(r.Dedupe))
	}
	if err == nil && !r.DryRun {
		err = e.refuseWhenReadOnly()
	}
	if err == nil && !r.DryRun {
		err = s.refuseReadOnlyFiles()
	}
	if err != nil {
		return answer, err
	}
	if progress == nil {
		progress = func(memory.Progress) {}
	}
	folder, err := s.openFolder()
	if err != nil {
		return answer, err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return answer, err
	}
	defer unlock()
	to := transfer.Target{DB: s.db, Folder: folder.Workspace, Zone: s.zone(), Spool: filepath.Dir(s.DBPath), Refresh: s.RefreshPaths, WatchAppends: s.replaced.Watch}
	now := e.now()
	if !r.DryRun {
		if err = s.Snapshot(ctx, now, "before import"); err == nil {
			err = s.RefreshAll(ctx, now)
		}
	}
	switch {
	case err != nil:
	case r.TakeBack != "":
		answer, err = to.TakeBack(ctx, now, r)
	default:
		answer, err = to.Import(ctx, now, r, progress)
	}
	if err == nil && !r.DryRun {
		answer.Notices = append(answer.Notices, s.writeOtherPending(ctx, now)...)
		answer.Receipt = e.keepReceipt(ctx, s, receipts.OfImport(answer))
	}
	return answer, err
}
