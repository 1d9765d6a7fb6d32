package engine

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Stats counts what a workspace holds.
func (e *Engine) Stats(ctx context.Context, workspace string) (memory.Stats, error) {
	s, err := e.lookup(workspace)
	if err != nil {
		return memory.Stats{}, err
	}
	stats, err := s.db.Stats(ctx)
	if err != nil {
		return memory.Stats{}, err
	}
	stats.Workspace = s.Name
	stats.LastIndex = s.lastIndex(stats.LastIndex)
	stats.MemoryBytes = residentBytes()
	stats.InMemory = s.inMemory()
	stats.Stale = e.o.ReadOnly
	if stats.Context, err = s.db.Context(ctx, e.now()); err != nil {
		return memory.Stats{}, err
	}
	stats.Embedding, err = e.embeddingStats(ctx, s)
	return stats, err
}

// lastIndex is when the disk was last looked at: by this process, or as the
// index remembers it.
func (s *workspaceState) lastIndex(stored *time.Time) *time.Time {
	if at := s.currentHealth().scannedAt; !at.IsZero() {
		return &at
	}
	return stored
}

// inMemory says whether the fast lanes answer.
func (s *workspaceState) inMemory() memory.InMemory {
	bytes, why := s.db.InMemory()
	return memory.InMemory{Loaded: bytes > 0, Bytes: bytes, Why: why}
}

// Load reads a workspace into memory, so that it answers fast from then on. It
// answers meanwhile. One that is loaded already, or is to stay without, is left
// as it is.
func (e *Engine) Load(ctx context.Context, workspace string) error {
	s, err := e.lookup(workspace)
	if err != nil {
		return err
	}
	return s.db.Load(ctx)
}

// embeddingStats says what makes vectors, and what it is being changed to.
func (e *Engine) embeddingStats(ctx context.Context, s *workspaceState) (memory.EmbeddingStats, error) {
	at := s.serving.Load()
	stats := memory.EmbeddingStats{Provider: providerOf(at.Model()), Model: at.Model(), Dim: at.Dim()}
	s.mu.Lock()
	h, next := s.health, s.nextModel
	s.mu.Unlock()
	for _, err := range []error{h.embedderErr, h.embedErr} {
		if err != nil && stats.Error == "" {
			stats.Error = err.Error()
		}
	}
	if gone, ok := at.Embedder.(unavailable); ok {
		stats.Provider, stats.Dim, stats.Error = e.o.Provider, 0, gone.cause.Error()
		return stats, nil
	}
	var err error
	if stats.Dim > 0 {
		stats.Pending, err = s.pendingCount(ctx, at.Embedder)
	}
	if next == nil || err != nil {
		return stats, err
	}
	stats.Next = &memory.ModelChange{Model: next.Model(), Dim: next.Dim()}
	if h.modelChangeErr != nil {
		stats.Next.Error = h.modelChangeErr.Error()
	}
	stats.Next.Done, stats.Next.Total, err = s.db.StagedProgress(ctx, !next.Remote())
	return stats, err
}

// providerOf is who makes a model's vectors: the first part of its name.
func providerOf(model string) string {
	provider, _, _ := strings.Cut(model, "/")
	return provider
}

// residentBytes is the memory that this process takes, as the system counts it
// where it says so, else as the Go runtime has asked for it.
func residentBytes() int64 {
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}

// Health says that the engine answers.
func (e *Engine) Health(context.Context) (memory.Health, error) {
	return memory.Health{Status: "ok", Version: e.o.Version, UptimeSeconds: e.o.Now().Sub(e.started).Seconds()}, nil
}

// Status says how the service and each of its workspaces are.
func (e *Engine) Status(ctx context.Context) (memory.Status, error) {
	status := memory.Status{Version: e.o.Version, StateDir: e.o.StateDir}
	if e.daemon != nil {
		status.Daemon = e.daemon()
	}
	for _, s := range e.sortedWorkspaces() {
		status.Workspaces = append(status.Workspaces, e.workspaceStatus(ctx, s))
	}
	return status, nil
}

// workspaceStatus never fails: what it could not find out stands in Error.
func (e *Engine) workspaceStatus(ctx context.Context, s *workspaceState) memory.WorkspaceStatus {
	w := memory.WorkspaceStatus{Name: s.Name, Path: s.Dir, Watch: "off"}
	if s.Zone != nil {
		w.Timezone = s.Zone.String()
	}
	if s.openErr != nil {
		w.Error = s.openErr.Error()
		return w
	}
	h := s.currentHealth()
	_, err := s.openFolder()
	w.Available = err == nil && h.folderErr == nil
	w.Behind, w.Fresh = h.behind, w.Available && h.scannedAll && h.behind == 0
	if h.watchMode != nil {
		w.Watch = h.watchMode()
	}
	if h.folderErr != nil {
		w.Error = h.folderErr.Error()
	}
	if w.Notices, err = s.storedNotices(ctx); err != nil {
		w.Error = err.Error()
	}
	if err := e.fillStatus(ctx, s, &w); err != nil && w.Error == "" {
		w.Error = err.Error()
	}
	return w
}

func (e *Engine) fillStatus(ctx context.Context, s *workspaceState, w *memory.WorkspaceStatus) error {
	stats, err := s.db.Stats(ctx)
	if err != nil {
		return err
	}
	w.Files, w.Memories, w.LastIndex = stats.Files, stats.Total, s.lastIndex(stats.LastIndex)
	files, err := s.db.Files(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		w.Faults = append(w.Faults, f.Faults...)
	}
	aside, inherited, err := s.db.SidecarOnly(ctx)
	if err != nil {
		return err
	}
	if aside > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("decisions about %d memories are kept in the index, because their files cannot be written", aside))
	}
	if inherited > 0 {
		w.Notices = append(w.Notices, fmt.Sprintf("what was decided about %d memories holds although the line that said it went with its file or branch", inherited))
	}
	if err := s.currentHealth().destroyErr; err != nil {
		w.Notices = append(w.Notices, err.Error())
	}
	stray, err := s.misplacedNotice(ctx)
	if err != nil {
		return err
	}
	if stray != "" {
		w.Notices = append(w.Notices, stray)
	}
	w.InMemory = s.inMemory()
	w.Embedding, err = e.embeddingStats(ctx, s)
	return err
}

// SetWatchMode tells Status how a workspace is being watched.
func (e *Engine) SetWatchMode(workspace string, mode func() string) {
	if s, err := e.lookup(workspace); err == nil {
		s.updateHealth(func(h *health) { h.watchMode = mode })
	}
}

// Audit lists what was decided, newest first.
func (e *Engine) Audit(ctx context.Context, r memory.AuditRequest) (memory.AuditAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.AuditAnswer{}, err
	}
	return s.db.Audit(ctx, r)
}
