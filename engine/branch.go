package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// branched is the index with each batch told on which of git's branches the
// files were read.
type branched struct {
	*index.DB
	dir string
}

// Apply says which branch the files are of. Where a line is gone that forgot
// something it waits for git to finish what it is doing, which rewrites the
// files first and says last whose they are.
func (b branched) Apply(ctx context.Context, now time.Time, batch memory.Batch) error {
	git := gitFolder(b.dir)
	loses, err := b.loses(ctx, batch)
	if err != nil {
		return err
	}
	if loses && git != "" {
		settle(ctx, git)
	}
	batch.Branch = branch(git)
	return b.DB.Apply(ctx, now, batch)
}

// loses says whether a batch's files forget less than they did.
func (b branched) loses(ctx context.Context, batch memory.Batch) (bool, error) {
	var paths []string
	still := map[memory.ID]bool{}
	for _, f := range batch.Files {
		paths = append(paths, f.Path)
		for _, e := range f.Entries {
			still[e.About] = still[e.About] || e.Declared.Forgotten != nil && *e.Declared.Forgotten
		}
	}
	forgotten, err := b.Forgets(ctx, paths)
	for _, id := range forgotten {
		if !still[id] {
			return true, err
		}
	}
	return false, err
}

// noteBranch tells the index of a branch that came without any file changing.
func (s *space) noteBranch(ctx context.Context, now time.Time) error {
	was, err := s.db.Meta(ctx, "branch")
	if err != nil || was == branch(gitFolder(s.Dir)) {
		return err
	}
	return branched{s.db, s.Dir}.Apply(ctx, now, memory.Batch{})
}

// branch is what HEAD names: a branch, or a commit where none is checked out.
func branch(git string) string {
	if git == "" {
		return ""
	}
	head, err := os.ReadFile(filepath.Join(git, "HEAD"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(head))
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
