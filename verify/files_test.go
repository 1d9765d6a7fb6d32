package verify_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/verify"
)

// writeFiles writes files below a new folder.
func writeFiles(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range files {
		name := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFilesReadsAllThatIsOursOrIndexed(t *testing.T) {
	read := map[string]string{
		"state/config.yaml":                 "something else",
		"state/deep/log.txt":                "x" + heron,
		"data/tiered.db":                    heron,
		"data/tiered.db-wal":                "something else",
		"data/.tiered.backup.db.memory-123": heron,
		"notes/MEMORY.md":                   "- something else\n",
		"notes/memory/a.MD":                 "- A blue heron lives by\n  the mill pond\n",
		"notes/memory/escaped.md":           "- The ferry is \\#one of two\n",
		"notes/memory/.decisions.yaml":      "quote: \"" + heron + "\"\n",
		"notes/memory/.memory-tiered-1.tmp": heron,
	}
	skipped := map[string]string{
		"data/other.db": heron, "data/deep/tiered.db": heron, "notes/image.png": heron,
		"notes/.git/MEMORY.md": heron, "notes/node_modules/a.md": heron,
	}
	all := maps.Clone(read)
	maps.Copy(all, skipped)
	root := writeFiles(t, all)
	progress := 0
	answer, err := verify.Files{StateDir: filepath.Join(root, "state"), Database: filepath.Join(root, "data", "tiered.db"),
		Workspace: filepath.Join(root, "notes"), Progress: func(p memory.Progress) { progress = p.Done },
		Indexed: func(path string) bool { return path != "memory/.decisions.yaml" },
	}.Find(t.Context(), verify.NewTexts("The ferry is #one of two", heron))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	var paths []string
	for _, c := range answer.Checked {
		rel, err := filepath.Rel(root, c.File)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.ToSlash(rel))
		if c.Found {
			found[filepath.ToSlash(rel)] = *c.At
		}
		if note := c.Note == "not indexed"; note != (filepath.Base(c.File) == ".decisions.yaml") {
			t.Errorf("note of %s: %q", rel, c.Note)
		}
	}
	slices.Sort(paths)
	if want := slices.Sorted(maps.Keys(read)); !slices.Equal(paths, want) || progress != len(want) {
		t.Errorf("read %q, want %q; progress ends at %d", paths, want, progress)
	}
	want := map[string]int64{"state/deep/log.txt": 1, "data/tiered.db": 0, "data/.tiered.backup.db.memory-123": 0, "notes/memory/a.MD": 2,
		"notes/memory/escaped.md": 0, "notes/memory/.decisions.yaml": 8, "notes/memory/.memory-tiered-1.tmp": 0}
	if !maps.Equal(found, want) || answer.Found != len(want) {
		t.Errorf("found %v (%d), want %v", found, answer.Found, want)
	}
}

func TestFilesNeverOpensAnOpenDatabase(t *testing.T) {
	root := writeFiles(t, map[string]string{"tiered.db": "on disk: " + heron, "tiered.db-wal": "something else"})
	database := filepath.Join(root, "tiered.db")
	answer, err := verify.Files{StateDir: root, Database: database, ReadOpen: func(read func(string, io.Reader) error) error {
		return read(database, strings.NewReader("something else"))
	}}.Find(t.Context(), verify.NewTexts(heron))
	if err != nil {
		t.Fatal(err)
	}
	if answer.Found != 0 || len(answer.Checked) != 2 || answer.Checked[0].File != database {
		t.Errorf("checked %+v", answer.Checked)
	}
}

func TestFilesReportsWhatCannotBeRead(t *testing.T) {
	root := writeFiles(t, map[string]string{"tiered.db": heron})
	files := verify.Files{Database: filepath.Join(root, "tiered.db"), Workspace: filepath.Join(root, "absent")}
	answer, err := files.Find(t.Context(), verify.NewTexts(heron))
	if err != nil || answer.Found != 1 || len(answer.Checked) != 2 || answer.Checked[1].Note == "" {
		t.Errorf("checked %+v, %v", answer.Checked, err)
	}
	broken := errors.New("broken")
	files.ReadOpen = func(func(string, io.Reader) error) error { return broken }
	if _, err := files.Find(t.Context(), verify.NewTexts(heron)); !errors.Is(err, broken) {
		t.Errorf("error of ReadOpen: %v", err)
	}
	files.ReadOpen = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.Find(ctx, verify.NewTexts(heron)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
