// Package doctor runs checks, mends what they find, and reports what is left. It also collects
// what status tells a person about a workspace.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// FixCommand mends what Doctor can mend.
const FixCommand = "memory doctor --fix"

// Check is one check of the doctor.
type Check struct {
	Name      string // as the answer lists it
	Workspace string // empty: it is about the state folder
	Find      func(context.Context) ([]memory.Finding, error)
	Mend      func(context.Context) error // nil: a person has to decide
}

// Run looks for problems. With fix it mends what needs no decision of a person, and
// looks again. progress may be nil.
func Run(ctx context.Context, checks []Check, fix bool, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	answer := memory.DoctorAnswer{OK: true}
	for i, c := range checks {
		if progress != nil {
			progress(memory.Progress{Stage: "check", Done: i, Total: len(checks)})
		}
		findings := c.run(ctx, fix)
		if err := ctx.Err(); err != nil {
			return answer, err
		}
		answer.Add(findings...)
		if !slices.Contains(answer.Checked, c.Name) {
			answer.Checked = append(answer.Checked, c.Name)
		}
	}
	return answer, nil
}

// run looks for problems. With fix it mends them, and returns which ones remain.
func (c Check) run(ctx context.Context, fix bool) []memory.Finding {
	findings := c.findNamed(ctx)
	if !fix || len(findings) == 0 || c.Mend == nil {
		return findings
	}
	err := c.Mend(ctx)
	left := c.findNamed(ctx)
	for i, f := range findings {
		findings[i].Fixed = !slices.ContainsFunc(left, func(l memory.Finding) bool { return l.Check == f.Check })
		if !findings[i].Fixed && err != nil {
			findings[i].Message += fmt.Sprintf(" (not mended: %v)", err)
		}
	}
	for _, l := range left {
		if !slices.ContainsFunc(findings, func(f memory.Finding) bool { return f.Check == l.Check }) {
			findings = append(findings, l)
		}
	}
	return findings
}

// findNamed completes the findings. A check that fails is a finding too.
func (c Check) findNamed(ctx context.Context) []memory.Finding {
	findings, err := c.Find(ctx)
	if err != nil {
		fix := "memory status"
		if known := (*memory.Error)(nil); errors.As(err, &known) && known.Hint != "" {
			fix = known.Hint
		}
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: fmt.Sprintf("the check failed: %v", err), Fix: fix})
	}
	for i := range findings {
		f := &findings[i]
		f.Workspace = c.Workspace
		if f.Check == "" {
			f.Check = c.Name
		}
		if f.Fix == "" {
			f.Fix = FixCommand
		}
	}
	return findings
}

// FindingOf returns an error as the only finding, or none without an error.
func FindingOf(err error, message, fix string) []memory.Finding {
	if err == nil {
		return nil
	}
	return []memory.Finding{{Severity: memory.SeverityError, Message: message + ": " + err.Error(), Fix: fix}}
}

// StateFolder is the folder with the files of the program.
type StateFolder struct {
	Dir      string                      // empty: there is none
	ReadOnly bool                        // another process owns it
	Daemon   func() *memory.DaemonStatus // of this process; nil: it is no service
}

// Checks returns the checks of the state folder.
func (s StateFolder) Checks() []Check {
	if s.Dir == "" {
		return nil
	}
	return []Check{
		{Name: "permissions", Find: s.findOpenFiles, Mend: s.closeOpenFiles},
		{Name: "socket", Find: s.findSocket, Mend: s.mendSocket},
	}
}

// ourFiles begins the names of the files in the state folder that have texts, and of
// the socket.
const ourFiles = "tiered."

// openFiles lists the state folder and the files in it that other users can read, with
// the mode that they should have.
func (s StateFolder) openFiles() (found map[string]fs.FileMode, err error) {
	found = map[string]fs.FileMode{}
	if !machine.HasModes {
		return found, nil
	}
	const others fs.FileMode = 0o077
	note := func(path string, entry fs.DirEntry, want fs.FileMode) error {
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&others != 0 {
			found[path] = want
		}
		if errors.Is(err, fs.ErrNotExist) { // a file that somebody removed meanwhile
			return nil
		}
		return err
	}
	root := s.Dir
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case path == root:
			return note(path, entry, 0o700)
		case entry.IsDir() && filepath.Dir(path) == root && entry.Name() != "workspaces": // models, logs
			return fs.SkipDir
		case !entry.IsDir() && strings.HasPrefix(strings.TrimPrefix(entry.Name(), "."), ourFiles) && entry.Type()&fs.ModeSymlink == 0:
			return note(path, entry, 0o600)
		}
		return nil
	})
	return found, err
}

func (s StateFolder) findOpenFiles(context.Context) (findings []memory.Finding, err error) {
	open, err := s.openFiles()
	for path, mode := range open {
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: path + " can be used by other users of this machine",
			Fix: fmt.Sprintf("chmod %o %s", mode, path)})
	}
	return findings, err
}

func (s StateFolder) closeOpenFiles(context.Context) error {
	open, err := s.openFiles()
	for path, mode := range open {
		err = errors.Join(err, os.Chmod(path, mode))
	}
	return err
}

// leftSocket returns the path of a socket on which no service answers; empty if there
// is none. A read-only engine cannot know: another process owns the folder.
func (s StateFolder) leftSocket() string {
	path := filepath.Join(s.Dir, ourFiles+"sock")
	info, err := os.Lstat(path)
	if s.Daemon != nil || s.ReadOnly || err != nil || info.Mode()&fs.ModeSocket == 0 {
		return ""
	}
	return path
}

func (s StateFolder) findSocket(context.Context) (findings []memory.Finding, err error) {
	if path := s.leftSocket(); path != "" {
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "a service ended and left its socket: " + path}}, nil
	}
	if s.Daemon == nil {
		return nil, nil
	}
	_, err = os.Lstat(s.Daemon().Socket)
	return FindingOf(err, "the socket of the service is gone", "the service makes it again within seconds; otherwise memory service restart"), nil
}

func (s StateFolder) mendSocket(context.Context) error {
	if path := s.leftSocket(); path != "" {
		return os.Remove(path)
	}
	return nil
}
