package git_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/git"
)

func TestOnlyElsewhereTellsADeletionFromABranch(t *testing.T) {
	dir := newRepository(t)
	run(t, dir, "checkout", "-q", "-b", "first")
	commit := func(text string) {
		t.Helper()
		write(t, dir, "notes/captured/a.md", text)
		run(t, dir, "add", "-A")
		commitAt(t, dir, "2021-01-01T00:00:00Z")
	}
	check := func(when string, want bool) {
		t.Helper()
		got, err := git.OnlyElsewhere(t.Context(), dir+"/notes", "captured", func(line string) bool { return strings.Contains(line, "heron") })
		if err != nil || got != want {
			t.Errorf("%s: %v, %v", when, got, err)
		}
	}
	check("never there", false)
	commit("- The heron\n")
	run(t, dir, "checkout", "-q", "-b", "second", "HEAD^")
	check("on another branch", true)
	commit("- Another line of the same file\n")
	check("on another branch, with the file on both", true)
	run(t, dir, "checkout", "-q", "first")
	check("on the branch that has it", false)
	commit("- Nothing\n")
	check("deleted on the branch that had it", false)
	run(t, dir, "checkout", "-q", "-b", "third", "HEAD^")
	commit("- Nothing at all\n")
	check("deleted on a branch that began with it", false)
}
