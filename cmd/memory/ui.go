package main

import (
	"context"
	"errors"
	"net/url"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/api/inspector"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/machine"
)

// inspectorIdle is how long the inspector stays open without a request: a lunch.
const inspectorIdle = time.Hour

func (a *app) uiCommand() *cobra.Command {
	var quiet bool
	c := newCommand("ui", arguments{}, func(c *cobra.Command) error {
		return a.openUI(c.Context(), !quiet && a.terminal && !a.json)
	})
	c.Flags().BoolVar(&quiet, "no-browser", false, "print the address, and open no browser")
	return c
}

// openUI opens the inspector of the service, or serves it until it is not used any more.
func (a *app) openUI(ctx context.Context, browse bool) error {
	var answer memory.InspectorAnswer
	need := noWorkspace
	if a.workspaceFlag != "" || a.env("MEMORY_WORKSPACE") != "" {
		need = readsIndex
	}
	err := a.withSession(ctx, need, func(s *session) (err error) {
		if !s.Daemon || s.Remote {
			return errNoService
		}
		if answer, err = s.OpenInspector(ctx); err == nil && s.Workspace != "" {
			answer.Address += "&w=" + url.QueryEscape(s.Workspace)
		}
		return err
	})
	if !errors.Is(err, errNoService) {
		if err != nil {
			return err
		}
		return a.showAddress(ctx, answer, browse)
	}
	server := inspector.NewServer(a.inspectorOptions(func(ctx context.Context, _ string, writes bool, use func(inspector.Backend, string) error) error {
		return a.withSession(ctx, writesUnless(!writes), func(s *session) error { return use(s, s.Workspace) })
	}), inspectorIdle)
	if answer.Address, err = server.Open(); err != nil {
		return err
	}
	if err := a.showAddress(ctx, answer, browse); err != nil {
		return errors.Join(err, server.Close())
	}
	a.note("this command serves the pages; Ctrl-C ends it")
	return server.Wait(ctx)
}

var errNoService = errors.New("no service runs")

// showAddress prints the address, and opens it in a browser.
func (a *app) showAddress(ctx context.Context, answer memory.InspectorAnswer, browse bool) error {
	if err := a.printLine(answer, "%s", answer.Address); err != nil || !browse {
		return err
	}
	if err := exec.CommandContext(ctx, machine.OpenCommand(), answer.Address).Run(); err != nil {
		a.note("open the address in your browser; it could not be opened: %v", err)
	}
	return nil
}

// inspectorOptions returns the options of the pages.
func (a *app) inspectorOptions(connect func(context.Context, string, bool, func(inspector.Backend, string) error) error) inspector.Options {
	return inspector.Options{Connect: connect, Now: time.Now, Zone: time.Local,
		Describe: func(err error) (int, string, string) {
			f := api.Describe(err)
			return api.Status(err), f.Message, f.Hint
		}}
}

// serviceInspector returns the inspector of a service.
func (a *app) serviceInspector(e *engine.Engine) *inspector.Server {
	return inspector.NewServer(a.inspectorOptions(func(ctx context.Context, workspace string, _ bool, use func(inspector.Backend, string) error) error {
		all, err := e.Workspaces(ctx)
		if err != nil {
			return err
		}
		if workspace == "" {
			workspace = inspector.FirstShown(all.Workspaces)
		}
		if workspace == "" {
			return &memory.Error{Kind: memory.ErrNotFound, Message: "no workspace is registered", Hint: "memory workspace add DIR registers a folder"}
		}
		return use(e, workspace)
	}), inspectorIdle)
}
