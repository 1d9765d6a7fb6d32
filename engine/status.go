package engine

import (
	"cmp"
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/doctor"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Health reports that the engine answers.
func (e *Engine) Health(context.Context) (memory.Health, error) {
	return memory.Health{Status: "ok", Version: e.options().Version, UptimeSeconds: e.options().Now().Sub(e.started).Seconds()}, nil
}

// Status reports the state of the service and of each workspace.
func (e *Engine) Status(ctx context.Context) (memory.Status, error) {
	status := memory.Status{Version: e.options().Version, StateDir: e.options().StateDir, Hooks: e.hooks.Status()}
	if e.daemon != nil {
		status.Daemon = e.daemon()
	}
	counting, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	for _, s := range e.sortedWorkspaces() {
		w := e.workspaceStatus(ctx, s)
		w.Globs = s.Options.Patterns()
		if s.openErr == nil {
			w.Coverage = s.coverage(counting)
		}
		status.Workspaces = append(status.Workspaces, w)
	}
	return status, ctx.Err()
}

// workspaceStatus never fails: it reports errors in Error.
func (e *Engine) workspaceStatus(ctx context.Context, s *workspaceState) memory.WorkspaceStatus {
	w := memory.WorkspaceStatus{Name: s.Name, Path: s.Dir, Watch: "off", ReadOnly: s.Options.ReadOnly}
	if s.Zone != nil {
		w.Timezone = s.Zone.String()
	}
	if s.openErr != nil {
		w.Error, w.IndexFailed, w.Available = s.openErr.Error(), true, workspace.CheckFolder(s.Dir) == nil
		return w
	}
	h := s.currentHealth()
	folder, err := s.openFolder()
	if err == nil {
		err = folder.Check()
	}
	if w.Available = err == nil; w.Available {
		w.Notices = doctor.ReadOnlyNotices(folder.Workspace)
	}
	w.Behind, w.Fresh = h.behind, w.Available && h.scanErr == nil && h.scannedAll && h.behind == 0
	if w.Indexing = h.indexing; w.Indexing == nil {
		w.Indexing = s.indexingNow(ctx)
	}
	if w.Indexing != nil {
		w.Fresh = false
	}
	if h.watchMode != nil {
		w.Watch = h.watchMode()
	}
	if err = cmp.Or(err, h.scanErr); err != nil {
		w.Error = err.Error()
	}
	if s.isReader() {
		w.Notices = append(w.Notices, "this process only reads the index: "+s.unwritable.Error())
	} else if s.unwritable != nil {
		w.Error = "nothing can be written, and the index answers as it is: " + s.unwritable.Error()
	}
	if damage := s.db.Damage(); damage != nil {
		w.Error = damage.Error() + "; the index is built again at once"
	}
	stored, err := doctor.StoredNotices(ctx, s.db)
	if w.Notices = append(w.Notices, stored...); err != nil {
		w.Error = err.Error()
	}
	if state, err := s.db.SweepState(ctx); err == nil {
		if held := ageing.HeldReason(state, e.now()); held != nil {
			w.Notices = append(w.Notices, "no memory ages: "+*held+"; memory decay run --yes releases the sweeps")
		}
	}
	if err := e.fillStatus(ctx, s, &w); err != nil && w.Error == "" {
		w.Error = err.Error()
	}
	return w
}

func (e *Engine) fillStatus(ctx context.Context, s *workspaceState, w *memory.WorkspaceStatus) error {
	stats, err := s.db.Stats(ctx, index.Counted{})
	if err != nil {
		return err
	}
	w.Files, w.Memories, w.LastIndex = stats.Files, stats.Total, s.lastIndex(stats.LastIndex)
	if w.Faults, err = s.faults(ctx); err != nil {
		return err
	}
	sources := doctor.Notices{Executor: s.plans}
	found, err := sources.Find(ctx, e.now(), s.models.RecallSettings().MaxTokens, w.Indexing != nil)
	w.Notices, w.PendingDecisions, w.StaleQuotes = append(w.Notices, found.List...), found.Pending, found.StaleQuotes
	if err != nil {
		return err
	}
	w.InMemory = s.inMemory()
	w.Embedding, err = s.models.Stats(ctx, e.options().Provider, e.options().Hold != nil)
	return err
}

// SetWatchMode sets the function from which Status learns how a workspace is
// watched.
func (e *Engine) SetWatchMode(workspace string, mode func() string) {
	if s, err := e.lookup(workspace); err == nil {
		s.updateHealth(func(h *health) { h.watchMode = mode })
	}
}

// Notices lists the notices of opening the indexes: which one was damaged, and what
// was lost.
func (e *Engine) Notices() []string {
	var all []string
	for _, s := range e.openWorkspaces() {
		all = append(all, s.db.Notices()...)
	}
	return all
}

// countTime is how long Status counts Markdown files, in all workspaces together. A
// client waits five seconds for its answer.
const countTime = 2 * time.Second

// A count is used again for this many times as long as it took. So frequent requests
// spend a twentieth of their time on it.
const countReuse = 20

// countedFiles is the last count of a workspace's Markdown files.
type countedFiles struct {
	coverage memory.Coverage
	until    time.Time
}

// coverage counts the Markdown files of a workspace that are memories and that are not.
// It returns nil while the folder cannot be read.
func (s *workspaceState) coverage(ctx context.Context) *memory.Coverage {
	folder, err := s.openFolder()
	if err != nil {
		return nil
	}
	begin := time.Now()
	s.mu.Lock()
	last := s.counted
	s.mu.Unlock()
	if begin.Before(last.until) {
		return &last.coverage
	}
	c, err := folder.Coverage(ctx, workspace.DefaultCoverageEntries)
	if err != nil {
		return nil
	}
	end := time.Now()
	s.mu.Lock()
	s.counted = countedFiles{c, end.Add(countReuse * end.Sub(begin))}
	s.mu.Unlock()
	return &c
}

// info describes a workspace without counting its files.
func (c WorkspaceConfig) info() memory.WorkspaceInfo {
	return memory.WorkspaceInfo{Name: c.Name, Path: c.Dir, Globs: c.Options.Patterns(), Client: c.Client}
}

// A fault quotes what is wrong in a file, and that may be a forgotten text.

// faults lists the faults of all files, and what an unfinished destroy left in them. They
// repeat no forgotten text.
func (s *workspaceState) faults(ctx context.Context) (all []memory.Fault, err error) {
	for _, find := range []func(context.Context) ([]memory.Fault, error){s.db.Faults, s.plans.DestroyFaults, s.saved.DestroyFaults, s.machines.Faults} {
		found, err := find(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	hidden, err := s.db.Hidden(ctx, memory.View{})
	for i := range all {
		all[i].Message = hidden.Message(all[i].Message)
	}
	return all, err
}
