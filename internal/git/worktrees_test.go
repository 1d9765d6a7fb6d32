package git_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/git"
)

func TestWorkTreesOfARepositoryKnowEachOther(t *testing.T) {
	main, linked := newRepository(t), filepath.Join(t.TempDir(), "linked")
	run(t, main, "worktree", "add", "-q", linked)
	for _, dir := range []string{main, linked, filepath.Join(linked, "notes")} {
		r := git.Find(dir)
		if got := r.MainFolder(dir); got != main {
			t.Errorf("%s: the main folder is %q", dir, got)
		}
		if got := r.WorkTrees(dir); !slices.Equal(got, []string{main, linked}) {
			t.Errorf("%s: work trees %q", dir, got)
		}
	}
}

// A folder from outside, an unpacked archive for example, cannot pass for a work tree of
// another project. So it does not get the memories that clients keep of that project.
func TestAFolderIsNoWorkTreeOfARepositoryThatDoesNotNameIt(t *testing.T) {
	victim, sibling := newRepository(t), filepath.Join(t.TempDir(), "sibling")
	run(t, victim, "worktree", "add", "-q", sibling)
	ofSibling := filepath.Join(victim, ".git", "worktrees", "sibling")
	for name, attack := range map[string]func(dir string){
		"the .git file names the repository": func(dir string) {
			write(t, dir, ".git", "gitdir: "+filepath.Join(victim, ".git")+"\n")
		},
		"the .git file names the record of another work tree": func(dir string) {
			write(t, dir, ".git", "gitdir: "+ofSibling+"\n")
		},
		"a record of its own names the repository": func(dir string) {
			write(t, dir, ".git", "gitdir: record\n")
			write(t, dir, "record/commondir", filepath.Join(victim, ".git"))
			write(t, dir, "record/gitdir", filepath.Join(dir, ".git"))
		},
		"its .git folder names the repository as the common one": func(dir string) {
			write(t, dir, ".git/commondir", filepath.Join(victim, ".git"))
		},
		"its .git folder has records of the other work trees": func(dir string) {
			write(t, dir, ".git/worktrees/sibling/gitdir", filepath.Join(sibling, ".git"))
			write(t, dir, ".git/worktrees/victim/gitdir", filepath.Join(victim, ".git"))
		},
		"its .git folder links to the records of the repository": func(dir string) {
			write(t, dir, ".git/HEAD", "ref: refs/heads/main\n")
			link(t, filepath.Dir(ofSibling), filepath.Join(dir, ".git", "worktrees"))
		},
		".git links to the repository": func(dir string) { link(t, filepath.Join(victim, ".git"), filepath.Join(dir, ".git")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			attack(dir)
			r := git.Find(dir)
			if got := r.MainFolder(dir); got != dir {
				t.Errorf("the main folder is %q", got)
			}
			if got := r.WorkTrees(dir); !slices.Equal(got, []string{dir}) {
				t.Errorf("work trees %q", got)
			}
		})
	}
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Skip(err)
	}
}
