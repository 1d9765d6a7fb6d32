package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
)

// TestUndoRemovesTheFileThatTheCommandMade stores and captures on a day without a file,
// and undoes that. A file that a person made or wrote to stays.
func TestUndoRemovesTheFileThatTheCommandMade(t *testing.T) {
	const note, text = "memory/2026-11-21.md", "Lena prefers meetings in the morning"
	store := func(r memory.StoreRequest) func(*captureWorld) string {
		return func(c *captureWorld) string { return c.storeAs(r).Memory.Path }
	}
	for name, test := range map[string]struct {
		before map[string]string
		make   func(*captureWorld) string
		edit   func(string) string
		stays  bool
	}{
		"store":            {make: store(memory.StoreRequest{Text: text})},
		"store, pinned":    {make: store(memory.StoreRequest{Text: text, Pinned: true, Tier: memory.TierWarm})},
		"store, by a tool": {make: store(memory.StoreRequest{Text: text, Source: memory.SourceTool})},
		"capture": {make: func(c *captureWorld) string {
			return c.capture(memory.CaptureRequest{Messages: said("Remember that the staging port is 8080."), Command: uuid.NewString()}).Stored[0].Path
		}},
		"a folder before":  {before: map[string]string{"memory/captured/2026-11-01.md": "- The ferry leaves at nine\n"}, make: store(memory.StoreRequest{Text: text, Source: memory.SourceTool})},
		"an empty file":    {before: map[string]string{note: ""}, make: store(memory.StoreRequest{Text: text}), stays: true},
		"an empty head":    {before: map[string]string{note: "---\n---\n"}, make: store(memory.StoreRequest{Text: text}), stays: true},
		"a person's line":  {make: store(memory.StoreRequest{Text: text}), edit: func(s string) string { return s + "- The ferry leaves at nine\n" }, stays: true},
		"a person's blank": {make: store(memory.StoreRequest{Text: text}), edit: func(s string) string { return "\n\n" + s }, stays: true},
		"a person's header": {make: store(memory.StoreRequest{Text: text, Source: memory.SourceTool}), edit: func(s string) string {
			return strings.Replace(s, "source: auto-capture", "source: auto-capture\ntier: warm", 1)
		}, stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"MEMORY.md": "- Nobody deploys on Friday afternoons\n"}
			for path, content := range test.before {
				files[path] = content
			}
			c := newCaptureWorld(t, files)
			path := test.make(c)
			if test.edit != nil {
				c.write(path, test.edit(c.read(path)))
				c.index()
			}
			a := c.undo(1)
			checkFolders(t, c.dir, path, test.stays)
			src, err := os.ReadFile(filepath.Join(c.dir, path))
			if errors.Is(err, fs.ErrNotExist) == test.stays || len(a.Undone) != 1 || len(a.Notices) > 0 {
				t.Errorf("%s is %q, %v; %+v", path, src, err, a)
			}
			if want, given := test.before[path]; given && string(src) != want {
				t.Errorf("%s is %q, before %q", path, src, want)
			}
			status, err := c.Status(t.Context())
			if err != nil || len(status.Workspaces[0].Faults) > 0 {
				t.Errorf("%+v, %v", status.Workspaces[0].Faults, err)
			}
		})
	}
}

// checkFolders checks that the folders of a removed file are gone, if nothing else is in them.
func checkFolders(t *testing.T, dir, file string, stays bool) {
	t.Helper()
	for folder := filepath.Dir(file); folder != "."; folder = filepath.Dir(folder) {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if stays && err != nil || !stays && err == nil && len(entries) == 0 {
			t.Errorf("the folder %s has %d entries, %v", folder, len(entries), err)
		}
	}
}

// TestUndoLeavesAFolderThatWasThere removes only folders that the store made.
func TestUndoLeavesAFolderThatWasThere(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Nobody deploys on Friday afternoons\n"})
	if err := os.Mkdir(filepath.Join(c.dir, "memory"), 0o755); err != nil {
		t.Fatal(err)
	}
	c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning", Source: memory.SourceTool})
	c.undo(1)
	if entries, err := os.ReadDir(filepath.Join(c.dir, "memory")); err != nil || len(entries) != 0 {
		t.Errorf("the folder memory has %v, %v", entries, err)
	}
}
