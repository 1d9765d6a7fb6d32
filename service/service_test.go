package service_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/leaks"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/service"
	"github.com/memory-tiered/memory/workspace"
)

func TestMain(m *testing.M) { leaks.Check(m) }

func open(t *testing.T, dir string) *engine.Engine {
	t.Helper()
	embedder := static.New()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: filepath.Join(t.TempDir(), "tiered.db"), Zone: time.UTC}},
		Embedder:   embedder, Recall: recall.Defaults(), AutoRecall: true,
	})))(t)
	return e
}

// The whole service: a folder does not exist yet, appears, changes, and then the
// service stops cleanly.
func TestServiceIndexesAFolderThatAppearsLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "notes")
	e := open(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- service.Run(ctx, e, service.Options{Log: slog.New(slog.DiscardHandler), SweepInterval: time.Minute})
	}()
	time.Sleep(50 * time.Millisecond) // the service finds no folder
	must.Do(t, os.MkdirAll(dir, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- the heron lives by the pond\n"), 0o644))
	eventually(t, func() bool {
		answer, err := e.Search(ctx, memory.SearchRequest{Query: "heron"})
		return err == nil && len(answer.Hits) == 1 && answer.Hits[0].VectorScore > 0
	})
	eventually(t, func() bool {
		status, err := e.Status(ctx)
		return err == nil && status.Workspaces[0].Fresh && status.Workspaces[0].Watch == "events"
	})
	stop()
	if err := <-stopped; err != nil {
		t.Errorf("Run returned %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// registry is an engine.Registry that keeps the databases in one folder.
type registry struct{ stateDir string }

func (registry) NewNative() ([]clients.Folder, error) { return nil, nil }

func (r registry) Add(name, dir, _ string, patterns []string) (engine.WorkspaceConfig, []string, error) {
	w := engine.WorkspaceConfig{Name: name, Dir: dir, DBPath: filepath.Join(r.stateDir, name, "tiered.db"), Zone: time.UTC}
	for _, p := range patterns {
		w.Options.Globs = append(w.Options.Globs, workspace.Glob{Pattern: p, Inject: true})
	}
	return w, patterns, nil
}

func (registry) Remove(string) error { return nil }

func (r registry) Rename(from, to string) (engine.WorkspaceConfig, error) {
	w, _, err := r.Add(to, filepath.Join(r.stateDir, "notes-of-"+from), "", nil)
	return w, err
}

func TestRemovedWorkspaceLeavesOthersServed(t *testing.T) {
	state := t.TempDir()
	r := registry{state}
	var folders []engine.WorkspaceConfig
	for _, name := range []string{"main", "work", "home"} {
		dir := filepath.Join(state, "notes-of-"+name)
		must.Do(t, os.MkdirAll(dir, 0o755))
		f, _, _ := r.Add(name, dir, "", nil)
		folders = append(folders, f)
	}
	embedder := static.New()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{Workspaces: folders, Registry: r, Embedder: embedder, Recall: recall.Defaults(), AutoRecall: true})))(t)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- service.Run(ctx, e, service.Options{Log: slog.New(slog.DiscardHandler), SweepInterval: time.Minute})
	}()
	watched := func(name string) func() bool {
		return func() bool {
			status, err := e.Status(ctx)
			return err == nil && slices.ContainsFunc(status.Workspaces, func(w memory.WorkspaceStatus) bool {
				return w.Name == name && w.Watch == "events"
			})
		}
	}
	for _, name := range []string{"main", "work", "home"} {
		eventually(t, watched(name))
	}

	must.Do(t, e.RemoveWorkspace(ctx, "work"))
	must.Get(e.RenameWorkspace(ctx, "home", "house"))(t)
	eventually(t, watched("house"))
	for name, dir := range map[string]string{"main": "notes-of-main", "house": "notes-of-home"} {
		must.Do(t, os.WriteFile(filepath.Join(state, dir, "MEMORY.md"), []byte("- the heron eats fish\n"), 0o644))
		eventually(t, func() bool {
			answer, err := e.Search(ctx, memory.SearchRequest{Workspace: name, Query: "heron"})
			return err == nil && len(answer.Hits) == 1
		})
	}
	select {
	case err := <-stopped:
		t.Fatalf("the service stopped with %v", err)
	default:
	}
	stop()
	if err := <-stopped; err != nil {
		t.Errorf("Run returned %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// eventually waits for at most five minutes, so that slow machines pass.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("timeout: the condition never became true")
}

func TestFailedLoopStopsTheService(t *testing.T) {
	e := open(t, t.TempDir())
	loopErr := errors.New("the socket is gone")
	err := service.Run(t.Context(), e, service.Options{Log: slog.New(slog.DiscardHandler), Loops: []service.Loop{
		func(context.Context) error { return loopErr }}})
	if !errors.Is(err, loopErr) {
		t.Errorf("Run returned %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestStateFolderHasOneOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	lock, err := service.Acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = service.Acquire(dir)
	var locked *service.LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() || !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("the second Acquire returned %v", err)
	}
	must.Do(t, lock.Release())
	lock = must.Get(service.Acquire(dir))(t)
	must.Do(t, lock.Release())
	if _, err := service.Acquire(filepath.Join(dir, "tiered.lock", "below-a-file")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a folder that cannot be made: %v", err)
	}
}

// onBackend makes an engine use the backend of the tests.
func onBackend(t testing.TB, o engine.Options) engine.Options {
	var paths []string
	for _, w := range o.Workspaces {
		paths = append(paths, w.DBPath)
	}
	o.Server = indextest.OnServer(t, paths...)
	return o
}
