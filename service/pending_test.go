package service_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/service"
)

// A change of a file's mode is no event that the watcher reports. Upkeep writes the
// decision.
func TestServiceWritesADecisionOnceItsFileCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "MEMORY.md")
	must.Do(t, os.WriteFile(file, []byte("- the heron lives by the pond\n"), 0o444))
	e := open(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- service.Run(ctx, e, service.Options{Log: slog.New(slog.DiscardHandler), SweepInterval: time.Hour, UpkeepInterval: 10 * time.Millisecond})
	}()
	eventually(t, func() bool {
		a, err := e.Decide(ctx, memory.DecideRequest{Action: memory.ActionForget, Filter: &memory.Filter{Path: "MEMORY.md"}})
		return err == nil && len(a.Changed) == 1 && len(a.Notices) == 1
	})
	must.Do(t, os.Chmod(file, 0o644))
	eventually(t, func() bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "forgotten: ")
	})
	stop()
	if err := <-stopped; err != nil {
		t.Errorf("Run returned %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
