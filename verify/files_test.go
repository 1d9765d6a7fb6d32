package verify_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/verify"
)

// writeFiles writes files below a new folder.
func writeFiles(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range files {
		name := filepath.Join(root, path)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(t, os.WriteFile(name, []byte(text), 0o644))
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
	others := map[string]string{ // which are listed if they have the text
		"notes/.trash/a.md": heron, "notes/.git/COMMIT_EDITMSG": heron, "notes/node_modules/a.md": heron, "notes/image.png": heron, "notes/a.markdown": heron, "notes/.a.md.swp": "\x00" + heron,
	}
	skipped := map[string]string{
		"data/other.db": heron, "data/deep/tiered.db": heron, "notes/.git/objects/ab/cd": heron, "notes/memory/.dreams/recall.json": heron,
		"notes/.obsidian/app.json": "something else", "notes/plain.txt": "something else",
	}
	all := maps.Clone(read)
	maps.Copy(all, skipped)
	maps.Copy(all, others)
	root := writeFiles(t, all)
	progress := 0
	answer := must.Get(verify.Files{StateDir: filepath.Join(root, "state"), Database: filepath.Join(root, "data", "tiered.db"),
		Workspace: filepath.Join(root, "notes"), Progress: func(p memory.Progress) { progress = p.Done },
		Indexed: func(path string) bool { return read["notes/"+path] != "" && path != "memory/.decisions.yaml" },
	}.Find(t.Context(), verify.NewMatcher("The ferry is #one of two", heron)))(t)
	found := map[string]int64{}
	var paths []string
	for _, c := range answer.Checked {
		rel := must.Get(filepath.Rel(root, c.File))(t)
		paths = append(paths, filepath.ToSlash(rel))
		if c.Found {
			found[filepath.ToSlash(rel)] = *c.At
		}
		if other := others[filepath.ToSlash(rel)]; (c.Note == "not indexed") != (other != "" || filepath.Base(c.File) == ".decisions.yaml") {
			t.Errorf("note of %s: %q", rel, c.Note)
		}
	}
	slices.Sort(paths)
	maps.Copy(read, others)
	if want := slices.Sorted(maps.Keys(read)); !slices.Equal(paths, want) || progress != len(want) {
		t.Errorf("read %q, want %q; progress ends at %d", paths, want, progress)
	}
	want := map[string]int64{"state/deep/log.txt": 1, "data/tiered.db": 0, "data/.tiered.backup.db.memory-123": 0, "notes/memory/a.MD": 2,
		"notes/memory/escaped.md": 0, "notes/memory/.decisions.yaml": 8, "notes/memory/.memory-tiered-1.tmp": 0,
		"notes/.trash/a.md": 0, "notes/.git/COMMIT_EDITMSG": 0, "notes/node_modules/a.md": 0, "notes/image.png": 0, "notes/a.markdown": 0, "notes/.a.md.swp": 1}
	if !maps.Equal(found, want) || answer.Found != len(want) {
		t.Errorf("found %v (%d), want %v", found, answer.Found, want)
	}
}

// TestFilesFollowsLinks: a folder of state may be on another disk.
func TestFilesFollowsLinks(t *testing.T) {
	root := writeFiles(t, map[string]string{"disk/state/a.txt": "something else", "disk/snapshots/b.txt": heron, "elsewhere/c.md": heron, "notes/d.md": "something else"})
	for link, to := range map[string]string{"state": "disk/state", "disk/state/snapshots": "disk/snapshots", "disk/state/loop": "disk/state", "notes/c.md": "elsewhere/c.md"} {
		if err := os.Symlink(filepath.Join(root, to), filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	answer, err := verify.Files{StateDir: filepath.Join(root, "state"), Database: filepath.Join(root, "state", "tiered.db"), Workspace: filepath.Join(root, "notes")}.
		Find(t.Context(), verify.NewMatcher(heron))
	if err != nil || answer.Found != 2 {
		t.Errorf("checked %+v, %v", answer.Checked, err)
	}
}

func TestFilesNeverOpensAnOpenDatabase(t *testing.T) {
	root := writeFiles(t, map[string]string{"tiered.db": "on disk: " + heron, "tiered.db-wal": "something else"})
	database := filepath.Join(root, "tiered.db")
	answer := must.Get(verify.Files{StateDir: root, Database: database, ReadOpen: func(read func(string, io.Reader) error) error {
		return read(database, strings.NewReader("something else"))
	}}.Find(t.Context(), verify.NewMatcher(heron)))(t)
	if answer.Found != 0 || len(answer.Checked) != 2 || answer.Checked[0].File != database {
		t.Errorf("checked %+v", answer.Checked)
	}
}

func TestFilesReportsWhatCannotBeRead(t *testing.T) {
	root := writeFiles(t, map[string]string{"tiered.db": heron})
	files := verify.Files{Database: filepath.Join(root, "tiered.db"), Workspace: filepath.Join(root, "absent")}
	answer, err := files.Find(t.Context(), verify.NewMatcher(heron))
	if err != nil || answer.Found != 1 || len(answer.Checked) != 2 || answer.Checked[1].Note == "" {
		t.Errorf("checked %+v, %v", answer.Checked, err)
	}
	broken := errors.New("broken")
	files.ReadOpen = func(func(string, io.Reader) error) error { return broken }
	if _, err := files.Find(t.Context(), verify.NewMatcher(heron)); !errors.Is(err, broken) {
		t.Errorf("error of ReadOpen: %v", err)
	}
	files.ReadOpen = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.Find(ctx, verify.NewMatcher(heron)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFilesReportsWhatIsCutOff: the rest of a compressed file may have had the text.
func TestFilesReportsWhatIsCutOff(t *testing.T) {
	var zipped strings.Builder
	zip := gzip.NewWriter(&zipped)
	for i := range 10_000 {
		fmt.Fprintf(zip, "%d %x\n", i, i*i*i)
	}
	if _, err := io.WriteString(zip, heron); err != nil || zip.Close() != nil {
		t.Fatal(err)
	}
	whole := zipped.String()
	root := writeFiles(t, map[string]string{"whole.gz": whole, "other name": whole, "half.gz": whole[:len(whole)/2], "a.zip": "PK\x03\x04 half"})
	answer := must.Get(verify.Files{StateDir: root, Database: filepath.Join(root, "tiered.db")}.Find(t.Context(), verify.NewMatcher(heron)))(t)
	for _, c := range answer.Checked {
		if isHalf := slices.Contains([]string{"half.gz", "a.zip"}, filepath.Base(c.File)); c.Found == isHalf || isHalf && c.Note == "" {
			t.Errorf("%+v", c)
		}
	}
}
