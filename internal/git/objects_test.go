package git_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/git"
)

// An object stays until git collects it, also if no branch has it any more.
func TestObjectsHaveWhatNoBranchHas(t *testing.T) {
	dir := newRepository(t)
	commit := func(text string) {
		t.Helper()
		write(t, dir, "notes/a.md", text)
		run(t, dir, "add", "-A")
		commitAt(t, dir, "2021-01-01T00:00:00Z")
	}
	commit("- The heron\n")
	commit("- The owl\n")
	run(t, dir, "reset", "-q", "--hard", "HEAD^")
	write(t, dir, "notes/a.md", "- The stork, never committed\n")
	run(t, dir, "add", "-A")
	run(t, dir, "reset", "-q", "--hard")
	var all strings.Builder
	seen := map[string]bool{}
	err := git.Objects(t.Context(), dir+"/notes", func(id string, content io.Reader) error {
		seen[id] = true
		if len(seen)%2 == 0 {
			return nil // one that is not read to its end
		}
		_, err := io.Copy(&all, content)
		return err
	})
	if err != nil || len(seen) < 6 {
		t.Fatalf("%d objects, %v", len(seen), err)
	}
	texts := ""
	err = git.Objects(t.Context(), dir, func(_ string, content io.Reader) error {
		src, err := io.ReadAll(content)
		texts += string(src)
		return err
	})
	for _, word := range []string{"heron", "owl", "stork"} {
		if err != nil || !strings.Contains(texts, word) {
			t.Errorf("no object has the %s: %v", word, err)
		}
	}
	stopped := errors.New("stopped")
	if err := git.Objects(t.Context(), dir, func(string, io.Reader) error { return stopped }); !errors.Is(err, stopped) {
		t.Errorf("an error ends with %v", err)
	}
	if err := git.Objects(t.Context(), t.TempDir(), func(string, io.Reader) error { return nil }); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("outside a repository: %v", err)
	}
}
