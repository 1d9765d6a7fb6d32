package engine

import (
	"context"
	"fmt"
	"reflect"

	"github.com/memory-tiered/memory"
)

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
	o.Hold = running.Hold
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
		note(config.Name, e.applyTo(ctx, config, next.NoInMemory != running.NoInMemory || next.Server != running.Server))
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
		opened := openOrFail(ctx, config, e.options())
		e.setWorkspace(config.Name, opened)
		return opened.openErr
	case s.openErr != nil && s.previous != nil:
		return nil // it is being repaired, and reads the options then
	case s.openErr == nil && !openAgain && sameConfig(s.WorkspaceConfig, config):
		s.models.SetSettings(e.options().Recall)
		s.machines.SetLimits(e.options().Tiers)
		return nil
	}
	return e.openAgain(ctx, s, beingOpened(config))
}

func beingOpened(config WorkspaceConfig) *workspaceState {
	return &workspaceState{WorkspaceConfig: config,
		openErr: memory.Unavailable(nil, "the workspace %s is being opened with other settings", config.Name).WithHint("try again in a moment")}
}

// openAgain opens a workspace as it is configured in meanwhile, which answers until then.
func (e *Engine) openAgain(ctx context.Context, s, meanwhile *workspaceState) error {
	return e.replaceWorkspace(ctx, s.Name, meanwhile, func() (string, *workspaceState, error) {
		config := meanwhile.WorkspaceConfig
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
