package engine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestAStoreThatAFullDiskRefusesLeavesNothing fills the disk of the notes, of the index, or
// of both, less and less, and stores and captures. What fails leaves every file and folder
// as it was. The text may stay if only a decision or a receipt about it is not complete.
// The same command again adds no second line.
func TestAStoreThatAFullDiskRefusesLeavesNothing(t *testing.T) {
	const text = "the staging port of the mill pond is 8080"
	store := func(r memory.StoreRequest) func(*world) error {
		return func(w *world) error {
			r.Text = text
			_, err := w.Store(t.Context(), r)
			return err
		}
	}
	writers := map[string]func(*world) error{
		"store":           store(memory.StoreRequest{}),
		"a pinned memory": store(memory.StoreRequest{Pinned: true}),
		"a tool":          store(memory.StoreRequest{Source: memory.SourceTool}),
		"capture": func(w *world) error {
			_, err := w.Capture(t.Context(), memory.CaptureRequest{Messages: said("Remember that " + text + "."), Command: uuid.NewString()})
			return err
		},
	}
	for _, full := range []string{"notes", "state", "."} {
		for name, write := range writers {
			for _, day := range []string{"a new note", "a note with lines"} {
				t.Run(full+"/"+name+"/"+day, func(t *testing.T) {
					root := filepath.Join(t.TempDir(), "disk")
					if full != "." {
						must.Do(t, os.Mkdir(root, 0o755))
					}
					d := newSmallDisk(t, filepath.Join(root, full))
					w := &world{t: t, dir: filepath.Join(root, "notes")}
					w.write("MEMORY.md", "- "+heron+"\n")
					if day != "a new note" {
						lines := strings.Repeat("- one more line about the birds\n", 200)
						w.write("memory/"+now.UTC().Format("2006-01-02")+".md", lines)
						w.write("memory/captured/"+now.UTC().Format("2006-01-02")+".md", lines)
					}
					w.Engine = openAt(t, root)
					t.Cleanup(func() { _ = w.Close() })
					w.index()
					failed, step := 0, inLongRun(32<<10, 12<<10)
					for room := 0; ; room += step {
						before := notesIn(t, w.dir)
						d.fill(room)
						err := write(w)
						d.free()
						if err == nil {
							break
						}
						failed++
						if !errors.Is(err, memory.ErrUnavailable) {
							t.Errorf("%d KiB of room: %v", room>>10, err)
						}
						isComplete := strings.Contains(err.Error(), "has begun") || name == "capture"
						if after := notesIn(t, w.dir); after != before && !isComplete {
							t.Fatalf("%d KiB of room: %v: the notes were\n%.300s\nand are\n%.300s", room>>10, err, before, after)
						}
					}
					w.index()
					if err := write(w); err != nil {
						t.Error(err)
					}
					if n := strings.Count(notesIn(t, w.dir), text); n != 1 {
						t.Errorf("the text is there %d times:\n%s", n, notesIn(t, w.dir))
					}
					if failed == 0 {
						t.Error("the disk was never full")
					}
				})
			}
		}
	}
}

// notesIn returns every file and folder below a folder, with its bytes.
func notesIn(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) == "filler" {
			return err
		}
		fmt.Fprintf(&b, "%s\n", path)
		if entry.IsDir() {
			return nil
		}
		src, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s\n", src)
		return err
	}))
	return b.String()
}
