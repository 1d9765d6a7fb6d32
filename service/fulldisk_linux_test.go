package service_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
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

// The watcher reports a change once. The service indexes it when the disk has room again.
func TestChangeOnAFullDiskIsIndexedOnceThereIsRoom(t *testing.T) {
	dir, disk := t.TempDir(), t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a file system here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", disk).Run() })
	embedder := static.New()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: filepath.Join(disk, "tiered.db"), Zone: time.UTC}},
		Embedder:   embedder, Recall: recall.Defaults(), AutoRecall: true,
	})))(t)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- service.Run(ctx, e, service.Options{Log: slog.New(slog.DiscardHandler), SweepInterval: time.Hour, UpkeepInterval: 10 * time.Millisecond})
	}()
	status := func() (w memory.WorkspaceStatus) {
		s := must.Get(e.Status(ctx))(t)
		return s.Workspaces[0]
	}
	eventually(t, func() bool { return status().Fresh && status().Watch == "events" })

	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 16<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- the heron lives by the pond\n"), 0o644))
	eventually(t, func() bool { return status().Error != "" })
	must.Do(t, os.Remove(filler))
	eventually(t, func() bool {
		answer, err := e.Search(ctx, memory.SearchRequest{Query: "heron"})
		return err == nil && len(answer.Hits) == 1 && status().Error == ""
	})
	stop()
	if err := errors.Join(<-stopped, e.Close()); err != nil {
		t.Error(err)
	}
}
