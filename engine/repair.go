package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/statefolder"
)

// repairPause is the time between two repairs of one database. A disk that damages
// every new database must not be filled with copies.
const repairPause = time.Minute

// Repair builds the databases again that turned out to be damaged, or that somebody
// removed, and indexes their workspaces. Requests fail for the moment that this takes.
// It returns what a person should know. A running service calls it every second: it is
// cheap if nothing is to be done.
func (e *Engine) Repair(ctx context.Context) (notices []string, err error) {
	if e.options().ReadOnly {
		return nil, nil
	}
	for _, s := range e.sortedWorkspaces() {
		now := e.now()
		if !s.needsRepair() || now.Sub(s.repairedAt) < repairPause {
			continue
		}
		next, repairErr := e.repair(ctx, s, now)
		if err = errors.Join(err, repairErr); next != nil {
			notices = append(notices, next.db.Notices()...)
		}
	}
	return notices, err
}

// needsRepair reports whether the database must be opened again. A repair that failed
// leaves a workspace without a database.
func (s *workspaceState) needsRepair() bool {
	if s.openErr != nil {
		return s.previous != nil
	}
	return !s.isDiskFull() && (s.db.Damage() != nil || s.db.IsLost())
}

// repair opens the database again, which rebuilds it, and serves it with the folder
// and the pending uses of s.
func (e *Engine) repair(ctx context.Context, s *workspaceState, now time.Time) (*workspaceState, error) {
	e.repairMu.Lock()
	defer e.repairMu.Unlock()
	if current, err := e.lookup(s.Name); current != s {
		return current, err // another call has repaired it
	}
	ctx = context.WithoutCancel(ctx) // once begun, it is better finished
	previous := s
	if s.openErr != nil {
		previous = s.previous
	} else if err := e.closeForRepair(ctx, s, now); err != nil {
		return nil, err
	}
	next, err := openWorkspace(ctx, s.WorkspaceConfig, e.options(), previous)
	if err != nil {
		e.setWorkspace(s.Name, beingRepaired(previous, now, err))
		return nil, fmt.Errorf("repair the index of %s: %w", s.Name, err)
	}
	next.repairedAt, next.replaced = now, previous.replaced
	e.setWorkspace(s.Name, next)
	_, err = next.ingest(ctx, now, nil, false, func(memory.Progress) {})
	return next, err
}

// closeForRepair closes the database and leaves the folder open. What the open
// connections of a removed database still know goes into its backup.
func (e *Engine) closeForRepair(ctx context.Context, s *workspaceState, now time.Time) error {
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	e.setWorkspace(s.Name, beingRepaired(s, now, nil))
	defer s.backups.Hold()()
	if s.db.Damage() == nil && !statefolder.DatabaseExists(s.DBPath) {
		_ = s.db.CheckedBackup(ctx, statefolder.BackupPath(s.DBPath)) // otherwise the last backup is used
	}
	_ = s.db.Close() // a damaged database may refuse; it is replaced
	return nil
}

// beingRepaired takes the place of a workspace without a database.
func beingRepaired(previous *workspaceState, now time.Time, cause error) *workspaceState {
	return &workspaceState{WorkspaceConfig: previous.WorkspaceConfig, previous: previous, repairedAt: now,
		openErr: memory.Unavailable(cause, "the index is being built again").WithHint("try again in a few seconds")}
}

// inherit takes over what does not depend on the database.
func (s *workspaceState) inherit(previous *workspaceState) {
	previous.mu.Lock()
	defer previous.mu.Unlock()
	s.uses, s.branch, s.opening = previous.uses, previous.branch, previous.opening
	s.health.watchMode = previous.health.watchMode
	if folder := previous.folder; folder != nil {
		s.folder = s.withIngester(folder.Workspace)
	}
}

// ReadConfig reads the configuration again. It returns the options that it describes,
// and what changed. After an error nothing changes.
type ReadConfig func(context.Context) (Options, memory.ReloadAnswer, error)

// SetReload sets the function from which Reload gets the options.
func (e *Engine) SetReload(read ReadConfig) { e.readConfig = read }

