package engine

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/doctor"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/watcher"
	"github.com/memory-tiered/memory/workspace"
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
	if err := s.replaced.Drain(e.now()); err != nil { // so that the answer is about every line
		return memory.IndexAnswer{}, err
	}
	if r.Force && len(r.Paths) == 0 && s.canWrite() {
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
	start, now, made := time.Now(), e.now(), s.models.Made()
	if r.Force && len(r.Paths) == 0 {
		if err := s.resetIndex(ctx, now); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	answer, err := s.ingest(ctx, now, r.Paths, r.Force, progress)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	answer.Embedded = s.models.Made() - made
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
	return doctor.StoreNotices(ctx, s.db, now, []string{})
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
	if h.scannedAll || h.scanErr != nil || !s.canWrite() {
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

// Keys of the index's meta table.
const (
	metaZone      = "zone"       // the time zone in which the files were last read
	metaLastIndex = "last_index" // when a scan last found a change, RFC 3339
)

// IngestChanges indexes the files that events named, or everything if there are none. It
// reports whether a memory came, went or changed.
func (e *Engine) IngestChanges(ctx context.Context, workspace string, paths []string) (changed bool, err error) {
	s, err := e.lookup(workspace)
	if err != nil || s.isReader() { // the process that writes finds them
		return false, err
	}
	s.updateHealth(func(h *health) { h.behind = max(1, len(paths)) })
	answer, err := s.ingest(ctx, e.now(), paths, false, func(memory.Progress) {})
	return answer.Added+answer.Edited+answer.Moved+answer.Missing > 0, err
}

// ingest indexes paths, or everything if there are none. One ingest runs at a time,
// so that a caller that wrote a file reads what it wrote. A long one lets waiting
// callers go first now and then.
func (s *workspaceState) ingest(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (answer memory.IndexAnswer, err error) {
	for {
		part, err := s.ingestTurn(ctx, now, paths, force, progress)
		part.Added, part.Edited = part.Added+answer.Added, part.Edited+answer.Edited
		part.Moved, part.Missing = part.Moved+answer.Moved, part.Missing+answer.Missing
		if answer = part; !errors.Is(err, ingest.ErrPaused) {
			return answer, err
		}
	}
}

// ingestTurn is a part of an ingest, while no other one runs.
func (s *workspaceState) ingestTurn(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	lock := s.lockIngest
	if len(paths) == 0 && s.canWrite() {
		lock = s.turns.TakeLater
	}
	unlock, err := lock(ctx)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	defer unlock()
	if err := s.plans.ResumeIntents(ctx, now, false); err != nil {
		return memory.IndexAnswer{}, err
	}
	if !force {
		s.turns.Begin()
	}
	answer, err := s.ingestLocked(ctx, now, paths, force, progress)
	s.turns.End()
	if err == nil {
		_, _ = s.plans.WritePendingUnlessBusy(ctx, now) // what fails stays pending: status counts it
	}
	if n := answer.Added + answer.Edited + answer.Moved; n >= freeMemoryAfter || force && n+answer.Unchanged >= freeMemoryAfter {
		s.db.FreeMemory()
	}
	return answer, err
}

// freeMemoryAfter is the number of memories that an ingest or a sweep writes from which its
// garbage is returned to the system at once. That is some 5 KB for each.
const freeMemoryAfter = 10_000

func (s *workspaceState) ingestLocked(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	folder, err := s.openFolder()
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	newZone, err := s.zoneChanged(ctx)
	if err != nil { // such as while the workspace gets another name: then no file is written for the old one
		return memory.IndexAnswer{}, err
	}
	if !s.currentHealth().scannedAll {
		s.noteFolder() // not before: the folder may have been moved, and another one have its place
	}
	if newZone {
		paths, force = nil, true // dates without a time mean other times now
	}
	_ = s.flush(ctx, 0) // a memory that is taken over hands on its written uses at once; others stay pending
	s.branch.Note()
	answer, err := folder.ingester.Ingest(ctx, now, paths, force, s.showProgress(progress))
	s.updateHealth(func(h *health) { h.indexing = nil })
	if errors.Is(err, ingest.ErrPaused) {
		return answer, err
	}
	if err == nil {
		err = s.branch.Record(ctx, s.db, now, len(paths) == 0, func() error {
			_, err := folder.ingester.Ingest(ctx, now, nil, false, nil)
			return err
		})
	}
	if err == nil && len(paths) == 0 {
		_ = s.machines.Sync(ctx) // it is tried again with the next scan
		err = s.recordZone(ctx, now)
	}
	if err == nil && answer.Added+answer.Edited+answer.Moved+answer.Missing > 0 {
		err = s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaLastIndex, now.Format(time.RFC3339)) })
	}
	s.updateHealth(func(h *health) {
		if h.scanErr = err; s.db.Damage() != nil {
			h.scanErr = nil // status reports the damage
		}
		if err == nil {
			h.behind, h.scannedAll, h.scannedAt = 0, h.scannedAll || len(paths) == 0, now
		}
	})
	return answer, err
}

// RefreshPaths indexes the present content of some files. The caller holds the lock of
// ingests.
func (s *workspaceState) RefreshPaths(ctx context.Context, now time.Time, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := s.ingestLocked(ctx, now, paths, false, func(memory.Progress) {})
	return err
}

// RefreshAll indexes the present content of all files. The caller holds the lock of
// ingests.
func (s *workspaceState) RefreshAll(ctx context.Context, now time.Time) error {
	_, err := s.ingestLocked(ctx, now, nil, false, func(memory.Progress) {})
	return err
}

// showProgress lets Status show the progress of indexing.
func (s *workspaceState) showProgress(progress func(memory.Progress)) func(memory.Progress) {
	return func(p memory.Progress) {
		s.updateHealth(func(h *health) { h.indexing = &p })
		progress(p)
	}
}

// zoneChanged reports whether the workspace had another time zone when its files
// were indexed.
func (s *workspaceState) zoneChanged(ctx context.Context) (bool, error) {
	recorded, err := s.db.Meta(ctx, metaZone)
	return recorded != "" && recorded != zoneKey(s.zone()), err
}

// recordZone records, after a scan of all files, in which time zone they were read.
func (s *workspaceState) recordZone(ctx context.Context, now time.Time) error {
	recorded, err := s.db.Meta(ctx, metaZone)
	key := zoneKey(s.zone())
	if err != nil || recorded == key {
		return err
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaZone, key) })
}

