package hostsetup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
	Now      time.Time
}

// Setup is a setup that was prepared. Run makes its changes.
type Setup struct {
	Options
	Agents []Agent
	Plan   Plan

	record *Record
	first  bool // no setup is in force yet
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
	if s.record, err = ReadRecord(o.StateDir); err != nil {
		return nil, err
	}
	if s.record != nil && s.record.Installation != o.Host.Installation {
		return nil, memory.Conflict("this memory is already set up for %s", s.record.Installation.Config).
			WithHint("take that back first (memory openclaw remove), or use another state folder: --state-dir")
	}
	s.first = s.record == nil
	s.Agents, err = o.Host.Agents(ctx)
	return s, err
}

// Backup is where the configuration before the first setup is; empty: there was none.
func (s *Setup) Backup() string { return s.record.Backup }

// steps lists the changes in their order. The host's configuration comes last: until
// then the host works as before. A setup that ends between two steps can be run again or
// taken back.
func (s *Setup) steps() []func(context.Context) error {
	list := []func(context.Context) error{
		s.writeBackup,
		func(context.Context) error { return installPlugin(s.Plugin, PluginDir(s.StateDir)) },
		s.registerWorkspaces,
	}
	if s.Service {
		list = append(list, s.installService)
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

// writeBackup keeps the configuration as it is before the first setup, and records
// what is about to change.
func (s *Setup) writeBackup(context.Context) error {
	_ = atomicfile.RemoveTemporary(s.Host.Installation.Config)
	if err := os.MkdirAll(Folder(s.StateDir), 0o700); err != nil {
		return memory.Unavailable(err, "make the folder of the setup")
	}
	if s.record == nil {
		s.newRecord()
	}
	r, before := s.record, hash(s.Plan.Before)
	r.At = s.Now
	if before != r.After && before != r.Before {
		r.Edited = true
	}
	if before == r.Before {
		r.Changes = nil // a setup that was killed before its last step
	}
	r.Changes = append(r.Changes, s.Plan.Changes...)
	r.Host = Known{Version: s.Version, Agents: s.Agents}
	if err := r.write(s.StateDir); err != nil {
		return err
	}
	if r.Backup == "" || isFile(r.Backup) || before != r.Before {
		return nil
	}
	if err := replaceFile(r.Backup, s.Plan.Before, 0o600); err != nil {
		return memory.Unavailable(err, "write the backup")
	}
	return nil
}

// newRecord begins the record of a first setup.
func (s *Setup) newRecord() {
	before := hash(s.Plan.Before)
	s.record = &Record{Installation: s.Host.Installation, Before: before, After: before}
	if s.Plan.Before != nil {
		s.record.Backup = filepath.Join(backupFolder(s.StateDir), filepath.Base(s.Host.Installation.Config))
	}
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
		if err := s.record.write(s.StateDir); err != nil {
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

func (s *Setup) installService(ctx context.Context) error {
	installed, err := s.Machine.ServiceInstalled(ctx)
	if err != nil {
		return err
	}
	if !installed {
		s.record.Service = true
		if err := s.record.write(s.StateDir); err != nil {
			return err
		}
	}
	return s.Machine.InstallService(ctx)
}

// changeConfig replaces the host's configuration, unless somebody has changed it
// since the plan was made.
func (s *Setup) changeConfig(context.Context) error {
	if len(s.Plan.Changes) == 0 {
		return nil
	}
	file := s.Host.Installation.Config
	s.record.After = hash(s.Plan.After)
	if err := s.record.write(s.StateDir); err != nil {
		return err
	}
	now, err := readConfig(file)
	if err != nil {
		return err
	}
	if (now == nil) != (s.Plan.Before == nil) || !slices.Equal(now, s.Plan.Before) {
		return memory.Conflict("the configuration of OpenClaw has changed meanwhile").WithHint("try again")
	}
	if err := replaceFile(file, s.Plan.After, 0o600); err != nil {
		return memory.Unavailable(err, "write the configuration of OpenClaw")
	}
	return nil
}