// Reload reads the configuration again and applies it. If it is not valid, the old one
// stays in force as a whole.
func (e *Engine) Reload(ctx context.Context) (memory.ReloadAnswer, error) {
	if e.readConfig == nil {
		return memory.ReloadAnswer{}, memory.Unavailable(nil, "no service runs").
			WithHint("every other command reads the configuration itself; memory serve starts the service")
	}
	e.registryMu.Lock()
	defer e.registryMu.Unlock()
	next, answer, err := e.readConfig(ctx)
	if err != nil {
		return memory.ReloadAnswer{}, err
	}
	next.keepFixed(ctx, e.options())
	next.setDefaults()
	answer.Problems = e.apply(ctx, next)
	return answer, ctx.Err()
}

// keepFixed keeps the options that do not change while the engine runs: they come
// from the program or its environment, and not from the configuration. Embedders
// follow the configuration by themselves.
func (o *Options) keepFixed(ctx context.Context, running Options) {
	o.Version, o.StateDir, o.Registry, o.Now, o.ReadOnly = running.Version, running.StateDir, running.Registry, running.Now, running.ReadOnly
	o.Embedders, o.Embedder, o.EmbedWait = running.Embedders, running.Embedder, running.EmbedWait
	o.Extensions = running.Extensions
	o.Hold, o.modelWanted = running.Hold, running.modelWanted
	o.configured, o.configuredErr = o.Embedders.Configured(ctx)
}

// apply puts options into force. A workspace whose own settings changed is opened
// again; the others continue with the new settings. It returns which workspaces could
// not be opened, and why.
func (e *Engine) apply(ctx context.Context, next Options) (problems []string) {
	running := e.options()
	e.current.Store(&next)
	note := func(name string, err error) {
		if err != nil {
			problems = append(problems, fmt.Sprintf("workspace %s: %v", name, err))
		}
	}
	configured := map[string]bool{}
	for _, config := range next.Workspaces {
		configured[config.Name] = true
		note(config.Name, e.applyTo(ctx, config, next.NoInMemory != running.NoInMemory))
	}
	for _, s := range e.sortedWorkspaces() {
		if !configured[s.Name] {
			note(s.Name, e.replaceWorkspace(ctx, s.Name, nil, func() (string, *workspaceState, error) { return "", nil, nil }))
		}
	}
	return problems
}

// applyTo serves a workspace as the options in force describe it.
func (e *Engine) applyTo(ctx context.Context, config WorkspaceConfig, openAgain bool) error {
	e.mu.RLock()
	s, served := e.workspaces[config.Name]
	e.mu.RUnlock()
	switch {
	case !served:
		opened, err := openWorkspace(ctx, config, e.options(), nil)
		if err != nil {
			opened = &workspaceState{WorkspaceConfig: config, openErr: err}
		}
		e.setWorkspace(config.Name, opened)
		return err
	case s.openErr != nil && s.previous != nil:
		return nil // it is being repaired, and reads the options then
	case s.openErr == nil && !openAgain && sameConfig(s.WorkspaceConfig, config):
		s.models.SetSettings(e.options().Recall)
		return nil
	}
	return e.openAgain(ctx, s, config)
}

// openAgain opens a workspace with other settings.
func (e *Engine) openAgain(ctx context.Context, s *workspaceState, config WorkspaceConfig) error {
	meanwhile := &workspaceState{WorkspaceConfig: config,
		openErr: memory.Unavailable(nil, "the workspace %s is being opened with other settings", config.Name).WithHint("try again in a moment")}
	return e.replaceWorkspace(ctx, config.Name, meanwhile, func() (string, *workspaceState, error) {
		opened, err := openWorkspace(ctx, config, e.options(), nil)
		if err == nil {
			opened.opening = s.opening + 1
		}
		return config.Name, opened, err
	})
}

// sameConfig reports whether two workspaces are configured alike. Time zones are
// compared by name, because each load makes another one.
func sameConfig(a, b WorkspaceConfig) bool {
	sameZone := zoneName(a) == zoneName(b)
	a.Zone, b.Zone = nil, nil
	return sameZone && reflect.DeepEqual(a, b)
}

func zoneName(c WorkspaceConfig) string {
	if c.Zone == nil {
		return ""
	}
	return c.Zone.String()
}

// Opening returns a number that changes when Reload opens a workspace with other
// settings. What was watching it then watches the wrong files.
func (e *Engine) Opening(name string) int {
	s, err := e.lookup(name)
	if err != nil {
		return 0
	}
	return s.opening
}
