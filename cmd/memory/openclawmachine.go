package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/service"
)

// hostMachine gives the setup of a host the workspaces and the service of this
// program.
type hostMachine struct {
	app      *app
	stateDir string
}

// Workspaces lists the registered workspaces.
func (m *hostMachine) Workspaces(ctx context.Context) (list []memory.WorkspaceInfo, err error) {
	err = m.app.withoutRefresh(ctx, noWorkspace, func(s *session) error {
		answer, err := s.Workspaces(ctx)
		list = answer.Workspaces
		return err
	})
	return list, err
}

// Register registers a folder. If the name is taken or not valid, the service chooses
// one like the folder's.
func (m *hostMachine) Register(ctx context.Context, name, dir string) (registered string, err error) {
	err = m.app.withoutRefresh(ctx, writesSettings, func(s *session) error {
		info, err := s.AddWorkspace(ctx, memory.WorkspaceRequest{Name: name, Path: dir, Progress: m.app.show})
		if errors.Is(err, memory.ErrConflict) || errors.Is(err, memory.ErrInvalid) {
			info, err = s.AddWorkspace(ctx, memory.WorkspaceRequest{Path: dir, Progress: m.app.show})
		}
		registered = info.Name
		return err
	})
	return registered, err
}

// Unregister stops serving a workspace.
func (m *hostMachine) Unregister(ctx context.Context, name string) error {
	return m.app.withoutRefresh(ctx, writesSettings, func(s *session) error { return s.RemoveWorkspace(ctx, name) })
}

// Follow serves the memories that a client keeps by itself.
func (m *hostMachine) Follow(ctx context.Context, client string) (already bool, err error) {
	_, already, err = m.app.followNative(ctx, client)
	return already, err
}

// Unfollow takes a client out of the configuration.
func (m *hostMachine) Unfollow(client string) error {
	cfg, _, err := m.app.load()
	if err == nil {
		err = registry.UnfollowClient(cfg, client)
	}
	return err
}

// ServiceInstalled asks the service manager.
func (m *hostMachine) ServiceInstalled(ctx context.Context) (bool, error) {
	manager, _, err := m.app.serviceManager(false)
	if err != nil {
		return false, err
	}
	state, err := manager.State(ctx)
	return state.Installed, err
}

// InstallService installs the service, or upgrades it, and starts it.
func (m *hostMachine) InstallService(ctx context.Context) error {
	manager, stateDir, err := m.app.serviceManager(true)
	if err != nil {
		return err
	}
	_, err = m.app.ensureService(ctx, manager, stateDir)
	return err
}

// UninstallService stops the service and removes it.
func (m *hostMachine) UninstallService(ctx context.Context) error {
	manager, _, err := m.app.serviceManager(false)
	if err != nil {
		return err
	}
	_, err = manager.Uninstall(ctx)
	return err
}

// serviceRefusal returns why no service can be installed; empty: it can.
func (m *hostMachine) serviceRefusal(ctx context.Context) string {
	manager, _, err := m.app.serviceManager(true)
	if err == nil {
		err = manager.Reachable(ctx)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// DaemonVersion asks the service that answers on the socket.
func (m *hostMachine) DaemonVersion(ctx context.Context) string {
	status, err := daemonStatus(ctx, m.stateDir)
	if err != nil || status.Daemon == nil {
		return ""
	}
	return status.Daemon.Version
}

// LastTurn looks for the newest receipt of an agent's turn.
func (m *hostMachine) LastTurn(ctx context.Context, workspace string) (at time.Time, err error) {
	err = m.app.withoutRefresh(ctx, noWorkspace, func(s *session) error {
		answer, err := s.Receipts(ctx, memory.ReceiptsRequest{Workspace: workspace})
		for _, r := range answer.Receipts {
			if r.Agent != "" && r.Kind != memory.ReceiptSearch {
				at = r.At
				break
			}
		}
		return err
	})
	return at, err
}

// whileSetup runs a function while no other setup runs. It removes the lock's file, and the
// folder if nothing is set up. Two setups that still meet do not harm: a changed
// configuration is never replaced.
func (a *app) whileSetup(ctx context.Context, stateDir string, run func() error) error {
	folder := hostsetup.Folder(stateDir)
	err := a.runAlone(ctx, folder, "setup", func() error {
		return errors.Join(run(), os.Remove(filepath.Join(folder, service.LockName)))
	})
	_ = os.Remove(folder) // it stays if it has files
	return err
}