// zoneKey returns a zone's name with its offsets in winter and summer, because the
// system's zone is always named Local. The year is any with today's rules.
func zoneKey(zone *time.Location) string {
	winter, summer := time.Date(2026, 1, 1, 0, 0, 0, 0, zone), time.Date(2026, 7, 1, 0, 0, 0, 0, zone)
	return zone.String() + winter.Format(" -07:00") + summer.Format(" -07:00")
}

// scannedIndex is the index as the ingester uses it. Each batch carries the git branch on
// which its files were read.
type scannedIndex struct {
	*index.DB
	state *workspaceState
}

// Apply adds the branch to a batch and applies it.
func (b scannedIndex) Apply(ctx context.Context, now time.Time, batch memory.Batch) error {
	if err := b.state.branch.Mark(ctx, b.DB, &batch); err != nil {
		return err
	}
	return b.DB.Apply(ctx, now, batch)
}

// WatchTree returns a workspace's folder as the watcher needs it. It fails while
// the folder does not exist.
func (e *Engine) WatchTree(name string) (watcher.Tree, error) {
	s, err := e.lookup(name)
	if err != nil {
		return nil, err
	}
	folder, err := s.openFolder()
	if err != nil {
		return nil, err
	}
	return watchTree{folder.Workspace}, nil
}

type watchTree struct{ *workspace.Workspace }

// Effect returns what a change of a file may change.
func (t watchTree) Effect(path string) watcher.Effect {
	if path == workspace.IgnoreFile || t.IsLinked(path) || t.IsLink(path) {
		return watcher.OnFolder
	} else if path == memory.DecisionsFile || t.Indexable(path) {
		return watcher.OnFile
	}
	return watcher.NoEffect
}

// Folders lists the folders to watch.
func (t watchTree) Folders(ctx context.Context) ([]string, error) {
	found, err := t.Scan(ctx)
	return found.Folders, err
}
