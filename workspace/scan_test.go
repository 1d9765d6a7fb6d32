//go:build unix

package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/workspace"
)

func TestScanListsFilesOfMemories(t *testing.T) {
	tests := []struct {
		name  string
		globs []string
		files []string
		want  []string
	}{
		{"built-in places", nil,
			[]string{"MEMORY.md", "USER.md", "README.md", "memory/a.md", "memory/x/y/z.md", "other/b.md", "memory.md"},
			[]string{"MEMORY.md", "USER.md", "memory/a.md", "memory/x/y/z.md"}},
		{"sorted bytewise by path", nil,
			[]string{"memory/a/b.md", "memory/a.md", "memory/B.md", "memory/é.md"},
			[]string{"memory/B.md", "memory/a.md", "memory/a/b.md", "memory/é.md"}},
		{"only Markdown, in any case", nil,
			[]string{"memory/a.MD", "memory/b.Md", "memory/c.txt", "memory/d.mdx", "memory/md", "memory/.md"},
			[]string{"memory/a.MD", "memory/b.Md"}},
		{"no hidden files", nil,
			[]string{".MEMORY.md", "memory/.a.md", "memory/.git/a.md", "memory/x/.obsidian/y/a.md", ".dreams/a.md", "memory/..a.md"},
			nil},
		{"no files of editors", nil,
			[]string{"memory/a.md", "memory/a.md~", "memory/#a.md#", "memory/.#a.md", "memory/.a.md.swp", "memory/a.md.swp", "memory/4913"},
			[]string{"memory/a.md"}},
		{"no packages, no dreams", nil,
			[]string{"memory/node_modules/p/README.md", "memory/dreaming/x/a.md", "memory/DREAMS.md", "memory/x/Dreams.md", "memory/dreaming.md", "memory/x/dreaming/a.md"},
			[]string{"memory/dreaming.md", "memory/x/dreaming/a.md"}},
		{"extra globs", []string{"notes/**/*.md", "projects/*/log.md", "./one.md"},
			[]string{"notes/a.md", "notes/x/y/b.md", "notes/c.txt", "notes/D.MD", "projects/p/log.md", "projects/p/q/log.md", "projects/p/other.md", "one.md", "two.md"},
			[]string{"notes/D.MD", "notes/a.md", "notes/x/y/b.md", "one.md", "projects/p/log.md"}},
		{"a glob that names a folder", []string{"docs/"},
			[]string{"docs/a.md", "docs/x/b.md", "docs/x/c.txt"},
			[]string{"docs/a.md", "docs/x/b.md"}},
		{"a glob does not include excluded files", []string{"**"},
			[]string{"a.md", "DREAMS.md", ".git/a.md", "node_modules/a.md", "x/node_modules/a.md", "memory/dreaming/a.md"},
			[]string{"a.md"}},
		{"names with line breaks", nil,
			[]string{"memory/a\nb.md", "memory/\t '\".md", "memory/--.md", "memory/*.md"},
			[]string{"memory/\t '\".md", "memory/*.md", "memory/--.md", "memory/a\nb.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range tt.files {
				put(t, dir, map[string]string{f: f})
			}
			var o workspace.Options
			for _, g := range tt.globs {
				o.Globs = append(o.Globs, workspace.Glob{Pattern: g})
			}
			w := open(t, dir, o)
			l := scan(t, w)
			var got []string
			for _, f := range l.Files {
				got = append(got, f.Path)
				if text, _, err := w.Read(f.Path); err != nil || string(text) != f.Path {
					t.Errorf("read %q: %q, %v", f.Path, text, err)
				}
			}
			same(t, got, tt.want)
			if len(l.Faults) > 0 {
				t.Errorf("faults: %v", l.Faults)
			}
			statAgrees(t, w, tt.files)
		})
	}
}

