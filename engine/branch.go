package engine

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// branched is the index with each batch told on which of git's branches the
// files were read.
type branched struct {
	*index.DB
	space *space
}

// Apply says which branch the files are of. Where lines that forget something
// are concerned it waits for git to finish what it is doing, which rewrites the
// files first and says last whose they are. A branch that is not the one from
// before the look is none that anything was surely read on.
func (b branched) Apply(ctx context.Context, now time.Time, batch memory.Batch) error {
	git := gitFolder(b.space.Dir)
	concerned, err := b.concerned(ctx, batch)
	if err != nil {
		return err
	}
	lost := slices.Contains(batch.Removed, memory.DecisionsFile)
	if (concerned || lost) && git != "" {
		settle(ctx, git)
	}
	batch.DecisionsRemovalCommitted = lost && deletedByCommit(b.space.Dir, memory.DecisionsFile)
	if batch.Branch = branch(git); batch.Branch != b.space.head {
		batch.Branch = "on the way to " + batch.Branch
	}
	return b.DB.Apply(ctx, now, batch)
}

// concerned says whether files of a batch forget something, or did.
func (b branched) concerned(ctx context.Context, batch memory.Batch) (bool, error) {
	var paths []string
	for _, f := range batch.Files {
		paths = append(paths, f.Path)
		for _, e := range f.Entries {
			if e.Declared.Forgotten != nil && *e.Declared.Forgotten {
				return true, nil
			}
		}
	}
	forgotten, err := b.ForgottenByEntries(ctx, paths)
	return len(forgotten) > 0, err
}

// noteHead notes, before a look at the files, on which branch it is.
func (s *space) noteHead() { s.head = branch(gitFolder(s.Dir)) }

// seenOn notes, after a look at all files, that they are as they are indexed on
// the branch that was there before it and still is. Where lines forget something
// it waits for git to finish, and looks again: a hand that takes such a line out
// next is on the branch that it was read on, and restores.
func (s *space) seenOn(ctx context.Context, now time.Time, d *disk, whole bool) error {
	was, err := s.db.Meta(ctx, "branch")
	git := gitFolder(s.Dir)
	if err != nil || was == s.head || git == "" || branch(git) != s.head {
		return err
	}
	if busy(git) {
		forgets, err := s.db.HasForgettingEntries(ctx)
		if err != nil || !forgets {
			return err
		}
		settle(ctx, git)
		whole = false
	}
	if !whole {
		if _, err := d.ingester.Ingest(ctx, now, nil, false, nil); err != nil {
			return err
		}
	}
	if branch(git) != s.head || busy(git) {
		return nil
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetBranch(s.head) })
}

// branch is what HEAD names, a branch or a commit where none is checked out, and
// when it was written: who is back where they were has been away all the same,
// and files may have been read there.
func branch(git string) string {
	if git == "" {
		return ""
	}
	file := filepath.Join(git, "HEAD")
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

// gitFolder is the repository that a folder lies in, or empty.
func gitFolder(dir string) string {
	for {
		git := filepath.Join(dir, ".git")
		info, err := os.Stat(git)
		switch {
		case err == nil && info.IsDir():
			return git
		case err == nil:
			return linkedGit(git)
		case dir == filepath.Dir(dir):
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// linkedGit follows the file that stands for .git in a worktree or submodule.
func linkedGit(file string) string {
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

// Git writes HEAD a few milliseconds after its index. A lock that is older than
// staleLock belongs to nobody.
const (
	gitPause  = 100 * time.Millisecond
	staleLock = 10 * time.Second
)

func settle(ctx context.Context, git string) {
	for end := time.Now().Add(staleLock); time.Now().Before(end) && busy(git); {
		select {
		case <-ctx.Done():
			return
		case <-time.After(gitPause / 5):
		}
	}
}

func busy(git string) bool {
	if lock, err := os.Stat(filepath.Join(git, "index.lock")); err == nil && time.Since(lock.ModTime()) < staleLock {
		return true
	}
	written, err := os.Stat(filepath.Join(git, "index"))
	return err == nil && time.Since(written.ModTime()).Abs() < gitPause
}
