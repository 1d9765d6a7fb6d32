package unit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/kardianos/service"

	"github.com/memory-tiered/memory"
)

// Manager installs and controls the service of one specification.
type Manager struct {
	Platform   string // "systemd", "launchd" or "windows"
	File       string // file of the definition; empty on Windows, which has no file
	Definition string // its text; on Windows the command line

	service service.Service
}

// systems maps the names of kardianos/service to the platforms that are supported.
var systems = map[string]string{"linux-systemd": "systemd", "darwin-launchd": "launchd", "windows-service": "windows"}

// New returns the manager for this machine's operating system.
func New(s Spec) (*Manager, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	for _, system := range service.AvailableSystems() {
		if platform := systems[system.String()]; platform != "" {
			return newManager(system, platform, s)
		}
	}
	return nil, memory.Unavailable(nil, "services are not supported on %s", runtime.GOOS).WithHint(foregroundHint)
}

const foregroundHint = "run memory serve in the foreground, or start it with the service manager of your system"

func newManager(system service.System, platform string, s Spec) (*Manager, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, memory.Unavailable(err, "find the home folder").WithHint("set HOME")
	}
	m := &Manager{Platform: platform}
	c := &service.Config{
		Name: name, DisplayName: "Memory", Description: description,
		Executable: s.Binary, Arguments: s.Arguments(),
		Option: service.KeyValue{"UserService": true, "OnFailure": "restart"},
	}
	switch platform {
	case "systemd":
		if strings.ContainsAny(s.Binary, "\"'\\") {
			return nil, memory.Invalid("", "systemd starts no program with a quote or a backslash in its path: %s", s.Binary).
				WithHint("move the program")
		}
		m.File, m.Definition = filepath.Join(home, ".config", "systemd", "user", name+".service"), systemd(s)
		c.Option["SystemdScript"] = m.Definition
	case "launchd":
		m.File, m.Definition = filepath.Join(home, "Library", "LaunchAgents", label+".plist"), launchd(s)
		c.Name, c.Option["LaunchdConfig"] = label, m.Definition
	default:
		m.Definition = windows(s)
	}
	if m.service, err = system.New(program{}, c); err != nil {
		return nil, memory.Unavailable(err, "prepare the service")
	}
	return m, nil
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
	if err := m.remove(old); err != nil {
		return false, err
	}
	if err := m.service.Install(); err != nil {
		return false, errors.Join(memory.Unavailable(err, "install the service").WithHint(foregroundHint), m.putBack(old))
	}
	return true, nil
}

// Installed reports whether a service is installed, also another version of this one.
func (m *Manager) Installed() bool {
	text, err := m.installed()
	return text != "" || err != nil
}

// installed returns the text of the installed definition; empty: none.
func (m *Manager) installed() (string, error) {
	if m.File == "" {
		if _, err := m.service.Status(); errors.Is(err, service.ErrNotInstalled) {
			return "", nil
		}
		return "installed", nil // windows shows no text to compare
	}
	text, err := os.ReadFile(m.File)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", memory.Unavailable(err, "read the service's definition")
	}
	return string(text), nil
}

// remove removes an older definition, because kardianos/service replaces none.
func (m *Manager) remove(old string) error {
	var err error
	switch {
	case old == "":
	case m.File == "":
		err = m.service.Uninstall()
	default:
		err = os.Remove(m.File)
	}
	if err != nil {
		return memory.Unavailable(err, "replace the older service")
	}
	return nil
}

// putBack writes the former definition again, or removes the new one.
func (m *Manager) putBack(old string) error {
	if m.File == "" {
		return nil
	}
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
	stopErr := m.stopRunning()
	if err := m.service.Uninstall(); err != nil {
		return false, memory.Unavailable(errors.Join(err, stopErr), "uninstall the service")
	}
	return true, nil
}

func (m *Manager) stopRunning() error {
	if state, err := m.service.Status(); err == nil && state == service.StatusRunning {
		return m.service.Stop()
	}
	return nil
}

// Start starts the service and returns when it is ready.
func (m *Manager) Start(ctx context.Context) error {
	return m.control(ctx, "start", m.service.Start)
}

// Stop stops the service.
func (m *Manager) Stop(ctx context.Context) error {
	return m.control(ctx, "stop", m.service.Stop)
}

// Restart stops the service if it runs, and starts it.
func (m *Manager) Restart(ctx context.Context) error {
	return m.control(ctx, "restart", func() error {
		if m.Platform == "systemd" {
			return m.service.Restart()
		}
		return errors.Join(m.stopRunning(), m.service.Start())
	})
}

func (m *Manager) control(ctx context.Context, action string, do func() error) error {
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
	if err := do(); err != nil {
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
	s := State{Platform: m.Platform, File: m.File, Installed: old != "", Current: old == m.Definition || m.File == "" && old != ""}
	if err != nil || !s.Installed {
		return s, err
	}
	s.StartsWhen = m.startsWhen()
	s.Running, s.Reason = m.isRunning(ctx)
	return s, nil
}

// isRunning reports whether the service runs, or why that is unknown.
func (m *Manager) isRunning(ctx context.Context) (running bool, unknown string) {
	err := m.Reachable(ctx)
	if err != nil {
		return false, err.Error()
	}
	state, err := m.service.Status()
	if err != nil {
		unknown = err.Error()
	}
	return state == service.StatusRunning, unknown
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
	switch m.Platform {
	case "windows":
		return "boot"
	case "systemd":
		if _, err := os.Stat(filepath.Join("/var/lib/systemd/linger", os.Getenv("USER"))); err == nil && os.Getenv("USER") != "" {
			return "boot"
		}
	}
	return "login"
}

// program satisfies kardianos/service, which only controls the service here.
type program struct{}

func (program) Start(service.Service) error { return nil }
func (program) Stop(service.Service) error  { return nil }
