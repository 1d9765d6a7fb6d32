package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/engine/statefolder"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// oneWorkspace is a Registry of one workspace, whose database moves with its name.
type oneWorkspace struct {
	engine.WorkspaceConfig
	stateDir string
}

func (r *oneWorkspace) NewNative() ([]clients.Folder, error) { return nil, nil }

func (r *oneWorkspace) Add(_, _, _ string, patterns []string) (engine.WorkspaceConfig, []string, error) {
	r.Options.Globs = nil
	for _, p := range patterns {
		r.Options.Globs = append(r.Options.Globs, workspace.Glob{Pattern: p, Inject: true})
	}
	return r.WorkspaceConfig, patterns, nil
}

func (r *oneWorkspace) Remove(string) error { return nil }

func (r *oneWorkspace) Rename(_, to string) (engine.WorkspaceConfig, error) {
	old := r.DBPath
	r.Name, r.DBPath = to, filepath.Join(r.stateDir, to, "tiered.db")
	return r.WorkspaceConfig, statefolder.MoveDatabase(old, r.DBPath)
}

// openOne opens an engine with one registered workspace.
func openOne(t *testing.T, dir, stateDir string) *engine.Engine {
	t.Helper()
	config := engine.WorkspaceConfig{Name: "work", Dir: dir, DBPath: filepath.Join(stateDir, "work", "tiered.db")}
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{Workspaces: []engine.WorkspaceConfig{config}, Embedder: embed.None{},
		Registry: &oneWorkspace{config, stateDir}, Recall: recall.Defaults()})))(t)
	return e
}

func TestClosingAWorkspaceKeepsLateAppends(t *testing.T) {
	for name, closes := range map[string]func(*engine.Engine) error{
		"remove": func(e *engine.Engine) error { return e.RemoveWorkspace(t.Context(), "work") },
		"rename": func(e *engine.Engine) error { _, err := e.RenameWorkspace(t.Context(), "work", "office"); return err },
	} {
		t.Run(name, func(t *testing.T) {
			dir, stateDir := t.TempDir(), t.TempDir()
			file := filepath.Join(dir, "MEMORY.md")
			must.Do(t, os.WriteFile(file, []byte("- the heron stands in the pond\n"), 0o644))
			e := openOne(t, dir, stateDir)
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
			late := must.Get(os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0))(t)
			defer func() { _ = late.Close() }()
			listed := must.Get(e.List(t.Context(), memory.ListRequest{}))(t)
			must.Get(e.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(listed.Memories[0].ID)}}))(t)
			must.Get(late.WriteString("- written while the file was replaced\n"))(t)
			must.Do(t, closes(e))
			src, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(src), "written while") || !strings.Contains(string(src), "pinned") {
				t.Errorf("%v: the file is\n%s", err, src)
			}
		})
	}
}

func TestAddedPatternReportsItsProgress(t *testing.T) {
	dir, stateDir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"MEMORY.md": "- milk and eggs\n", "heron.md": "- the heron stands in the pond\n"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	e := openOne(t, dir, stateDir)
	stages := map[string]bool{}
	_, err := e.AddWorkspace(t.Context(), memory.WorkspaceRequest{Path: dir, All: true, Progress: func(p memory.Progress) { stages[p.Stage] = true }})
	if err != nil || !stages["read"] {
		t.Errorf("%v, stages %v", err, stages)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// A forced index makes a backup. One that runs during a rename leaves nothing in the
// old place.
func TestRenamedWorkspaceLeavesNoFileBehind(t *testing.T) {
	dir, stateDir := t.TempDir(), t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- the heron stands in the pond\n"), 0o644))
	e := openOne(t, dir, stateDir)
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for range 2 {
		clients.Go(func() {
			for {
				select {
				case <-stop:
					return
				default: // an error is right while the workspace is being renamed
					_, _ = e.Index(t.Context(), memory.IndexRequest{Force: true}, nil)
				}
			}
		})
	}
	names, renames := []string{"work", "office"}, 20
	if testing.Short() { // with the race detector
		renames = 6
	}
	for i := range renames {
		from, to := names[i%2], names[(i+1)%2]
		if _, err := e.RenameWorkspace(t.Context(), from, to); err != nil {
			t.Errorf("rename %d: %v", i, err)
			break
		}
		left, err := filepath.Glob(filepath.Join(stateDir, from, "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("rename %d left %v, %v", i, left, err)
			break
		}
	}
	close(stop)
	clients.Wait()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
