package engine

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Index looks at the disk now, or at some of its paths, and answers when what
// it found is searchable. Force rebuilds all that is derived.
func (e *Engine) Index(ctx context.Context, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	if progress == nil {
		progress = func(memory.Progress) {}
	}
	begin := time.Now()
	if r.Force && len(r.Paths) == 0 {
		if err := s.resetIndex(ctx, e.now()); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	answer, err := s.ingest(ctx, e.now(), r.Paths, r.Force, progress)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	// An embedding that fails does not undo the indexing: keyword search has the
	// text already, and status says why there are no vectors.
	answer.Embedded, err = s.embedPending(ctx, r.EmbedWithin, progress)
	if err == nil && e.daemon == nil { // nobody else goes on with a change of model
		_, _ = s.changeModel(ctx, r.EmbedWithin/5, progress) // status says why it does not go on
	}
	if ctx.Err() != nil {
		return memory.IndexAnswer{}, ctx.Err()
	}
	if err := s.addTotals(ctx, &answer); err != nil {
		return memory.IndexAnswer{}, err
	}
	answer.Workspace = s.Name
	answer.TookMS = millisecondsSince(begin)
	return answer, nil
}

// IngestChanges is the watcher's hint: these paths, or with none of them anything,
// may have changed. Vectors follow by EmbedPending.
func (e *Engine) IngestChanges(ctx context.Context, workspace string, paths []string) error {
	s, err := e.lookup(workspace)
	if err != nil {
		return err
	}
	s.updateHealth(func(h *health) { h.behind = max(1, len(paths)) })
	_, err = s.ingest(ctx, e.now(), paths, false, func(memory.Progress) {})
	return err
}

// EmbedPending gives vectors to what has none yet, in every workspace.
func (e *Engine) EmbedPending(ctx context.Context) error {
	var errs []error
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			_, err := s.embedPending(ctx, 0, func(memory.Progress) {})
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// ingest is the one way in: one at a time, so that who writes reads what was
// written. No paths: everything.
func (s *workspaceState) ingest(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	defer unlock()
	if err := s.resumeIntents(ctx, now, false); err != nil {
		return memory.IndexAnswer{}, err
	}
	answer, err := s.ingestLocked(ctx, now, paths, force, progress)
	if answer.Added+answer.Edited+answer.Moved+answer.Unchanged >= freeMemoryAfter {
		debug.FreeOSMemory()
	}
	return answer, err
}

// freeMemoryAfter is how many memories, once they have been read in one go, leave so much
// behind that it is given back to the system at once: some 5 KB each.
const freeMemoryAfter = 10_000

func (s *workspaceState) ingestLocked(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	d, err := s.openFolder()
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	s.noteHead()
	answer, err := d.ingester.Ingest(ctx, now, paths, force, progress)
	if err == nil {
		err = s.recordBranch(ctx, now, d, len(paths) == 0)
	}
	if err == nil && answer.Added+answer.Edited+answer.Moved+answer.Missing > 0 {
		err = s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaLastIndex, now.Format(time.RFC3339)) })
	}
	s.updateHealth(func(h *health) {
		h.folderErr = err
		if err == nil {
			h.behind, h.scannedAll, h.scannedAt = 0, h.scannedAll || len(paths) == 0, now
		}
	})
	return answer, err
}

// resetIndex makes the derived tables anew. It needs the folder to be there: what was
// indexed is all there is of one that is not.
func (s *workspaceState) resetIndex(ctx context.Context, now time.Time) error {
	d, err := s.openFolder()
	if err != nil {
		return err
	}
	if _, _, err := d.Walk(ctx); err != nil {
		return err
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.db.Reset(ctx, now); err != nil {
		return err
	}
	return s.setNotices(ctx, now, []string{})
}

// addTotals adds what the whole index holds to what a look at the disk found.
func (s *workspaceState) addTotals(ctx context.Context, a *memory.IndexAnswer) error {
	stats, err := s.db.Stats(ctx)
	if err != nil {
		return err
	}
	files, err := s.db.Files(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		a.Faults = append(a.Faults, f.Faults...)
	}
	a.Files, a.Memories = stats.Files, stats.Total
	a.Unchanged = max(0, a.Memories-a.Added-a.Edited-a.Moved)
	return nil
}

func millisecondsSince(since time.Time) float64 {
	return float64(time.Since(since).Microseconds()) / 1000
}
