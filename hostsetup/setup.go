package hostsetup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/workspace"
)

// Machine is what a setup needs of this program: its workspaces, its service and what
// the service saw.
type Machine interface {
	Workspaces(context.Context) ([]memory.WorkspaceInfo, error)
	// Register registers a folder under the name, or a similar one if it is taken.
	Register(ctx context.Context, name, dir string) (registered string, err error)
	Unregister(ctx context.Context, name string) error
	// Follow serves the memories that a client keeps by itself, also those that it makes later.
	Follow(ctx context.Context, client string) (already bool, err error)
	Unfollow(client string) error
	// ServiceInstalled reports whether the service manager has the service.
	ServiceInstalled(context.Context) (bool, error)
	InstallService(context.Context) error
	UninstallService(context.Context) error
	// DaemonVersion returns the version of the service that answers; empty: none does.
	DaemonVersion(context.Context) string
	// LastTurn returns when a turn of an agent last reached a workspace.
	LastTurn(ctx context.Context, workspace string) (time.Time, error)
}

// Options are the parts of a setup.
type Options struct {
	Host     Host
	StateDir string // of the service, absolute
	Config   string // the service's configuration file
	Binary   string // this program, absolute; empty: the host looks for it in PATH
	Plugin   fs.FS
	Machine  Machine
	Choices  Choices
	Service  bool   // install the service
	Preview  bool   // only show the changes: the host's configuration may be read-only
	Deep     bool   // a status starts the host and asks it
	Version  string // of the host, which a setup records
}

// Setup is a setup that was prepared. Run makes its changes.
type Setup struct {
	Options
	Agents []Agent
	Plan   Plan

	record *Record
	base   []byte // the configuration without our changes; nil: no file
	first  bool   // no setup is in force yet
}

// Prepare reads everything and changes nothing.
func Prepare(ctx context.Context, o Options) (*Setup, error) {
	config, err := readConfig(o.Host.Installation.Config)
	if err != nil {
		return nil, err
	}
	s := &Setup{Options: o}
	if s.Plan, err = makePlan(config, Paths{PluginDir(o.StateDir), o.StateDir, o.Binary}, o.Choices); err != nil {
		return nil, err
	}
	if len(s.Plan.Changes) > 0 && !o.Preview {
		if err := checkWritable(o.Host.Installation.Config); err != nil {
			return nil, err
		}
	}
	if s.record, err = readRecord(Folder(o.StateDir), "openclaw"); err != nil {
		return nil, err
	}
	s.first = s.record.isNew
	if !s.first && s.record.Installation != o.Host.Installation {
		return nil, memory.Conflict("this memory is already set up for %s", s.record.Installation.Config).
			WithHint("take that back first (memory openclaw remove), or use another state folder: --state-dir")
	}
	if s.base, _, err = s.record.withoutOurs(o.Host.Installation.Config, config); err != nil {
		return nil, err
	}
	s.Agents, err = o.Host.Agents(ctx)
	return s, err
}

// Backup is where the configuration before the first setup is; empty: there was none.
func (s *Setup) Backup() string {
	_, kept, _ := s.record.backup(s.Host.Installation.Config)
	return kept
}

// steps lists the changes in their order. The host's configuration comes last: until
// then the host works as before. A setup that ends between two steps can be run again or
// taken back.
func (s *Setup) steps() []func(context.Context) error {
	list := []func(context.Context) error{
		s.begin,
		func(context.Context) error { return installPlugin(s.Plugin, PluginDir(s.StateDir)) },
		s.registerWorkspaces,
	}
	if s.Service {
		list = append(list, func(ctx context.Context) error { return s.record.installService(ctx, s.Machine) })
	}
	return append(list, s.changeConfig)
}

// Run makes the changes. If one fails, a first setup is taken back; otherwise the
// former setup stays in force.
func (s *Setup) Run(ctx context.Context) error {
	for _, step := range s.steps() {
		if err := step(ctx); err != nil {
			return s.failed(ctx, err)
		}
	}
	return nil
}

// failed takes a first setup back after an error.
func (s *Setup) failed(ctx context.Context, err error) error {
	if !s.first {
		return err
	}
	_, removeErr := Remove(context.WithoutCancel(ctx), s.Options)
	return errors.Join(err, removeErr)
}

// begin records what is about to change.
func (s *Setup) begin(context.Context) error {
	_ = atomicfile.RemoveTemporary(s.Host.Installation.Config)
	r := s.record
	if slices.Equal(s.base, s.Plan.Before) {
		r.Changes = nil // a setup that was killed before its last step, or none
	}
	r.Installation, r.Changes = s.Host.Installation, append(r.Changes, s.Plan.Changes...)
	r.Host = Known{Version: s.Version, Agents: s.Agents}
	return r.write()
}

// registerWorkspaces registers the folder of each agent.
func (s *Setup) registerWorkspaces(ctx context.Context) error {
	known, err := s.Machine.Workspaces(ctx)
	if err != nil {
		return err
	}
	for i, agent := range s.Agents {
		if s.Agents[i].Workspace = registeredName(known, agent.Dir); s.Agents[i].Workspace != "" {
			continue
		}
		if err := os.MkdirAll(agent.Dir, 0o755); err != nil {
			return memory.Unavailable(err, "make the folder of the agent")
		}
		s.record.Workspaces = addOnce(s.record.Workspaces, agent.Dir)
		if err := s.record.write(); err != nil {
			return err
		}
		name, err := s.Machine.Register(ctx, agent.ID, agent.Dir)
		if err != nil {
			return err
		}
		s.Agents[i].Workspace, s.Agents[i].Added = name, true
		known = append(known, memory.WorkspaceInfo{Name: name, Path: agent.Dir})
	}
	return nil
}

// addOnce adds an element to a list unless a killed setup has added it.
func addOnce(list []string, element string) []string {
	if slices.Contains(list, element) {
		return list
	}
	return append(list, element)
}

// registeredName returns the name of the workspace in a folder.
func registeredName(known []memory.WorkspaceInfo, dir string) string {
	for _, w := range known {
		if workspace.SameFolder(w.Path, dir) {
			return w.Name
		}
	}
	return ""
}

// changeConfig replaces the host's configuration, unless somebody has changed it
// since the plan was made.
func (s *Setup) changeConfig(context.Context) error {
	if len(s.Plan.Changes) == 0 {
		return nil
	}
	return s.record.writeAll([]FileChange{{Path: s.Host.Installation.Config, Before: s.Plan.Before, After: s.Plan.After, base: s.base}})
}
