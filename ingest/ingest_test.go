package ingest_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/ingest"
	"github.com/memory-tiered/memory/workspace"
)

const (
	tabs     = "Prefers tabs over spaces in Go and never aligns comments"
	tabsEdit = "Prefers tabs over spaces in Go and Rust and never aligns comments"
	rotate   = "The staging password rotates on the first Monday of every month"
	friday   = "Deploys go out on Fridays before noon unless Lena is away"
	parrot   = "Ada keeps a grey parrot called Babbage"
)

func TestFirstScanIndexesEverything(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "# Editor", "", "- "+tabs, "- "+rotate+" #ops [[Vault]]")
	w.write("memory/2026-11-19.md", "Had lunch with Ada at the harbour.")
	w.write("README.md", "Not a memory.")
	a := w.scan()
	if a.Added != 3 || a.Edited+a.Moved+a.Missing != 0 {
		t.Errorf("answer %+v", a)
	}
	m := w.memory(tabs)
	if m.ID != memory.NewID(m.Fingerprint, 0) || m.Path != "MEMORY.md" || m.LineStart != 3 || m.Tier != memory.TierWarm ||
		m.Type != memory.TypeFactual || m.Category != memory.CategoryPreference || m.Lang != "en" || !slices.Equal(m.Heading, []string{"Editor"}) {
		t.Errorf("got %+v", m)
	}
	lunch := w.memory("Had lunch with Ada at the harbour.")
	if lunch.Tier != memory.TierHot || lunch.Type != memory.TypeEpisodic || !lunch.CreatedAt.Equal(time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", lunch)
	}
	for _, p := range w.batch.Placements {
		if strings.HasPrefix(p.Block.Text, "The staging") && !slices.Equal(p.Entities, []string{"Vault", "ops"}) {
			t.Errorf("entities %v", p.Entities)
		}
	}
	if w.scanUntilStable(); len(w.batch.Files)+len(w.batch.Touched) != 0 {
		t.Errorf("a second scan found %+v", w.batch)
	}
}

// scanUntilStable waits until a new file's time differs from the current time,
// and scans.
func (w *world) scanUntilStable() {
	w.t.Helper()
	time.Sleep(60 * time.Millisecond)
	w.scan()
	w.scan()
}

