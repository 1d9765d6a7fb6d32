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
	return map[string]func(){"check out": h.checkout, "check out again": h.checkout, "merge": func() { h.mergeOrRebase("merge", "--no-edit") },
		"rebase": func() { h.mergeOrRebase("rebase") }, "stash": h.stash, "revert": h.revert, "reset": h.reset}
}

// git runs git in the workspace, whatever the machine's own settings are.
func (h *history) git(args ...string) {
	if out, ok := h.tryGit(args...); !ok {
		h.fail("git %v: %s", args, out)
	}
}

func (h *history) tryGit(args ...string) (out string, ok bool) {
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

// gitHead returns what HEAD names and when it was written: a switch and back counts
// as a switch.
func (h *history) gitHead() string {
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

func (h *history) indexAfterGit() {
	h.readPages()
	h.indexAndCheck()
}

var branches = []string{"main", "other", "topic"}

func (h *history) checkout() {
	h.commit()
	branch := branches[h.rnd.IntN(len(branches))]
	h.logStep("check out %s", branch)
	h.git("checkout", "-q", branch)
	h.indexAfterGit()
}

// mergeOrRebase merges another branch or rebases onto it. On a conflict it indexes
// the markers and aborts.
func (h *history) mergeOrRebase(verb string, more ...string) {
	h.commit()
	branch := branches[h.rnd.IntN(len(branches))]
	h.logStep("%s %s", verb, branch)
	if _, ok := h.tryGit(append([]string{verb, "-q", branch}, more...)...); !ok {
		h.indexConflict()
		h.git(verb, "--abort")
	}
	h.indexAfterGit()
}

// indexConflict indexes a half-done merge. A line that it has twice is indistinct
// from then on.
func (h *history) indexConflict() {
	h.logStep("conflict: index it and abort")
	h.readPages()
	h.tick()
	_, err := h.Index(context.Background(), memory.IndexRequest{}, nil)
	h.must(err)
	h.updateExpected()
}

func (h *history) stash() {
	h.git("add", "-A")
	h.logStep("stash and pop")
	if out, _ := h.tryGit("stash", "-q"); out != "" {
		h.fail("stash: %s", out)
	}
	h.indexAfterGit()
	if _, ok := h.tryGit("stash", "pop", "-q"); !ok {
		h.git("reset", "-q", "--hard")
		h.tryGit("stash", "drop", "-q")
	}
	h.indexAfterGit()
}

// revert reverts the last commit, which decides if the commit decided.
func (h *history) revert() {
	h.commit()
	h.logStep("revert")
	if _, ok := h.tryGit("revert", "--no-edit", "HEAD"); !ok {
		h.tryGit("revert", "--abort")
		h.tryGit("reset", "-q", "--hard")
	}
	h.indexAfterGit()
}

// reset discards what is not committed.
func (h *history) reset() {
	h.logStep("reset")
	h.git("add", "-A")
	h.git("reset", "-q", "--hard")
	h.indexAfterGit()
}
