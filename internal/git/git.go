// Package git reads what a git repository has checked out, and whether git is at
// work in it. It reads which file a recent commit deleted, and when the lines of
// a file were written. Only [Lines] runs git, with everything switched off that a
// repository could make it run.
package git

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Repository is a repository, seen from a folder in its work tree. The zero value
// means that the folder is in no repository.
type Repository struct {
	gitDir string // the .git folder, or the one that a .git file names
	prefix string // the folder's path in the work tree, with slashes
}

// Find returns the repository that a folder is in.
func Find(dir string) Repository {
	prefix := ""
	for {
		dotGit := filepath.Join(dir, ".git")
		info, err := os.Stat(dotGit)
		switch {
		case err == nil && info.IsDir():
			return Repository{dotGit, prefix}
		case err == nil:
			return Repository{readGitFile(dotGit), prefix}
		case dir == filepath.Dir(dir):
			return Repository{}
		}
		prefix = path.Join(filepath.Base(dir), prefix)
		dir = filepath.Dir(dir)
	}
}

// readGitFile returns the folder that the .git file of a worktree or submodule
// names; empty where the file is not of that form.
func readGitFile(file string) string {
	text, err := os.ReadFile(file)
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if filepath.IsAbs(to) {
		return to
	}
	return filepath.Join(filepath.Dir(file), to)
}

// Exists reports whether the folder is in a repository.
func (r Repository) Exists() bool { return r.gitDir != "" }

// Head returns what HEAD names, a branch or a commit, and the time at which HEAD
// was written. With the time, two equal heads mean that no other branch was
// checked out in between. It is empty where HEAD cannot be read.
func (r Repository) Head() string {
	if !r.Exists() {
		return ""
	}
	file := filepath.Join(r.gitDir, "HEAD")
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	head, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(head)) + " " + info.ModTime().UTC().Format(time.RFC3339Nano)
}

const (
	// headDelay bounds the time between git's write of its index and its write of
	// HEAD, which takes a few milliseconds.
	headDelay = 100 * time.Millisecond
	// staleLock is the age from which a lock file belongs to no running git.
	staleLock = 10 * time.Second
)

// Busy reports whether git is changing the work tree: its index is locked or was
// written a moment ago.
func (r Repository) Busy() bool {
	if !r.Exists() {
		return false
	}
	if lock, err := os.Stat(filepath.Join(r.gitDir, "index.lock")); err == nil && time.Since(lock.ModTime()) < staleLock {
		return true
	}
	written, err := os.Stat(filepath.Join(r.gitDir, "index"))
	return err == nil && time.Since(written.ModTime()).Abs() < headDelay
}

// Wait returns when git is no longer busy, after ten seconds at the latest, or
// when ctx is done.
func (r Repository) Wait(ctx context.Context) {
	for end := time.Now().Add(staleLock); time.Now().Before(end) && r.Busy(); {
		select {
		case <-ctx.Done():
			return
		case <-time.After(headDelay / 5):
		}
	}
}