func TestScanFollowsOnlyLinksInsideTheWorkspace(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, map[string]string{"secret.md": "secret", "folder/secret.md": "secret"})
	tests := []struct {
		name  string
		files map[string]string
		want  []string
		bad   []string
	}{
		{"to a file elsewhere in the workspace",
			map[string]string{"notes/n.md": "n", "memory/a.md": "->../notes/n.md"},
			[]string{"memory/a.md"}, nil},
		{"to a file that is listed by its own name",
			map[string]string{"memory/z.md": "n", "memory/a.md": "->z.md"},
			[]string{"memory/z.md"}, nil},
		{"two links to one file: the first by name is listed",
			map[string]string{"notes/n.md": "n", "memory/b.md": "->../notes/n.md", "memory/a.md": "->../notes/n.md"},
			[]string{"memory/a.md"}, nil},
		{"a link to a link",
			map[string]string{"notes/n.md": "n", "notes/m.md": "->n.md", "memory/a.md": "->../notes/m.md"},
			[]string{"memory/a.md"}, nil},
		{"to a folder",
			map[string]string{"notes/n.md": "n", "notes/x/o.md": "o", "memory/shared": "->../notes"},
			[]string{"memory/shared/n.md", "memory/shared/x/o.md"}, nil},
		{"two links to one folder",
			map[string]string{"notes/n.md": "n", "memory/s": "->../notes", "memory/r": "->../notes"},
			[]string{"memory/r/n.md"}, nil},
		{"links in circles",
			map[string]string{"memory/a.md": "a", "memory/up": "->..", "memory/self": "->.", "memory/l.md": "->m.md", "memory/m.md": "->l.md"},
			[]string{"memory/a.md"}, []string{"memory/l.md", "memory/m.md", "memory/self", "memory/up"}},
		{"folders that link to each other",
			map[string]string{"x/n.md": "n", "x/y": "->../z", "z/o.md": "o", "z/x": "->../x", "memory/x": "->../x"},
			[]string{"memory/x/n.md", "memory/x/y/o.md"}, []string(nil)},
		{"links that lead outside or nowhere",
			map[string]string{"memory/a.md": "->" + outside + "/secret.md", "memory/b": "->" + outside + "/folder",
				"memory/c.md": "->../../secret.md", "memory/d.md": "->gone.md", "MEMORY.md": "->/etc/passwd"},
			nil, []string{"MEMORY.md", "memory/a.md", "memory/b", "memory/c.md", "memory/d.md"}},
		{"outside through an inner link",
			map[string]string{"out": "->" + outside, "memory/a.md": "->../out/secret.md"},
			nil, []string{"memory/a.md"}},
		{"to files that are never indexed",
			map[string]string{".hidden/n.md": "n", "memory/a.md": "->../.hidden/n.md", "memory/h": "->../.hidden",
				"memory/dreaming/d.md": "d", "memory/d.md": "->dreaming/d.md", "plain.txt": "p", "memory/p.md": "->../plain.txt",
				".memoryignore": "private/\n", "private/s.md": "s", "memory/s.md": "->../private/s.md", "memory/pr": "->../private"},
			nil, []string{"memory/a.md", "memory/d.md", "memory/h", "memory/p.md"}},
		{"to what is no note, from where no note is expected",
			map[string]string{"memory/pic.png": "->" + outside + "/pic.png", "src": "->" + outside, "memory/x.txt": "->gone.txt", "memory/v2.0": "->gone"},
			nil, []string{"memory/v2.0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, tt.files)
			w := open(t, dir, workspace.Options{})
			same(t, listed(t, w), tt.want)
			var bad []string
			for _, f := range scan(t, w).BadLinks {
				bad = append(bad, f.Path)
				if got, ok := w.BadLink(f.Path); !ok || got != f {
					t.Errorf("BadLink %q: %v, %v; the scan has %v", f.Path, got, ok, f)
				}
			}
			slices.Sort(bad)
			same(t, bad, tt.bad)
			statAgrees(t, w, slices.Collect(maps.Keys(tt.files)))
			for name := range tt.files {
				if _, ok := w.BadLink(name); ok && !slices.Contains(bad, name) {
					t.Errorf("BadLink %q: the scan has no fault", name)
				}
			}
		})
	}
}

func TestScanFollowsAbsoluteLinksIntoTheWorkspace(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"notes/n.md": "n", "memory/a.md": "->" + dir + "/notes/n.md"})
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"memory/a.md"})
	if text, _, err := w.Read("memory/a.md"); err != nil || string(text) != "n" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestScanListsFoldersToWatch(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"notes/n.md": "n", "memory/a.md": "->../notes/n.md", "memory/x/": "",
		"drafts/s.md": "s", "memory/y": "->../drafts", "src/main/": "", "memory/.git/": "", "memory/node_modules/": ""})
	w := open(t, dir, workspace.Options{})
	same(t, scan(t, w).Folders, []string{".", "memory", "memory/x", "memory/y", "notes"})
	if !w.IsLinked("notes/n.md") || w.IsLinked("memory/a.md") {
		t.Error("an event of notes/n.md does not matter, or memory/a.md is another name")
	}
}

func TestScanListsEachNameOfAHardLink(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/b.md": "b"})
	must.Do(t, os.Link(filepath.Join(dir, "memory/b.md"), filepath.Join(dir, "memory/a.md")))
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"memory/a.md", "memory/b.md"})
	statAgrees(t, w, []string{"memory/a.md", "memory/b.md"})
}

