package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory/service"
	"github.com/memory-tiered/memory/service/unit"
)

func (a *app) serviceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "service",
		Short: "run memory as a service of the operating system",
		Long: `service registers memory serve with systemd (Linux), launchd (macOS) or the service
manager (Windows), for your own user. The service starts at login, and again after
it fails. Where none of them runs, start memory serve yourself.`,
		Example: "  memory service install\n  memory service status\n  memory service logs -f",
		Args:    argumentCount(0, 0, ""),
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.serviceInstallCommand(), a.serviceUninstallCommand(),
		a.serviceControlCommand("start", "start the service", (*unit.Manager).Start),
		a.serviceControlCommand("stop", "stop the service until the next login", (*unit.Manager).Stop),
		a.serviceControlCommand("restart", "stop the service and start it", (*unit.Manager).Restart),
		a.serviceStatusCommand(), a.serviceLogsCommand())
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
	c := &cobra.Command{
		Use:   "install",
		Short: "install the service and start it; upgrade an older one in place",
		Long: `install writes the definition of the service, enables it and starts it. If another
definition is installed, it is replaced, and a running service starts again. The
service uses the state folder and the configuration of this command line. It does
not see the variables of your shell: put a provider's key into a file (apiKey:
file:PATH).`,
		Example: "  memory service install\n  memory service install --dry-run",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			m, stateDir, err := a.serviceManager(true)
			if err != nil {
				return err
			}
			if dryRun {
				return a.printAnswer(map[string]string{"platform": m.Platform, "file": m.File, "definition": m.Definition}, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "# %s\n%s", cmp.Or(m.File, "the service manager of Windows keeps this command line"), m.Definition)
					return err
				})
			}
			return a.installService(c.Context(), m, stateDir)
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print the definition and its file, and change nothing")
	return c
}

func (a *app) installService(ctx context.Context, m *unit.Manager, stateDir string) error {
	changed, err := a.ensureService(ctx, m, stateDir)
	if err != nil {
		return err
	}
	return a.printService(ctx, m, "install", changed)
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
		fmt.Fprintln(a.err, "note: memory serve runs already, without the service manager. Stop it, then: memory service start")
	case before.Running && changed:
		err = m.Restart(ctx)
	case !before.Running:
		err = m.Start(ctx)
	}
	return changed, err
}

func (a *app) serviceUninstallCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "uninstall",
		Short:   "stop the service and remove it; memories and the index stay",
		Example: "  memory service uninstall",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			m, _, err := a.serviceManager(false)
			if err != nil {
				return err
			}
			removed, err := m.Uninstall(c.Context())
			if err != nil {
				return err
			}
			return a.printService(c.Context(), m, "uninstall", removed)
		},
	}
}

func (a *app) serviceControlCommand(action, short string, control func(*unit.Manager, context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use:     action,
		Short:   short,
		Example: "  memory service " + action,
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			m, _, err := a.serviceManager(action != "stop")
			if err != nil {
				return err
			}
			if err := control(m, c.Context()); err != nil {
				return err
			}
			return a.printService(c.Context(), m, action, true)
		},
	}
}

func (a *app) serviceStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "show whether the service is installed and runs",
		Example: "  memory service status",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			m, _, err := a.serviceManager(false)
			if err != nil {
				return err
			}
			return a.printService(c.Context(), m, "status", false)
		},
	}
}

// printService prints the state of the service after an action.
func (a *app) printService(ctx context.Context, m *unit.Manager, action string, changed bool) error {
	state, err := m.State(ctx)
	if err != nil {
		return err
	}
	return a.printAnswer(serviceAnswer{Action: action, Changed: changed, State: state}, func(w io.Writer) error {
		_, err := io.WriteString(w, serviceText(state))
		return err
	})
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
