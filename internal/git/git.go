// Package git reads what a git repository has checked out, and whether git is at
// work in it. It reads which file a recent commit deleted, and when the lines of
// a file were written. It merges texts, and commits on new branches. It runs git with
// everything switched off that a repository could make it run.
package git

import (
	"context"
	"errors"
	"io"
	"io/fs"
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
	text, err := readFile(file)
	to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if filepath.IsAbs(to) {
		return to
	}
	return filepath.Join(filepath.Dir(file), to)
}

// maxFile bounds a file of git's own: a log of HEAD with 100,000 moves is smaller.
const maxFile = 32 << 20

// readFile reads a regular file in git's folder. The folder may be from outside, and have a
// pipe that never ends or a file that fills the memory.
func readFile(file string) (text []byte, err error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	text, err = io.ReadAll(io.LimitReader(f, maxFile))
	return text, errors.Join(err, f.Close())
}

// Exists reports whether the folder is in a repository.
func (r Repository) Exists() bool { return r.gitDir != "" }

// Top returns the top folder of the work tree that a folder is in.
func (r Repository) Top(dir string) string {
	for range strings.Count(r.prefix, "/") + min(len(r.prefix), 1) {
		dir = filepath.Dir(dir)
	}
	return dir
}

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
	head, err := readFile(file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(head)) + " " + info.ModTime().UTC().Format(time.RFC3339Nano)
}

// LastMove returns the last line of HEAD's log. It is empty without a log.
func (r Repository) LastMove() string {
	moves := r.moves()
	if len(moves) == 0 {
		return ""
	}
	return moves[len(moves)-1].line
}

const (
	// headDelay bounds the time between git's write of its index and its write of
	// HEAD, which takes a few milliseconds.
	headDelay = 100 * time.Millisecond
	// maxWait bounds the wait for a lock. Most commands of git take less.
	maxWait = 10 * time.Second
	// maxFinish bounds the time from what a command of git writes last to the removal of
	// its lock.
	maxFinish = time.Second
)

// The files in git's folder that exist while git changes the work tree, and while an
// operation of several steps is not finished.
var (
	locks      = []string{"index.lock", "HEAD.lock"}
	operations = []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"}
)

// Lock returns the path of a lock file of git, which a running git holds or a killed one
// left behind. Its age does not tell which. It is empty if there is none.
func (r Repository) Lock() string { return r.first(locks) }

// Operation returns the path of what git keeps while a merge, a rebase, a cherry-pick or a
// revert is not finished. It is empty if none is.
func (r Repository) Operation() string { return r.first(operations) }

func (r Repository) first(names []string) string {
	if !r.Exists() {
		return ""
	}
	for _, name := range names {
		file := filepath.Join(r.gitDir, name)
		if _, err := os.Lstat(file); err == nil {
			return file
		}
	}
	return ""
}

// Busy reports whether git may be changing the work tree: there is a lock, or its index
// was written a moment ago.
func (r Repository) Busy() bool {
	if !r.Exists() {
		return false
	}
	return r.Lock() != "" || r.age("index").Abs() < headDelay
}

// Settled reports whether HEAD names what the work tree has: git is not busy, and no
// operation is unfinished.
func (r Repository) Settled() bool { return !r.Busy() && r.Operation() == "" }

// Interrupted returns when a person deleted the lock of a git that was killed. Files that
// are older may be those of another branch. It compares when git's folder changed with
// what a command of git writes at its end. It is the zero time if one of them explains it.
func (r Repository) Interrupted() (at time.Time) {
	folder, err := os.Stat(r.gitDir)
	if !r.Exists() || err != nil {
		return time.Time{}
	}
	for _, name := range []string{"index", "HEAD", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "config", "packed-refs", filepath.Join("logs", "HEAD")} {
		if info, err := os.Stat(filepath.Join(r.gitDir, name)); err == nil && folder.ModTime().Sub(info.ModTime()) < maxFinish {
			return time.Time{}
		}
	}
	return folder.ModTime()
}

// age returns the time since a file in git's folder was written. A file that does not
// exist is old.
func (r Repository) age(name string) time.Duration {
	info, err := os.Stat(filepath.Join(r.gitDir, name))
	if err != nil {
		return maxWait
	}
	return time.Since(info.ModTime())
}

// Wait returns when git is no longer busy or ctx is done. It does not wait for a lock that
// is older than ten seconds.
func (r Repository) Wait(ctx context.Context) {
	for end := time.Now().Add(maxWait); time.Now().Before(end) && r.Busy(); {
		if lock := r.Lock(); lock != "" && r.age(filepath.Base(lock)) >= maxWait {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(headDelay / 5):
		}
	}
}
