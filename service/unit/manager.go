package unit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Manager installs and controls the service of one specification.
type Manager struct {
	Platform   string // "systemd" or "launchd"
	File       string // file of the definition
	Definition string // its text

	// The command lines of the service manager.
	enable, disable, reload, start, stop, restart [][]string
	status                                        []string // prints running if the service runs
	running                                       string
}

const foregroundHint = "run memory serve in the foreground, or start it with the service manager of your system"

// New returns the manager for this machine's operating system.
func New(s Spec) (*Manager, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, memory.Unavailable(err, "find the home folder").WithHint("set HOME")
	}
	if runtime.GOOS == "darwin" {
		m := &Manager{Platform: "launchd", File: filepath.Join(home, "Library", "LaunchAgents", Label+".plist"), Definition: Launchd(s)}
		m.start, m.stop = [][]string{{"launchctl", "load", m.File}}, [][]string{{"launchctl", "unload", m.File}}
		m.restart = append(m.stop, m.start...)
		m.status, m.running = []string{"launchctl", "list", Label}, `"PID"`
		return m, nil
	}
	if _, err := exec.LookPath("systemctl"); err != nil {
		return nil, memory.Unavailable(nil, "there is no service manager that is supported").WithHint(foregroundHint)
	}
	if strings.ContainsAny(s.Binary, "\"'\\") {
		return nil, memory.Invalid("", "systemd starts no program with a quote or a backslash in its path: %s", s.Binary).
			WithHint("move the program")
	}
	const unit = Name + ".service"
	systemctl := func(words ...string) [][]string { return [][]string{append([]string{"systemctl"}, words...)} }
	return &Manager{Platform: "systemd", File: filepath.Join(home, ".config", "systemd", "user", unit), Definition: Systemd(s),
		enable: systemctl("enable", "--user", unit), disable: systemctl("disable", "--user", unit), reload: systemctl("daemon-reload", "--user"),
		start: systemctl("start", "--user", unit), stop: systemctl("stop", "--user", unit), restart: systemctl("restart", "--user", unit),
		status: systemctl("is-active", "--user", unit)[0], running: "active\n"}, nil
}

// run runs command lines of the service manager until one fails.
func run(ctx context.Context, lines [][]string) error {
	for _, line := range lines {
		if out, err := exec.CommandContext(ctx, line[0], line[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(line, " "), err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

// isActive reports whether the service runs.
func (m *Manager) isActive(ctx context.Context) bool {
	out, err := exec.CommandContext(ctx, m.status[0], m.status[1:]...).Output()
	return err == nil && strings.Contains(string(out), m.running)
}

// Install writes the definition and enables the service, which starts at login from
// then on. It replaces another definition, and reports whether anything changed. If
// the service manager refuses, the file is as it was.
func (m *Manager) Install(ctx context.Context) (changed bool, err error) {
	if err := m.Reachable(ctx); err != nil {
		return false, err
	}
	old, err := m.installed()
	if err != nil {
		return false, err
	}
	if old == m.Definition {
		return false, nil
	}
	if err = os.MkdirAll(filepath.Dir(m.File), 0o755); err == nil {
		err = os.WriteFile(m.File, []byte(m.Definition), 0o644)
	}
	if err == nil {
		err = errors.Join(run(ctx, m.enable), run(ctx, m.reload))
	}
	if err != nil {
		return false, errors.Join(memory.Unavailable(err, "install the service").WithHint(foregroundHint), m.putBack(old))
	}
	return true, nil
}

// installed returns the text of the installed definition; empty: none.
func (m *Manager) installed() (string, error) {
	text, err := os.ReadFile(m.File)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", memory.Unavailable(err, "read the service's definition")
	}
	return string(text), nil
}

// putBack writes the former definition again, or removes the new one.
func (m *Manager) putBack(old string) error {
	if old != "" {
		return os.WriteFile(m.File, []byte(old), 0o644)
	}
	if err := os.Remove(m.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Uninstall stops the service and removes its definition. It reports whether there
// was one.
func (m *Manager) Uninstall(ctx context.Context) (removed bool, err error) {
	if err := m.Reachable(ctx); err != nil {
		return false, err
	}
	old, err := m.installed()
	if err != nil || old == "" {
		return false, err
	}
	var stopErr error
	if m.isActive(ctx) {
		stopErr = run(ctx, m.stop)
	}
	if err := errors.Join(run(ctx, m.disable), os.Remove(m.File), run(ctx, m.reload)); err != nil {
		return false, memory.Unavailable(errors.Join(err, stopErr), "uninstall the service")
	}
	return true, nil
}

// Start starts the service and returns when it is ready.
func (m *Manager) Start(ctx context.Context) error {
	return m.control(ctx, "start", m.start)
}

// Stop stops the service.
func (m *Manager) Stop(ctx context.Context) error {
	return m.control(ctx, "stop", m.stop)
}

// Restart stops the service if it runs, and starts it.
func (m *Manager) Restart(ctx context.Context) error {
	return m.control(ctx, "restart", m.restart)
}

func (m *Manager) control(ctx context.Context, action string, lines [][]string) error {
	if err := m.Reachable(ctx); err != nil {
		return err
	}
	old, err := m.installed()
	if err != nil {
		return err
	}
	if old == "" {
		return &memory.Error{Kind: memory.ErrNotFound, Message: "the service is not installed", Hint: "memory service install"}
	}
	if err := run(ctx, lines); err != nil {
		return memory.Unavailable(err, "%s the service", action).WithHint("memory service logs shows what the service wrote")
	}
	return nil
}

// State is what the service manager knows.
type State struct {
	Platform   string `json:"platform"`
	File       string `json:"file"`
	Installed  bool   `json:"installed"`
	Current    bool   `json:"current"` // the definition is the one that install would write
	Running    bool   `json:"running"`
	Reason     string `json:"reason,omitempty"`      // why the service manager cannot tell
	StartsWhen string `json:"starts_when,omitempty"` // "login" or "boot"
}

// State asks the service manager.
func (m *Manager) State(ctx context.Context) (State, error) {
	old, err := m.installed()
	s := State{Platform: m.Platform, File: m.File, Installed: old != "", Current: old == m.Definition}
	if err != nil || !s.Installed {
		return s, err
	}
	s.StartsWhen = m.startsWhen()
	s.Running, s.Reason = m.isRunning(ctx)
	return s, nil
}

// isRunning reports whether the service runs, or why that is unknown.
func (m *Manager) isRunning(ctx context.Context) (running bool, unknown string) {
	if err := m.Reachable(ctx); err != nil {
		return false, err.Error()
	}
	return m.isActive(ctx), ""
}

// Reachable returns an error if no service manager answers for this user.
func (m *Manager) Reachable(ctx context.Context) error {
	if m.Platform != "systemd" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "systemctl", "--user", "show-environment").CombinedOutput()
	if err == nil {
		return nil
	}
	return memory.Unavailable(err, "no systemd answers for this user: %s", strings.TrimSpace(string(out))).WithHint(foregroundHint)
}

// startsWhen tells when the service starts by itself.
func (m *Manager) startsWhen() string {
	if m.Platform == "systemd" {
		if _, err := os.Stat(filepath.Join("/var/lib/systemd/linger", os.Getenv("USER"))); err == nil && os.Getenv("USER") != "" {
			return "boot"
		}
	}
	return "login"
}
