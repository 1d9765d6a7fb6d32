package git_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/must"
)

// env is the environment of a person whose settings of git name her.
func env(t *testing.T) func(string) string {
	t.Helper()
	home := t.TempDir()
	write(t, home, ".config/git/config", "[user]\n\tname = Lena\n\temail = lena@example.org\n")
	return func(name string) string { return map[string]string{"HOME": home}[name] }
}

func TestProposeChangesOnlyABranch(t *testing.T) {
	dir := newRepository(t)
	folder := filepath.Join(dir, "notes")
	write(t, dir, "notes/MEMORY.md", "- The ferry leaves at ten, uncommitted\n")
	write(t, dir, "staged.md", "- Staged\n")
	run(t, dir, "add", "staged.md")
	index, head := read(t, dir, ".git/index"), read(t, dir, ".git/HEAD")
	from := must.Get(git.Latest(t.Context(), folder))(t)
	text, err := from.Read(t.Context(), "MEMORY.md")
	if string(text) != "- The ferry leaves at nine\n" || err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	if text, err := from.Read(t.Context(), "none.md"); text != nil || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	by, err := git.Author(t.Context(), folder, env(t))
	if err != nil || by.Name != "Lena" || by.Email != "lena@example.org" {
		t.Fatalf("%+v, %v", by, err)
	}
	for name, text := range map[string]string{"MEMORY.md": "- changed\r\n", "new folder/ä.md": "no line feed"} {
		branch := "memory/proposal-" + strings.TrimSuffix(filepath.Base(name), ".md")
		must.Do(t, from.Propose(t.Context(), branch, by, name, []byte(text), "Remember"))
		if err := from.Propose(t.Context(), branch, by, name, []byte(text), "Remember"); err == nil {
			t.Error("a branch was moved")
		}
		if exists, isPart := from.Contains(t.Context(), branch); !exists || isPart {
			t.Errorf("the branch exists: %v, and is a part: %v", exists, isPart)
		}
	}
	if read(t, dir, ".git/index") != index || read(t, dir, ".git/HEAD") != head || read(t, dir, "notes/MEMORY.md") != "- The ferry leaves at ten, uncommitted\n" {
		t.Error("the index, HEAD or a file changed")
	}
	open, err := git.Open(t.Context(), folder, "memory/")
	if err != nil || len(open) != 2 || open[0].Author != "Lena" || open[0].Title != "Remember" || open[0].At.IsZero() {
		t.Errorf("%+v, %v", open, err)
	}
	run(t, dir, "stash", "-q")
	for _, b := range open {
		run(t, dir, "merge", "-q", b.Name, "--no-edit")
	}
	if merged, err := git.Latest(t.Context(), folder); err != nil {
		t.Error(err)
	} else if exists, isPart := merged.Contains(t.Context(), open[0].Name); !exists || !isPart {
		t.Errorf("the merged branch exists: %v, and is a part: %v", exists, isPart)
	}
	if read(t, dir, "notes/MEMORY.md") != "- changed\r\n" || read(t, dir, "notes/new folder/ä.md") != "no line feed" {
		t.Error("the branches have other texts")
	}
	if open, err := git.Open(t.Context(), folder, "memory/"); len(open) != 0 || err != nil {
		t.Errorf("merged branches are open: %+v, %v", open, err)
	}
	if authors, err := git.Authors(t.Context(), folder); err != nil || authors["Lena <lena@example.org>"] != 2 || authors["Ada <ada@example.org>"] != 1 {
		t.Errorf("%v, %v", authors, err)
	}
	if names, err := git.Tracked(t.Context(), dir, "MEMORY.md"); !slices.Equal(names, []string{"notes/MEMORY.md"}) || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

func TestProposeFollowsNoLinkAndNeedsACommit(t *testing.T) {
	dir := newRepository(t)
	if err := os.Symlink("MEMORY.md", filepath.Join(dir, "notes", "link.md")); err != nil {
		t.Skip(err)
	}
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "link")
	from := must.Get(git.Latest(t.Context(), dir+"/notes"))(t)
	if text, err := from.Read(t.Context(), "link.md"); err == nil {
		t.Errorf("a link is read as %q", text)
	}
	empty := t.TempDir()
	run(t, empty, "init", "-q")
	if _, err := git.Latest(t.Context(), empty); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("a repository without a commit: %v", err)
	}
	nobody := func(string) string { return "" }
	if by, err := git.Author(t.Context(), dir, nobody); err == nil && by.Name == "" {
		t.Errorf("%+v", by)
	}
}

// A proposal carries no commit that was not pushed, whatever the clone knows of the server.
func TestLatestHasNothingThatWasNotPushed(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, server, dir string){
		"a clone": func(*testing.T, string, string) {},
		"a clone that does not know the main branch": func(t *testing.T, _, dir string) {
			run(t, dir, "remote", "set-head", "origin", "--delete")
		},
		"a main branch with another name": func(t *testing.T, server, dir string) {
			run(t, server, "branch", "-m", "trunk")
			run(t, dir, "fetch", "-q", "--prune")
			run(t, dir, "remote", "set-head", "origin", "--delete")
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := newRepository(t)
			dir := filepath.Join(t.TempDir(), "clone")
			run(t, server, "clone", "-q", server, dir)
			prepare(t, server, dir)
			write(t, dir, "notes/MEMORY.md", "- Not pushed\n")
			run(t, dir, "commit", "-qam", "not pushed")
			from := must.Get(git.Latest(t.Context(), filepath.Join(dir, "notes")))(t)
			text, err := from.Read(t.Context(), "MEMORY.md")
			if string(text) != "- The ferry leaves at nine\n" || err != nil {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

func TestEachReadsTheFilesOfTheFolder(t *testing.T) {
	dir := newRepository(t)
	write(t, dir, "notes/a/ä b.md", "two\nlines")
	write(t, dir, "notes/empty.md", "")
	write(t, dir, "notes/other.txt", "no Markdown")
	write(t, dir, "outside.md", "outside")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "files")
	from := must.Get(git.Latest(t.Context(), filepath.Join(dir, "notes")))(t)
	found := map[string]string{}
	must.Do(t, from.Each(t.Context(), ".md", func(name string, text []byte) { found[name] = string(text) }))
	want := map[string]string{"MEMORY.md": "- The ferry leaves at nine\n", "a/ä b.md": "two\nlines", "empty.md": ""}
	if !maps.Equal(found, want) {
		t.Errorf("%q", found)
	}
	if err := from.Each(t.Context(), ".none", func(string, []byte) { t.Error("a file without the suffix") }); err != nil {
		t.Error(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
	return string(text)
}
