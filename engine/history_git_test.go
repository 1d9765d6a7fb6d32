package engine_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func (h *history) gitSteps() map[string]func() {
	return map[string]func(){"check out": h.checkout, "check out again": h.checkout, "merge": func() { h.bring("merge", "--no-edit") },
		"rebase": func() { h.bring("rebase") }, "stash": h.stash, "revert": h.revert, "reset": h.reset}
}

// git runs git in the workspace, whatever the machine's own settings are.
func (h *history) git(args ...string) {
	if out, ok := h.tries(args...); !ok {
		h.fail("git %v: %s", args, out)
	}
}

func (h *history) tries(args ...string) (out string, ok bool) {
	out, err := runGit(h.dir, args...)
	return out, err == nil
}

func runGit(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=Lena", "GIT_AUTHOR_EMAIL=lena@example.org", "GIT_COMMITTER_NAME=Lena", "GIT_COMMITTER_EMAIL=lena@example.org")
	out, err := c.CombinedOutput()
	return string(out), err
}

// head is what HEAD names, and when it was written: a switch and back is one too.
func (h *history) head() string {
	name := filepath.Join(h.dir, ".git", "HEAD")
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(name)
	h.must(err)
	return string(text) + info.ModTime().Format(time.RFC3339Nano)
}

func (h *history) commit() {
	h.git("add", "-A")
	h.git("commit", "-q", "--allow-empty", "-m", "more")
}

func (h *history) lookAfterGit() {
	h.reload()
	h.look()
}

var branches = []string{"main", "other", "topic"}

func (h *history) checkout() {
	h.commit()
	branch := branches[h.rnd.IntN(len(branches))]
	h.note("check out %s", branch)
	h.git("checkout", "-q", branch)
	h.lookAfterGit()
}

// bring merges another branch or rebases onto it. Where they conflict, it looks
// at the markers and gives up.
func (h *history) bring(verb string, more ...string) {
	h.commit()
	branch := branches[h.rnd.IntN(len(branches))]
	h.note("%s %s", verb, branch)
	if _, ok := h.tries(append([]string{verb, "-q", branch}, more...)...); !ok {
		h.lookAtConflict()
		h.git(verb, "--abort")
	}
	h.lookAfterGit()
}

// lookAtConflict indexes a merge that stands half done. What it puts twice, no
// text tells apart from here on.
func (h *history) lookAtConflict() {
	h.note("conflict: look at it, and give up")
	h.reload()
	h.tick()
	_, err := h.Index(context.Background(), memory.IndexRequest{}, nil)
	h.must(err)
	h.follow()
}

func (h *history) stash() {
	h.git("add", "-A")
	h.note("stash, and pop")
	if out, _ := h.tries("stash", "-q"); out != "" {
		h.fail("stash: %s", out)
	}
	h.lookAfterGit()
	if _, ok := h.tries("stash", "pop", "-q"); !ok {
		h.git("reset", "-q", "--hard")
		h.tries("stash", "drop", "-q")
	}
	h.lookAfterGit()
}

// revert takes the last commit back, which is a decision where it decided.
func (h *history) revert() {
	h.commit()
	h.note("revert")
	if _, ok := h.tries("revert", "--no-edit", "HEAD"); !ok {
		h.tries("revert", "--abort")
		h.tries("reset", "-q", "--hard")
	}
	h.lookAfterGit()
}

// reset throws away what is not committed.
func (h *history) reset() {
	h.note("reset")
	h.git("add", "-A")
	h.git("reset", "-q", "--hard")
	h.lookAfterGit()
}