func TestScanIgnoresPipes(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/a.md": "a"})
	if err := syscall.Mkfifo(filepath.Join(dir, "memory/pipe.md"), 0o644); err != nil {
		t.Skip("this system has no named pipes:", err)
	}
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"memory/a.md"})
	if _, _, err := w.Read("memory/pipe.md"); err == nil {
		t.Error("read from a pipe")
	}
}

func TestScanReportsLargeFilesAndBadIgnoreLines(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/a.md": "a", "memory/big.md": strings.Repeat("x", 101), "memory/full.md": strings.Repeat("x", 100),
		".memoryignore": "ok\n[bad\n"})
	l := scan(t, open(t, dir, workspace.Options{MaxBytes: 100}))
	var got []string
	for _, f := range l.Faults {
		got = append(got, fmt.Sprintf("%s:%d", f.Path, f.Line))
	}
	same(t, got, []string{".memoryignore:2", "memory/big.md:0"})
	if len(l.Files) != 2 {
		t.Errorf("files %v", l.Files)
	}
}

func TestScanReportsUnreadableFolders(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read every folder")
	}
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/a.md": "a", "memory/shut/b.md": "b"})
	must.Do(t, os.Chmod(filepath.Join(dir, "memory/shut"), 0))
	defer os.Chmod(filepath.Join(dir, "memory/shut"), 0o755)
	l := scan(t, open(t, dir, workspace.Options{}))
	if len(l.Files) != 1 || len(l.Faults) != 1 || l.Faults[0].Path != "memory/shut" {
		t.Errorf("files %v, faults %v", l.Files, l.Faults)
	}
}

func TestScanReportsFoldersThatNestTooDeep(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/" + strings.Repeat("d/", 150) + "a.md": "a", "memory/" + strings.Repeat("e/", 90) + "b.md": "b"})
	l := scan(t, open(t, dir, workspace.Options{}))
	if len(l.Files) != 1 || len(l.Faults) != 1 {
		t.Errorf("files %v, faults %v", l.Files, l.Faults)
	}
}

func TestIgnoreFileOfAMegabyteIsTheLimit(t *testing.T) {
	dir := t.TempDir()
	line := "# a comment\n"
	put(t, dir, map[string]string{"memory/a.md": "a", "memory/b.md": "b", ".memoryignore": strings.Repeat(line, 80_000) + "b.md\n"})
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"memory/a.md"})
	put(t, dir, map[string]string{".memoryignore": strings.Repeat(line, 90_000) + "b.md\n"})
	if _, err := w.Scan(t.Context()); err == nil || !strings.Contains(err.Error(), "larger than 1048576 bytes") {
		t.Errorf("scan with an ignore file of more than 1 MiB: %v", err)
	}
}

func BenchmarkScan2000Files(b *testing.B) {
	dir := b.TempDir()
	for i := range 2000 {
		folder := filepath.Join(dir, "memory", fmt.Sprint(i%40))
		must.Do(b, os.MkdirAll(folder, 0o755))
		must.Do(b, os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.md", i)), []byte("text"), 0o644))
	}
	w := must.Get(workspace.Open(dir, workspace.Options{}))(b)
	for b.Loop() {
		if l, err := w.Scan(context.Background()); err != nil || len(l.Files) != 2000 {
			b.Fatal(len(l.Files), err)
		}
	}
}

// TestNamesThatAreNotUTF8AreReported would otherwise inject memories that nobody
// can forget, because no request can name their file.
func TestNamesThatAreNotUTF8AreReported(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"memory/a.md", "memory/\xff.md", "memory/\xfe.txt", "memory/caf\xe9/b.md", "other/\xff.md"} {
		put(t, dir, map[string]string{f: f})
	}
	must.Do(t, os.Symlink("a.md", filepath.Join(dir, "memory/\xfd.md")))
	w := open(t, dir, workspace.Options{})
	l := scan(t, w)
	var faults []string
	for _, f := range l.Faults {
		faults = append(faults, f.Path)
	}
	slices.Sort(faults)
	same(t, faults, []string{"memory/caf\ufffd", "memory/\ufffd.md", "memory/\ufffd.md"})
	if len(l.Files) != 1 || l.Files[0].Path != "memory/a.md" {
		t.Errorf("files %v", l.Files)
	}
	if _, there, err := w.Stat("memory/\xff.md"); there || err != nil {
		t.Errorf("stat: %v, %v", there, err)
	}
	if _, _, err := w.Read("memory/\xff.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read: %v", err)
	}
}
