package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/memory-tiered/memory"
)

// stateChecks are the checks of the state folder.
func (e *Engine) stateChecks() []check {
	if e.options().StateDir == "" {
		return nil
	}
	return []check{
		{name: "permissions", find: e.findOpenFiles, mend: e.closeOpenFiles},
		{name: "socket", find: e.findSocket, mend: e.mendSocket},
		{name: "edits", find: e.findLeftEdits, mend: e.mendLeftEdits},
	}
}

// ourFiles begins the names of the files in the state folder that have texts, and of
// the socket.
const ourFiles = "tiered."

// openFiles lists the state folder and the files in it that other users can read, with
// the mode that they should have.
func (e *Engine) openFiles() (found map[string]fs.FileMode, err error) {
	found = map[string]fs.FileMode{}
	if runtime.GOOS == "windows" { // it has no modes
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
	root := e.options().StateDir
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

func (e *Engine) findOpenFiles(context.Context) (findings []memory.Finding, err error) {
	open, err := e.openFiles()
	for path, mode := range open {
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: path + " can be used by other users of this machine",
			Fix: fmt.Sprintf("chmod %o %s", mode, path)})
	}
	return findings, err
}

func (e *Engine) closeOpenFiles(context.Context) error {
	open, err := e.openFiles()
	for path, mode := range open {
		err = errors.Join(err, os.Chmod(path, mode))
	}
	return err
}

// leftSocket returns the path of a socket on which no service answers; empty if there
// is none. A read-only engine cannot know: another process owns the folder.
func (e *Engine) leftSocket() string {
	path := filepath.Join(e.options().StateDir, ourFiles+"sock")
	info, err := os.Lstat(path)
	if e.daemon != nil || e.options().ReadOnly || err != nil || info.Mode()&fs.ModeSocket == 0 {
		return ""
	}
	return path
}

func (e *Engine) findSocket(context.Context) (findings []memory.Finding, err error) {
	if path := e.leftSocket(); path != "" {
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "a service ended and left its socket: " + path}}, nil
	}
	if e.daemon == nil {
		return nil, nil
	}
	_, err = os.Lstat(e.daemon().Socket)
	return findingOf(err, "the socket of the service is gone", "the service makes it again within seconds; otherwise memory service restart"), nil
}

func (e *Engine) mendSocket(context.Context) error {
	if path := e.leftSocket(); path != "" {
		return os.Remove(path)
	}
	return nil
}
