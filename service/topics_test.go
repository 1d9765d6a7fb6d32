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
	"github.com/memory-tiered/memory/service"
)

// TestServiceFollowsTheRuleOfTopicFiles lets a folder become a project and an agent's
// folder again. Each change must be noticed by an event: the sweep is an hour away.
func TestServiceFollowsTheRuleOfTopicFiles(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	do := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) error { return os.WriteFile(in(name), []byte(text), 0o644) }
	do(write("MEMORY.md", "- [people](people.md)\n"), write("people.md", "- the heron is Ada's friend\n"))
	e := open(t, dir)
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
	eventually(t, finds("heron", 1))
	ids, err := e.Search(ctx, memory.SearchRequest{Query: "heron", Lane: memory.LaneText})
	do(err)
	do(write("debugging.md", "- the owl breaks the build\n"))
	eventually(t, finds("owl", 1))

	do(write("package.json", "{}"))
	eventually(t, finds("heron", 0))
	do(os.Remove(in("package.json")))
	eventually(t, finds("heron", 1))
	again, err := e.Search(ctx, memory.SearchRequest{Query: "heron", Lane: memory.LaneText})
	if do(err); again.Hits[0].ID != ids.Hits[0].ID {
		t.Error("the memory has another id")
	}
	do(os.Rename(in("MEMORY.md"), in("old.txt~")))
	eventually(t, finds("owl", 0))
	do(os.Rename(in("old.txt~"), in("MEMORY.md")))
	eventually(t, finds("owl", 1))
	eventually(t, func() bool {
		status, err := e.Status(ctx)
		return err == nil && status.Workspaces[0].Watch == "events"
	})
	stop()
	do(<-stopped, e.Close())
}
