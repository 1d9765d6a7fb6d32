package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
)

// addNative registers the memories that agents' clients keep by themselves, and lists them.
// A service finds later ones, because the configuration lists the clients from now on.
func (a *app) addNative(ctx context.Context) error {
	cfg, _, err := a.load()
	if err != nil {
		return err
	}
	home, err := a.home()
	if err != nil {
		return err
	}
	if err := registry.FollowClients(cfg.File, a.environ, home, a.env); err != nil {
		return err
	}
	if cfg, _, err = a.load(); err != nil {
		return err
	}
	found, err := registry.NativeFolders(cfg)
	if err != nil {
		return err
	}
	return a.withoutRefresh(ctx, writesSettings, func(s *session) error {
		var answer memory.WorkspacesAnswer
		for _, f := range found {
			info, err := s.AddWorkspace(ctx, memory.WorkspaceRequest{Path: registry.RealPath(f.Path), Client: f.Client, Progress: a.show})
			if err != nil {
				return err
			}
			answer.Workspaces = append(answer.Workspaces, info)
		}
		if len(found) == 0 {
			a.note("no client of an agent has memories of its own yet; the service registers them when they appear")
		}
		return printAnswer(a, answer, printNative)
	})
}

func printNative(w io.Writer, answer memory.WorkspacesAnswer) {
	columns(w, 0, func(table io.Writer) {
		for _, ws := range answer.Workspaces {
			fmt.Fprintf(table, "%s\t%s\t%s\n", ws.Name, ws.Client, display.Name(ws.Path))
		}
	})
}

// folderHelp describes the flag of a question's folder.
const folderHelp = "ask from this `folder`, as an agent in it does: the memories of agents' clients answer too"

// askFrom opens a session for a question from a folder. It names no workspace then, so that
// several answer, unless the command line names one.
func (a *app) askFrom(ctx context.Context, folder *string, run func(*session) error) (err error) {
	if *folder == "" || a.workspaceFlag != "" {
		return a.withSession(ctx, readsIndex, run)
	}
	if *folder, err = filepath.Abs(*folder); err != nil {
		return err
	}
	*folder = registry.RealPath(*folder)
	return a.withSession(ctx, noWorkspace, func(s *session) error {
		if err := indexAll(ctx, s); err != nil {
			return err
		}
		return run(s)
	})
}

// indexAll reads the changed files of every workspace, which a service has done already. If
// another command writes, the index stays as it is.
func indexAll(ctx context.Context, s *session) error {
	if s.Daemon {
		return nil
	}
	listed, err := s.Workspaces(ctx)
	for _, w := range listed.Workspaces {
		if err == nil {
			_, err = s.Index(ctx, memory.IndexRequest{Workspace: w.Name, EmbedWithin: refreshTimeout}, nil)
		}
		if errors.Is(err, memory.ErrUnavailable) {
			err = nil
		}
	}
	return err
}
