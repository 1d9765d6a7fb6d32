package git_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/must"
)

// run runs git in a folder, whatever the machine's own settings are.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
}

// newRepository returns a repository with one commit, which has notes/MEMORY.md.
func newRepository(t *testing.T) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir = t.TempDir()
	run(t, dir, "init", "-q", "-b", "main")
	write(t, dir, "notes/MEMORY.md", "- The ferry leaves at nine\n")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "first")
	return dir
}

// settle makes git's index look as if it was written long ago.
func settle(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	must.Do(t, os.Chtimes(filepath.Join(dir, ".git", "index"), old, old))
}

func TestFolderOutsideARepository(t *testing.T) {
	r := git.Find(t.TempDir())
	if r.Exists() || r.Head() != "" || r.Busy() || r.DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Errorf("%+v: exists %v, head %q, busy %v", r, r.Exists(), r.Head(), r.Busy())
	}
}

func TestHeadChangesWithEveryCheckout(t *testing.T) {
	dir := newRepository(t)
	folder := filepath.Join(dir, "notes")
	first := git.Find(folder).Head()
	if first == "" || first != git.Find(dir).Head() {
		t.Errorf("head %q in the folder, %q at the top", first, git.Find(dir).Head())
	}
	run(t, dir, "checkout", "-q", "-b", "other")
	other := git.Find(folder).Head()
	run(t, dir, "checkout", "-q", "main")
	if again := git.Find(folder).Head(); other == first || again == first || again == other {
		t.Errorf("heads are not distinct: %q, %q, %q", first, other, again)
	}
}

func TestBusyWhileTheIndexIsLockedOrFresh(t *testing.T) {
	dir := newRepository(t)
	r := git.Find(dir)
	settle(t, dir)
	if r.Busy() {
		t.Error("busy an hour after the index was written")
	}
	write(t, dir, ".git/index.lock", "")
	if !r.Busy() {
		t.Error("not busy while the index is locked")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Wait(ctx) // returns at once
	old := time.Now().Add(-time.Minute)
	must.Do(t, os.Chtimes(filepath.Join(dir, ".git", "index.lock"), old, old))
	r.Wait(t.Context()) // returns at once
	if !r.Busy() || filepath.Base(r.Lock()) != "index.lock" {
		t.Errorf("busy %v, lock %q: a killed git left the lock behind", r.Busy(), r.Lock())
	}
	must.Do(t, os.Remove(filepath.Join(dir, ".git", "index.lock")))
	now := time.Now()
	must.Do(t, os.Chtimes(filepath.Join(dir, ".git", "index"), now, now))
	r.Wait(t.Context())
	if r.Busy() {
		t.Error("busy after Wait")
	}
}

func TestDeletedByCommitTellsADeletionFromALoss(t *testing.T) {
	dir := newRepository(t)
	worktree := filepath.Join(t.TempDir(), "tree")
	folder := filepath.Join(dir, "notes")
	must.Do(t, os.Remove(filepath.Join(folder, "MEMORY.md")))
	if git.Find(folder).DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Error("a file that was removed without a commit counts as deleted by one")
	}
	run(t, dir, "commit", "-q", "-a", "-m", "second")
	if !git.Find(folder).DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Error("a commit deleted the file, and that is not seen")
	}
	if git.Find(folder).DeletedByCommit(t.Context(), "other.md") || git.Find(dir).DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Error("a file that was never committed counts as deleted")
	}
	run(t, dir, "worktree", "add", "-q", worktree, "HEAD~1")
	inTree := git.Find(filepath.Join(worktree, "notes"))
	if !inTree.Exists() || inTree.DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Error("the file is in the worktree's commit, and counts as deleted")
	}
	run(t, worktree, "rm", "-q", "notes/MEMORY.md")
	run(t, worktree, "commit", "-q", "-m", "third")
	if !inTree.DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Error("a commit in a worktree deleted the file, and that is not seen")
	}
	run(t, dir, "gc", "-q", "--prune=now")
	if !git.Find(folder).DeletedByCommit(t.Context(), "MEMORY.md") {
		t.Error("a commit deleted the file, and that is not seen in packed objects")
	}
}