func TestAnswerCountsChangesOfMemories(t *testing.T) {
	tests := []struct {
		name  string
		edit  func(w *world)
		paths []string
		want  memory.IndexAnswer
	}{
		{"no change", func(*world) {}, nil, memory.IndexAnswer{}},
		{"an edit", func(w *world) { w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate) }, nil,
			memory.IndexAnswer{Edited: 1, Unchanged: 1}},
		{"a new file", func(w *world) { w.write("memory/new.md", "- "+parrot) }, []string{"memory/new.md"},
			memory.IndexAnswer{Added: 1}},
		{"a removed file", func(w *world) { w.write("memory/deep/notes.md") }, []string{"memory/deep/notes.md"},
			memory.IndexAnswer{Missing: 1}},
		{"a removed folder", func(w *world) { w.must(os.RemoveAll(filepath.Join(w.dir, "memory/deep"))) }, []string{"memory/deep/"},
			memory.IndexAnswer{Missing: 1}},
		{"a hint for a folder", func(w *world) {
			w.write("memory/deep/more.md", "- "+parrot)
			w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate)
		}, []string{"memory"}, memory.IndexAnswer{Added: 1, Edited: 1, Unchanged: 1}},
		{"an edit without a hint", func(w *world) { w.write("MEMORY.md", "- "+tabsEdit) }, []string{"memory/deep/notes.md"},
			memory.IndexAnswer{}},
		{"a rename with an edit, with a hint for the new name only", func(w *world) {
			w.write("MEMORY.md")
			w.write("memory/moved.md", "- "+tabsEdit, "- "+rotate)
		}, []string{"memory/moved.md"}, memory.IndexAnswer{Edited: 1, Moved: 1}},
		{"a rename with an edit, with a hint for the old name only", func(w *world) {
			w.write("MEMORY.md")
			w.write("memory/moved.md", "- "+tabsEdit, "- "+rotate)
		}, []string{"MEMORY.md"}, memory.IndexAnswer{Edited: 1, Moved: 1}},
		{"a move, with a hint for one file only", func(w *world) {
			w.write("MEMORY.md", "- "+rotate)
			w.write("memory/deep/notes.md", "- "+friday, "- "+tabs)
		}, []string{"memory/deep/notes.md"}, memory.IndexAnswer{Moved: 1, Unchanged: 2}},
		{"a new file while another is being replaced", func(w *world) {
			w.write("MEMORY.md")
			w.write("memory/new.md", "- "+parrot)
		}, []string{"memory/new.md"}, memory.IndexAnswer{Added: 1}},
		{"many hints", func(w *world) { w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate) },
			append(strings.Split(strings.Repeat("memory/x.md ", 99), " ")[:99], "MEMORY.md"), memory.IndexAnswer{Edited: 1, Unchanged: 1}},
		{"a hint for the whole workspace", func(w *world) { w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate) }, []string{"."},
			memory.IndexAnswer{Edited: 1, Unchanged: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("MEMORY.md", "- "+tabs, "- "+rotate)
			w.write("memory/deep/notes.md", "- "+friday)
			w.scan()
			tt.edit(w)
			if got := w.scan(tt.paths...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestHintsForKnownFilesListNoFolder changes files of a workspace that may be huge.
func TestHintsForKnownFilesListNoFolder(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs, "- "+rotate)
	w.write("memory/deep/notes.md", "- "+friday)
	w.scan()
	source := &walkCounter{Source: w.source}
	w.source = source
	for _, step := range []struct {
		name  string
		edit  func()
		walks int
	}{
		{"an edit", func() { w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate) }, 0},
		{"a new line", func() { w.write("MEMORY.md", "- "+tabsEdit, "- "+rotate, "- "+parrot) }, 0},
		{"a move", func() {
			w.write("MEMORY.md", "- "+tabsEdit, "- "+parrot)
			w.write("memory/deep/notes.md", "- "+friday, "- "+rotate)
		}, 0},
		{"a line is removed", func() { w.write("MEMORY.md", "- "+parrot) }, 0},
		{"a file is removed", func() { w.write("MEMORY.md") }, 1},
		{"a file is new", func() { w.write("MEMORY.md", "- "+tabs) }, 1},
	} {
		step.edit()
		w.scan("MEMORY.md", "memory/deep/notes.md")
		if source.walks != step.walks {
			t.Errorf("%s: the folder was listed %d times, want %d", step.name, source.walks, step.walks)
		}
		source.walks = 0
		if a := w.scan(); a.Added+a.Edited+a.Moved+a.Missing > 0 {
			t.Errorf("%s: the hints missed %+v", step.name, a)
		}
		source.walks = 0
	}
}

// walkCounter counts how often the folder is listed.
type walkCounter struct {
	ingest.Source
	walks int
}

func (s *walkCounter) Walk(ctx context.Context) (workspace.ScanResult, error) {
	s.walks++
	return s.Source.Walk(ctx)
}

func TestFileWithoutARemovalHintStaysIndexed(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	w.write("MEMORY.md")
	w.write("memory/new.md", "- "+parrot)
	w.scan("memory/new.md")
	if m := w.memory(tabs); m.Missing {
		t.Error("the file was removed from the index without a hint")
	}
	w.scan("MEMORY.md")
	if m := w.memory(tabs); !m.Missing {
		t.Error("the removed file is still indexed")
	}
}

