package engine_test

import (
	"testing"

	"github.com/memory-tiered/memory"
)

// TestGitDropsAnUncommittedLineAndRestoresNothing loses the line of a forgotten memory to
// git, and then removes it in a commit.
func TestGitDropsAnUncommittedLineAndRestoresNothing(t *testing.T) {
	for _, command := range [][]string{{"stash", "-q"}, {"checkout", "-q", "--", "."}, {"reset", "-q", "--hard"}} {
		w := newWorld(t, map[string]string{"MEMORY.md": "- Gardens and tulips in spring\n- " + vaultText + "\n"})
		w.git("init", "-q", "-b", "main")
		w.git("add", "-A")
		w.git("commit", "-q", "-m", "notes")
		w.index()
		forget := memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(vaultText))}}
		w.decide(forget)
		w.git(command...)
		w.index()
		if w.visible(vaultText) {
			t.Errorf("git %v restored it", command)
		}
		w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: forget.IDs})
		if !w.visible(vaultText) {
			t.Errorf("after git %v, a command does not restore it", command)
		}
		w.decide(forget)
		w.git("commit", "-qam", "forget")
		w.index()
		w.git("revert", "--no-edit", "HEAD")
		w.index()
		if !w.visible(vaultText) {
			t.Errorf("git revert does not restore it")
		}
	}
}
