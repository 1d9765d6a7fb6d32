package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/workspace"
)

// TestBadLinksHaveAReason links memory/a.md to places where nothing is indexed.
func TestBadLinksHaveAReason(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, map[string]string{"secret.md": "s"})
	tests := []struct{ target, want string }{
		{outside + "/secret.md", "leads outside the workspace"},
		{"gone.md", "the target of the link does not exist"},
		{"a.md", "leads in a circle"},
		{"../.hidden.md", "hidden place"},
		{"../plain.txt", "does not end in .md"},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, map[string]string{".hidden.md": "h", "plain.txt": "p", "memory/a.md": "->" + tt.target})
			l := scan(t, open(t, dir, workspace.Options{}))
			if len(l.Files) > 0 || len(l.BadLinks) != 1 || !strings.Contains(l.BadLinks[0].Message, tt.want) {
				t.Errorf("files %v, bad links %v, want %q", l.Files, l.BadLinks, tt.want)
			}
		})
	}
}

func TestTheMemoryFolderMayBeALink(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{"shared/a.md": "a", "shared/x/b.md": "b", "memory": "->shared"})
	put(t, outside, map[string]string{"a.md": "secret"})
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"memory/a.md", "memory/x/b.md"})

	must.Do(t, os.Remove(filepath.Join(dir, "memory")))
	put(t, dir, map[string]string{"memory": "->" + outside})
	l := scan(t, w)
	if len(l.Files) > 0 || len(l.BadLinks) != 1 || l.BadLinks[0].Path != "memory" {
		t.Errorf("files %v, bad links %v", l.Files, l.BadLinks)
	}
}

// TestSwappedLinkNeverLeadsOutside swaps a link between a note and a secret, again
// and again, while the note is scanned, read and written.
func TestSwappedLinkNeverLeadsOutside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, outside, map[string]string{"a.md": "secret"})
	put(t, dir, map[string]string{"notes/a.md": "open", "memory/a.md": "->../notes/a.md"})
	w := open(t, dir, workspace.Options{})
	link, next := filepath.Join(dir, "memory/a.md"), filepath.Join(dir, "memory/.next")
	stop, swaps := make(chan struct{}), 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			for _, target := range []string{outside + "/a.md", "../notes/a.md"} {
				select {
				case <-stop:
					return
				default:
				}
				if err := errors.Join(os.Symlink(target, next), os.Rename(next, link)); err != nil {
					t.Error(err)
					return
				}
				swaps++
			}
		}
	})
	reads, writes, refused := 0, 0, 0
	for start := time.Now(); time.Since(start) < 400*time.Millisecond || (reads == 0 || writes == 0 || refused == 0) && time.Since(start) < time.Minute; {
		text, _, err := w.Read("memory/a.md")
		switch {
		case string(text) == "secret":
			t.Fatal("read a file outside")
		case err == nil:
			reads++
		default:
			refused++
		}
		late, err := w.Replace("memory/a.md", hash("open"), []byte("open"))
		if err == nil {
			writes++
		}
		must.Do(t, late.Close())
		for _, f := range scan(t, w).Files {
			if f.Path == "memory/a.md" && f.Size == int64(len("secret")) {
				t.Fatal("listed a file outside")
			}
		}
	}
	close(stop)
	wg.Wait()
	if onDisk(t, outside, "a.md") != "secret" || onDisk(t, dir, "notes/a.md") != "open" {
		t.Error("a file has changed")
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v, %v", info, err)
	}
	if swaps == 0 || reads == 0 || writes == 0 || refused == 0 {
		t.Errorf("%d swaps, %d reads, %d writes, %d refused: the test tested nothing", swaps, reads, writes, refused)
	}
}

func TestAGoodLinkIsNoFault(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"notes/n.md": "n", "MEMORY.md": "->notes/n.md"})
	w := open(t, dir, workspace.Options{})
	if _, bad := w.BadLink("MEMORY.md"); bad || !slices.Equal(listed(t, w), []string{"MEMORY.md"}) {
		t.Errorf("bad %v, listed %q", bad, listed(t, w))
	}
}
