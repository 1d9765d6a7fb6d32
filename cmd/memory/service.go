package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/service"
	"github.com/memory-tiered/memory/service/unit"
)

func (a *app) serviceCommand() *cobra.Command {
	c := &cobra.Command{Use: "service"}
	changing := func(control func(*unit.Manager, context.Context) error) func(context.Context, *unit.Manager, string) (bool, error) {
		return func(ctx context.Context, m *unit.Manager, _ string) (bool, error) { return true, control(m, ctx) }
	}
	c.AddCommand(a.serviceInstallCommand(),
		a.serviceAction("uninstall", false, func(ctx context.Context, m *unit.Manager, _ string) (bool, error) {
			return m.Uninstall(ctx)
		}),
		a.serviceAction("start", true, changing((*unit.Manager).Start)),
		a.serviceAction("stop", false, changing((*unit.Manager).Stop)),
		a.serviceAction("restart", true, changing((*unit.Manager).Restart)),
		a.serviceAction("status", false, func(context.Context, *unit.Manager, string) (bool, error) {
			return false, nil
		}),
		a.serviceLogsCommand())
	return c
}

// logFile returns the log of the installed service.
func logFile(stateDir string) string { return filepath.Join(stateDir, "logs", "memory.log") }

// serviceManager returns the manager for the service of this command line's state
// folder and configuration. A service that starts needs a valid one.
func (a *app) serviceManager(starts bool) (*unit.Manager, string, error) {
	file, stateDir, err := a.configFile()
	if err == nil && starts {
		_, _, err = a.load()
	}
	if err != nil {
		return nil, "", err
	}
	stateDir, stateErr := filepath.Abs(stateDir)
	file, fileErr := filepath.Abs(file)
	binary, err := unit.Binary()
	if err := errors.Join(stateErr, fileErr, err); err != nil {
		return nil, "", err
	}
	m, err := unit.New(unit.Spec{Binary: binary, StateDir: stateDir, Config: file, LogFile: logFile(stateDir)})
	return m, stateDir, err
}

// serviceAnswer is the answer of the commands that change the service.
type serviceAnswer struct {
	Action  string `json:"action"`
	Changed bool   `json:"changed"`
	unit.State
}

func (a *app) serviceInstallCommand() *cobra.Command {
	var dryRun bool
	c := a.serviceAction("install", true, func(ctx context.Context, m *unit.Manager, stateDir string) (bool, error) {
		return a.ensureService(ctx, m, stateDir)
	})
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print the definition and its file, and change nothing")
	install := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !dryRun {
			return install(c, args)
		}
		m, _, err := a.serviceManager(true)
		if err != nil {
			return err
		}
		return printAnswer(a, map[string]string{"platform": m.Platform, "file": m.File, "definition": m.Definition}, func(w io.Writer, _ map[string]string) {
			fmt.Fprintf(w, "# %s\n%s", cmp.Or(m.File, "the service manager of Windows keeps this command line"), m.Definition)
		})
	}
	return c
}

// serviceAction makes a command that does one thing with the service, and prints the
// state of the service afterwards. do reports whether it changed anything.
func (a *app) serviceAction(action string, starts bool, do func(ctx context.Context, m *unit.Manager, stateDir string) (changed bool, err error)) *cobra.Command {
	return newCommand(action, arguments{}, func(c *cobra.Command) error {
		m, stateDir, err := a.serviceManager(starts)
		if err != nil {
			return err
		}
		answer := serviceAnswer{Action: action}
		if answer.Changed, err = do(c.Context(), m, stateDir); err == nil {
			answer.State, err = m.State(c.Context())
		}
		return printed(a, func(w io.Writer, answer serviceAnswer) { fmt.Fprint(w, serviceText(answer.State)) })(answer, err)
	})
}

// ensureService installs or upgrades the service and starts it. It reports whether the
// definition changed.
func (a *app) ensureService(ctx context.Context, m *unit.Manager, stateDir string) (changed bool, err error) {
	if err := errors.Join(service.CheckOwner(stateDir), m.Reachable(ctx)); err != nil {
		return false, err
	}
	before, err := m.State(ctx)
	if err != nil {
		return false, err
	}
	other := !before.Running && daemonAnswers(ctx, stateDir)
	if changed, err = m.Install(ctx); err != nil {
		return false, err
	}
	switch {
	case other:
		a.note("memory serve runs already, without the service manager. Stop it, then: memory service start")
	case before.Running && changed:
		err = m.Restart(ctx)
	case !before.Running:
		err = m.Start(ctx)
	}
	return changed, err
}

// serviceText describes the state of the service in a few lines.
func serviceText(s unit.State) string {
	if !s.Installed {
		return "the service is not installed\n"
	}
	text := "the service is installed: " + s.File + "\n"
	if s.File == "" {
		text = "the service is installed\n"
	}
	switch {
	case s.Reason != "":
		text += "its state is unknown: " + s.Reason + "\n"
	case s.Running:
		text += "it runs\n"
	default:
		text += "it is stopped; start it: memory service start\n"
	}
	if !s.Current {
		text += "its definition is not the one of this version and command line; upgrade it: memory service install\n"
	}
	text += "it starts at " + s.StartsWhen + "\n"
	if s.Platform == "systemd" && s.StartsWhen == "login" {
		text += "to start it at boot, before you log in: loginctl enable-linger\n"
	}
	return text
}

func (a *app) serviceLogsCommand() *cobra.Command {
	var lines int
	c := newCommand("logs", arguments{}, func(*cobra.Command) error {
		stateDir, err := a.stateDir()
		if err != nil {
			return err
		}
		if lines < 0 {
			return memory.Invalid("lines", "%d lines cannot be shown", lines).WithHint("give 0 or more")
		}
		return a.showLog(logFile(stateDir), lines)
	})
	c.Flags().IntVarP(&lines, "lines", "n", 100, "how many of the last lines")
	return c
}

// showLog prints the last lines of a log.
func (a *app) showLog(file string, lines int) error {
	text, err := os.ReadFile(file) // a log file has at most 10 MiB
	if errors.Is(err, fs.ErrNotExist) {
		return &memory.Error{Kind: memory.ErrNotFound, Message: "there is no log yet: " + file,
			Hint: "the installed service writes it: memory service install"}
	}
	if err != nil {
		return memory.Unavailable(err, "read the log")
	}
	_, err = a.out.Write(lastLines(text, lines))
	return err
}

// lastLines returns the last n lines of a text.
func lastLines(text []byte, n int) []byte {
	end := len(bytes.TrimSuffix(text, []byte("\n")))
	for start := end; ; n-- {
		if n == 0 {
			return text[min(start+1, len(text)):]
		}
		if start = bytes.LastIndexByte(text[:start], '\n'); start < 0 {
			return text
		}
	}
}
