package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fatih/color"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/dialogue"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/migrate"
)

// dialogue shows the clients, and asks what to set up. Each yes runs the command for that step.
func (s *clientSetup) dialogue(ctx context.Context) error {
	o, _, err := s.options(ctx)
	if err != nil {
		return err
	}
	states := s.clientStates(ctx, o)
	states.Clients = slices.Insert(states.Clients, 0, clientState{ClientStatus: hostsetup.OpenClawStatus(o.Env, o.StateDir)})
	printClientStates(s.err, states)
	if !slices.ContainsFunc(states.Clients, func(c clientState) bool { return c.Installed }) {
		fmt.Fprintf(s.err, "no client that setup knows is installed: %s\n", strings.Join(hostsetup.ClientNames(), ", "))
	}
	questions := dialogue.Options{
		Out: s.err, Printed: errFound, Ended: errInputEnded, Ask: s.ask, Agrees: s.agrees, Home: o.Env.Home, Folder: o.Folder, Systems: s.foreignMemories(),
		Heading:    func(title string) string { return s.colour(title, color.Bold) },
		Workspaces: func(ctx context.Context) ([]memory.WorkspaceInfo, error) { return s.ownWorkspaces(ctx, o.Machine) },
		Register: func(ctx context.Context, folder string) error {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return memory.Unavailable(err, "make the folder %s", folder)
			}
			_, err := o.Machine.Register(ctx, memory.DefaultWorkspace, folder)
			return err
		},
	}
	for _, c := range s.unsetClients(ctx, o) {
		questions.Clients = append(questions.Clients, dialogue.Client{Title: c.Title, SetUp: func(ctx context.Context, folder string) error {
			run := (&hostSetup{app: s.app, noService: s.noService}).run
			s.folder = folder
			if s.client = clients.Named(c.Client); s.client.Name != "" {
				run = s.run
			}
			return run(ctx)
		}})
	}
	return dialogue.Run(ctx, questions)
}

// foreignMemories lists the systems with memories in their usual place.
func (s *clientSetup) foreignMemories() (found []dialogue.System) {
	for _, system := range migrate.Systems {
		m := migration{app: s.app, Reader: migrate.Reader{System: system, Env: s.env, Home: s.home, Begin: time.Now()}}
		path, err := m.UsualPath()
		if _, statErr := os.Stat(path); err != nil || statErr != nil {
			continue
		}
		bring := func(ctx context.Context, preview bool) (int, error) {
			m.preview = preview
			answer, err := m.bring(ctx)
			return answer.Imported, err
		}
		found = append(found, dialogue.System{Name: system, Path: path,
			Preview: func(ctx context.Context) (int, error) { return bring(ctx, true) },
			Import:  func(ctx context.Context) error { _, err := bring(ctx, false); return err },
		})
	}
	return found
}

// ownWorkspaces lists the workspaces that are not a client's own memory.
func (s *clientSetup) ownWorkspaces(ctx context.Context, m hostsetup.Machine) ([]memory.WorkspaceInfo, error) {
	known, err := m.Workspaces(ctx)
	return registry.OfPersons(known), err
}