func TestPathsOutsideTheWorkspaceAreRefused(t *testing.T) {
	w := newWorld(t)
	for _, p := range []string{"../x.md", "/etc/passwd", ""} {
		if _, err := w.tryIndex(false, p); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func TestFileWithConflictMarkersKeepsItsLastVersion(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "---", "scope: work", "---", "- "+tabs, "- "+rotate)
	w.scan()
	before := w.ids()
	w.write("MEMORY.md", "<<<<<<< HEAD", "- "+parrot, "=======", "- "+tabsEdit, ">>>>>>> topic", "- "+rotate)
	w.write("memory/new.md", "<<<<<<< HEAD", "- one side of it", "=======", "- the other side of it", ">>>>>>> topic")
	for range 2 {
		w.scan()
		sameIDs(t, "with conflict markers", w.ids(), before)
		if w.memory(tabs).Scope != "work" || len(w.list(memory.Predicate{})) != 2 {
			t.Error("the last indexed version changed")
		}
		if faults := w.faults(); len(faults) != 2 || !strings.HasPrefix(faults[0], "MEMORY.md:1: git conflict markers") {
			t.Errorf("faults %q", faults)
		}
	}
	w.write("MEMORY.md", "---", "scope: work", "---", "- "+tabs, "- "+rotate)
	w.write("memory/new.md", "- the other side of it")
	w.scan()
	sameIDs(t, "resolved", w.ids(), before)
	if faults := w.faults(); len(faults) != 0 || len(w.list(memory.Predicate{})) != 3 {
		t.Errorf("after resolving: faults %q", faults)
	}
}

func TestBinaryFileIsAFaultAndKeepsItsLastVersion(t *testing.T) {
	for name, binary := range map[string]string{
		"zeros":                 strings.Repeat("\x00", 4096),
		"random":                strings.Repeat("\x89PNG\x0d\x0a\x1a\x0a\x00\x00\xff\xfe\x07\x13", 99),
		"a fifth of NUL bytes":  strings.Repeat("word\x00", 800),
		"zeros after some text": strings.Repeat("- some text\n", 200) + strings.Repeat("\x00", 4096),
		"utf-16":                "\xff\xfe-\x00 \x00a\x00b\x00",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("MEMORY.md", "- "+tabs)
			w.scan()
			w.write("MEMORY.md", binary)
			w.write("memory/binary.md", binary)
			w.scan()
			w.scanUntilStable()
			if faults := w.faults(); len(faults) != 2 || len(w.batch.Files)+len(w.batch.Rematched) != 0 {
				t.Errorf("faults %q, batch %+v", faults, w.batch)
			}
			if m := w.memory(tabs); m.Missing {
				t.Error("the last indexed version is missing")
			}
			w.write("MEMORY.md", "- "+tabsEdit)
			w.scan()
			if m := w.memory(tabsEdit); len(w.faults()) != 1 || m.Missing {
				t.Errorf("text again: %q", w.faults())
			}
		})
	}
	t.Run("a few invalid bytes are allowed", func(t *testing.T) {
		w := newWorld(t)
		w.write("MEMORY.md", "- The caf\xe9 by the harbour opens at nine\x00 on most days")
		if w.scan(); len(w.list(memory.Predicate{})) != 1 || len(w.faults()) != 0 {
			t.Errorf("faults %q", w.faults())
		}
	})
}

func TestTooLargeFileKeepsItsLastVersion(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	for _, paths := range [][]string{nil, {"MEMORY.md"}} {
		w.write("MEMORY.md", "- "+tabs, strings.Repeat("x", 2<<20))
		w.scan(paths...)
		if faults := w.faults(); len(faults) != 1 || !strings.Contains(faults[0], "over the limit") || w.memory(tabs).Missing {
			t.Errorf("faults %q", faults)
		}
		if w.scan(paths...); !reflect.DeepEqual(w.batch, memory.Batch{}) {
			t.Errorf("a second scan wrote %+v", w.batch)
		}
		w.write("MEMORY.md", "- "+tabs)
		if w.scan(paths...); len(w.faults()) != 0 {
			t.Errorf("small again: %q", w.faults())
		}
	}
}

// failingSource is a folder with read errors.
type failingSource struct {
	ingest.Source
	read func(path string) error
}

func (s failingSource) Read(path string) ([]byte, workspace.File, error) {
	if err := s.read(path); err != nil {
		return nil, workspace.File{}, err
	}
	return s.Source.Read(path)
}

