package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/hostsetup"
	plugin "github.com/memory-tiered/memory/plugin/openclaw"
	"github.com/memory-tiered/memory/service/unit"
)

func (a *app) openclawCommand() *cobra.Command {
	c := &cobra.Command{Use: "openclaw"}
	c.AddCommand(a.openclawSetupCommand("setup"), a.openclawStatusCommand(), a.openclawRemoveCommand())
	return c
}

// hostFlags select an installation of OpenClaw.
type hostFlags struct{ command, dir string }

func (f *hostFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.command, "openclaw", "", "the openclaw `program` (default: the one in PATH)")
	c.Flags().StringVar(&f.dir, "host-dir", "", "the state `folder` of OpenClaw, if there are several")
}

// hostOptions finds the installation and the program of OpenClaw.
func (a *app) hostOptions(f hostFlags) (hostsetup.Options, error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return hostsetup.Options{}, err
	}
	stateDir, stateErr := filepath.Abs(stateDir)
	file, fileErr := filepath.Abs(cfg.File)
	if err := errors.Join(stateErr, fileErr); err != nil {
		return hostsetup.Options{}, err
	}
	binary, _ := unit.Binary() // without it the gateway looks for the program in PATH
	installation, err := a.installation(f, stateDir)
	if err != nil {
		return hostsetup.Options{}, err
	}
	command, err := hostsetup.FindCommand(f.command)
	if err != nil {
		return hostsetup.Options{}, err
	}
	return hostsetup.Options{
		Host:     hostsetup.Host{Command: command, Installation: installation, Environ: a.environ},
		StateDir: stateDir, Config: file, Binary: binary, Plugin: plugin.Files(), Machine: &hostMachine{app: a, stateDir: stateDir},
	}, nil
}

// installation returns the installation that the command line or the environment
// names, the one that is set up, or the only one.
func (a *app) installation(f hostFlags, stateDir string) (hostsetup.Installation, error) {
	env := hostsetup.Environment{Get: a.env, Home: a.env("HOME")}
	if f.dir != "" {
		dir, err := filepath.Abs(f.dir)
		return hostsetup.At(dir), err
	}
	if named, ok := hostsetup.Named(env); ok {
		return named, nil
	}
	if record, err := hostsetup.ReadRecord(stateDir); err != nil || record != nil {
		return record.Installation, err
	}
	found := hostsetup.Find(env)
	switch len(found) {
	case 0:
		return hostsetup.Installation{}, &memory.Error{Kind: memory.ErrNotFound, Message: "no installation of OpenClaw is found in the home folder",
			Hint: "run openclaw onboard first, or name its state folder: --host-dir DIR"}
	case 1:
		return found[0], nil
	}
	var dirs []string
	for _, i := range found {
		dirs = append(dirs, i.StateDir)
	}
	return hostsetup.Installation{}, memory.Conflict("there are several installations of OpenClaw: %s", strings.Join(dirs, ", ")).
		WithHint("choose one: --host-dir DIR")
}

func (a *app) openclawStatusCommand() *cobra.Command {
	var f hostFlags
	var deep bool
	c := newCommand("status", arguments{}, func(c *cobra.Command) error { return a.openclawStatus(c.Context(), f, deep) })
	f.add(c)
	c.Flags().BoolVar(&deep, "deep", false, "start OpenClaw and ask it too")
	return c
}

func (a *app) openclawStatus(ctx context.Context, f hostFlags, deep bool) error {
	o, err := a.hostOptions(f)
	if err != nil {
		return err
	}
	o.Deep = deep
	report, err := hostsetup.Status(ctx, o)
	if err := printed(a, printHostReport)(report, err); err != nil || report.OK {
		return err
	}
	return errFound
}

func printHostReport(w io.Writer, r hostsetup.Report) {
	fmt.Fprintf(w, "%s: %s\n", strings.TrimSpace("OpenClaw "+r.Version), display.Name(r.Installation.Config))
	for _, finding := range r.Findings {
		fmt.Fprintf(w, "%-8s %s\n", finding.Severity, finding.Message)
		if finding.Fix != "" {
			fmt.Fprintf(w, "         fix: %s\n", finding.Fix)
		}
	}
}

func (a *app) openclawRemoveCommand() *cobra.Command {
	var f hostFlags
	var yes bool
	c := newCommand("remove", arguments{}, func(c *cobra.Command) error { return a.openclawRemove(c.Context(), f, yes) })
	f.add(c)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// removeAnswer is the answer of openclaw remove.
type removeAnswer struct {
	Action string `json:"action"`
	hostsetup.Removal
	Installation hostsetup.Installation `json:"installation"`
}

func (a *app) openclawRemove(ctx context.Context, f hostFlags, yes bool) error {
	o, err := a.hostOptions(f)
	if err != nil {
		return err
	}
	if agreed, err := a.confirmed(yes, "Take the setup of "+o.Host.Installation.Config+" back?"); err != nil || !agreed {
		return err
	}
	answer := removeAnswer{Action: "remove", Installation: o.Host.Installation}
	err = a.whileSetup(ctx, o.StateDir, func() error {
		answer.Removal, err = hostsetup.Remove(ctx, o)
		return err
	})
	if err != nil {
		return err
	}
	return printAnswer(a, answer, func(w io.Writer, answer removeAnswer) {
		fmt.Fprintf(w, "the configuration of OpenClaw is %s: %s\n", answer.Config, display.Name(answer.Installation.Config))
		for _, path := range answer.Kept {
			fmt.Fprintf(w, "it keeps %s, because somebody changed it after the setup\n", path)
		}
		if answer.Backup != "" {
			fmt.Fprintf(w, "the configuration before the setup: %s\n", display.Name(answer.Backup))
		}
		fmt.Fprintf(w, "your Markdown and the index stay; the index is in %s\n", display.Name(o.StateDir))
		fmt.Fprintln(w, "next: openclaw gateway restart")
	})
}
