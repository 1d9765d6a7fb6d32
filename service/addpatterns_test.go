package service_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/service"
)

// TestServiceWatchesTheFilesOfAddedPatterns adds a pattern to a workspace that the
// service watches. New files of the pattern must be found without a restart.
func TestServiceWatchesTheFilesOfAddedPatterns(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	save := func(name, text string) {
		t.Helper()
		full := filepath.Join(dir, name)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full+"~", []byte(text), 0o644), os.Rename(full+"~", full)))
	}
	save("MEMORY.md", "- milk and eggs\n")
	save("projects/x/heron.md", "- the heron lives by the pond\n")
	r := registry{state}
	config, _, _ := r.Add("notes", dir, "", nil)
	embedder := static.New()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{Workspaces: []engine.WorkspaceConfig{config}, Registry: r, Embedder: embedder, Recall: recall.Defaults(), AutoRecall: true})))(t)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- service.Run(ctx, e, service.Options{Log: slog.New(slog.DiscardHandler), SweepInterval: time.Hour})
	}()
	finds := func(word string, want int) func() bool {
		return func() bool {
			answer, err := e.Search(ctx, memory.SearchRequest{Query: word, Lane: memory.LaneText})
			return err == nil && len(answer.Hits) == want
		}
	}
	eventually(t, finds("milk", 1))
	info, err := e.AddWorkspace(ctx, memory.WorkspaceRequest{Path: dir})
	if err != nil || len(info.Added) != 0 || *info.Coverage != (memory.Coverage{Files: 1, NotCovered: 1, Example: "projects/x/heron.md"}) {
		t.Errorf("without patterns: %+v, %+v, %v", info, info.Coverage, err)
	}
	if !finds("heron", 0)() {
		t.Error("a file that no pattern matches is indexed")
	}

	info, err = e.AddWorkspace(ctx, memory.WorkspaceRequest{Path: dir, All: true})
	if err != nil || len(info.Added) != 1 || len(info.Globs) != 1 || *info.Coverage != (memory.Coverage{Files: 2}) {
		t.Errorf("with all: %+v, %+v, %v", info, info.Coverage, err)
	}
	if !finds("heron", 1)() {
		t.Error("the new file is not indexed when the answer comes")
	}
	eventually(t, func() bool { // the new watcher runs
		status, err := e.Status(ctx)
		return err == nil && status.Workspaces[0].Watch == "events" && status.Workspaces[0].Fresh
	})
	save("projects/y/kestrel.md", "- the kestrel hovers over the road\n")
	eventually(t, finds("kestrel", 1))
	stop()
	if err := errors.Join(<-stopped, e.Close()); err != nil {
		t.Error(err)
	}
}