func TestUnreadableFileKeepsItsLastVersion(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.write("memory/a.md", "- "+rotate)
	w.scan()
	w.write("MEMORY.md", "- "+tabsEdit)
	w.write("memory/a.md", "- "+friday)
	w.source = failingSource{w.folder, func(path string) error {
		if path == "MEMORY.md" {
			return fs.ErrPermission
		}
		return nil
	}}
	w.scan()
	if faults := w.faults(); len(faults) != 1 || w.memory(tabs).Missing || w.memory(friday).Missing {
		t.Errorf("faults %q", faults)
	}
	w.write("MEMORY.md", "- "+tabs)
	w.source = w.folder
	if w.scan(); len(w.faults()) != 0 {
		t.Errorf("readable again: %q", w.faults())
	}
}

func TestFileReplacedDuringTheReadIsNotRemoved(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	w.write("MEMORY.md", "- "+tabsEdit)
	w.source = failingSource{w.folder, func(string) error { return fs.ErrNotExist }}
	w.scan()
	if w.memory(tabs).Missing {
		t.Error("a replaced file counts as removed")
	}
	w.source = w.folder
	w.scan()
	w.memory(tabsEdit)
}

// missingFileSource is a folder whose walk misses a file that is being
// replaced.
type missingFileSource struct{ ingest.Source }

func (s missingFileSource) Walk(ctx context.Context) (workspace.ScanResult, error) {
	found, err := s.Source.Walk(ctx)
	found.Files = slices.DeleteFunc(found.Files, func(f workspace.File) bool { return f.Path == "MEMORY.md" })
	return found, err
}

func TestFileReplacedDuringTheWalkIsNotRemoved(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	w.write("MEMORY.md", "- "+tabsEdit)
	w.source = missingFileSource{w.folder}
	if a := w.scan(); a.Edited != 1 || a.Missing != 0 {
		t.Errorf("got %+v", a)
	}
}

func TestMissingWorkspaceIsAnErrorAndRemovesNothing(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.scan()
	aside := w.dir + "-aside"
	w.must(os.Rename(w.dir, aside))
	for _, paths := range [][]string{nil, {"MEMORY.md"}, {"memory"}} {
		if _, err := w.tryIndex(false, paths...); !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%v: %v", paths, err)
		}
	}
	if w.memory(tabs).Missing {
		t.Error("the indexed memory is missing")
	}
	w.must(os.Rename(aside, w.dir))
	if a := w.scan(); a.Added+a.Edited+a.Missing != 0 {
		t.Errorf("after the workspace is back: %+v", a)
	}
}

func TestChangedDefaultsApplyWithoutAnEdit(t *testing.T) {
	w := newWorld(t)
	w.write("memory/team/plan.md", "- "+friday)
	w.scan()
	w.configure(workspace.Options{Globs: []workspace.Glob{{Pattern: "memory/team/**", Tier: memory.TierCold, Scope: "team"}}})
	a := w.scan()
	if m := w.memory(friday); m.Tier != memory.TierCold || m.Scope != "team" || a.Edited != 0 {
		t.Errorf("got %s %q, %+v", m.Tier, m.Scope, a)
	}
	if w.scanUntilStable(); len(w.batch.Rematched) != 0 {
		t.Errorf("a second scan wrote %+v", w.batch)
	}
}

func TestCancelledScanWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	ctx, cancel := context.WithCancel(context.Background())
	in := ingest.New(w.db, w.folder, ingest.Options{})
	_, err := in.Ingest(ctx, w.now, nil, false, func(memory.Progress) { cancel() })
	if !errors.Is(err, context.Canceled) || len(w.list(memory.Predicate{})) != 0 {
		t.Errorf("got %v and %d memories", err, len(w.list(memory.Predicate{})))
	}
}

func TestProgressReportsFilesThenMemories(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", "- "+tabs)
	w.write("memory/a.md", "- "+rotate)
	var got []memory.Progress
	in := ingest.New(w.db, w.folder, ingest.Options{})
	_, err := in.Ingest(context.Background(), w.now, nil, false, func(p memory.Progress) { got = append(got, p) })
	want := []memory.Progress{{Stage: "read", Done: 1, Total: 2}, {Stage: "read", Done: 2, Total: 2},
		{Stage: "index", Done: 0, Total: 2}, {Stage: "index", Done: 2, Total: 2}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}
