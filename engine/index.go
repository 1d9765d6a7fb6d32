package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/notices"
)

// Index scans the workspace, or some of its paths, and returns when the changes are
// searchable. Force rebuilds everything that is derived from Markdown, and checks the
// database for damage first. A damaged database is repaired. progress may be nil.
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
	if r.Force && len(r.Paths) == 0 && !s.isDiskFull() {
		_ = s.backups.Make(ctx, true) // only damage matters here, and it is noted
	}
	if !s.needsRepair() {
		answer, err := e.indexOnce(ctx, s, r, progress)
		if err == nil || !s.needsRepair() {
			return answer, err
		}
	}
	if s, err = e.repair(ctx, s, e.now()); err != nil {
		return memory.IndexAnswer{}, err
	}
	r.Force = false // everything has been built again
	return e.indexOnce(ctx, s, r, progress)
}

func (e *Engine) indexOnce(ctx context.Context, s *workspaceState, r memory.IndexRequest, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	start, now := time.Now(), e.now()
	if r.Force && len(r.Paths) == 0 {
		if err := s.resetIndex(ctx, now); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	answer, err := s.ingest(ctx, now, r.Paths, r.Force, progress)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	if err := s.models.EmbedIndexed(ctx, now, e.embedWait(r.EmbedWithin), &answer, progress); err != nil {
		return memory.IndexAnswer{}, err
	}
	if e.daemon == nil { // no service searches for dates
		e.findDatesWithin(ctx, s, r.EmbedWithin)
	}
	if err := s.addTotals(ctx, &answer); err != nil {
		return memory.IndexAnswer{}, err
	}
	answer.Workspace = s.Name
	answer.TookMS = millisecondsSince(start)
	return answer, nil
}

// resetIndex empties the derived tables. It fails if the folder is unavailable,
// because the index is then the only copy.
func (s *workspaceState) resetIndex(ctx context.Context, now time.Time) error {
	folder, err := s.openFolder()
	if err != nil {
		return err
	}
	if _, err := folder.Walk(ctx); err != nil {
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
	return notices.Store(ctx, s.db, now, []string{})
}

// addTotals adds the totals of the whole index to the answer of a scan.
func (s *workspaceState) addTotals(ctx context.Context, a *memory.IndexAnswer) error {
	var err error
	if a.Memories, a.Files, err = s.db.Totals(ctx); err != nil {
		return err
	}
	if a.Faults, err = s.faults(ctx); err != nil {
		return err
	}
	a.Unchanged = max(0, a.Memories-a.Added-a.Edited-a.Moved)
	return nil
}

func millisecondsSince(since time.Time) float64 {
	return float64(time.Since(since).Microseconds()) / 1000
}

// A run with fewer files to read or memories to index is not reported with answers.
// It ends within a fraction of a second, and until then the index answers as it was.
const (
	reportedFiles    = 100
	reportedMemories = 1000
)

// indexingNow returns how far the indexing is that makes answers incomplete: the first
// one of a folder, or a long one. It returns nil if there is none. A total of 0 means
// that the files are not counted yet.
func (s *workspaceState) indexingNow(ctx context.Context) *memory.Progress {
	h := s.currentHealth()
	if p := h.indexing; p != nil && p.Total >= reportedMemories || p != nil && p.Stage == "read" && p.Total >= reportedFiles {
		return p
	}
	if h.scannedAll || h.scanErr != nil || s.isDiskFull() {
		return nil
	}
	recorded, err := s.db.Meta(ctx, metaZone) // set at the end of the first scan of all files
	switch {
	case err != nil || recorded != "":
		return nil
	case h.indexing != nil:
		return h.indexing
	}
	return &memory.Progress{Stage: "read"}
}
