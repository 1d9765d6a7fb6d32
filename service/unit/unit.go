// Package unit registers the service with the service manager of the operating
// system: systemd on Linux, launchd on macOS, the service manager on Windows. It
// renders the definition itself, so that it can be shown and tested, and passes the
// finished text to kardianos/service.
package unit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
)

// name is the service's name with systemd and Windows.
const name = "memory-tiered"

// label is the service's name with launchd.
const label = "com.github.memory-tiered.memory"

const description = "memory, a memory service for AI agents"

// Spec describes the command line of the service. All paths are absolute.
type Spec struct {
	Binary   string
	StateDir string
	Config   string // configuration file
	LogFile  string
}

// Check reports a path that no definition can contain.
func (s Spec) Check() error {
	for _, p := range []string{s.Binary, s.StateDir, s.Config, s.LogFile} {
		switch {
		case !filepath.IsAbs(p):
			return memory.Invalid("", "the path %q is not absolute", p)
		case strings.ContainsAny(p, "\n\r\x00"), strings.Contains(p, "{{"):
			return memory.Invalid("", "the path %q has characters that a service definition cannot contain", p).
				WithHint("move the folder, or choose another one with --state-dir")
		}
	}
	return nil
}

// Arguments returns the arguments of the binary.
func (s Spec) Arguments() []string {
	return []string{"serve", "--state-dir", s.StateDir, "--config", s.Config, "--log-file", s.LogFile}
}

// Binary returns the path of the running program to start the service with. It
// prefers the name in PATH where that is the same file: an upgrade by a package
// manager replaces what the name refers to.
func Binary() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", memory.Unavailable(err, "find the program's own file")
	}
	if strings.Contains(filepath.ToSlash(self), "/go-build") {
		return "", memory.Invalid("", "the program runs from a temporary build folder").
			WithHint("build it first (make build, or go install), and run that binary")
	}
	found, err := exec.LookPath(filepath.Base(self))
	if err == nil && sameFile(found, self) {
		if found, err = filepath.Abs(found); err == nil {
			return found, nil
		}
	}
	return self, nil
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
