package service_test

import (
	"context"
	"errors"
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

// TestServiceFollowsLinksAsTheyChange edits, replaces, removes and makes the targets
// of links. Each change must be noticed by an event: the sweep is an hour away.
func TestServiceFollowsLinksAsTheyChange(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		full := filepath.Join(dir, name)
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full+".new", []byte(text), 0o644), os.Rename(full+".new", full)))
	}
	do := func(errs ...error) {
		t.Helper()
		must.Do(t, errors.Join(errs...))
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	write("notes/n.md", "- the heron lives by the pond\n")
	write("team/deep/plan.md", "- the owl hunts at dusk\n")
	do(os.Mkdir(in("memory"), 0o755), os.Symlink("../notes/n.md", in("memory/n.md")), os.Symlink("../team/deep", in("memory/team")))

	e := open(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- service.Run(ctx, e, service.Options{Log: slog.New(slog.DiscardHandler), SweepInterval: time.Hour})
	}()
	finds := func(query, text string) func() bool {
		return func() bool {
			answer, err := e.Search(ctx, memory.SearchRequest{Query: query, Lane: memory.LaneText})
			found := err == nil && len(answer.Hits) == 1 && strings.Contains(answer.Hits[0].Text, text)
			return found || err == nil && text == "" && len(answer.Hits) == 0
		}
	}
	faults := func(want ...string) func() bool {
		return func() bool {
			status, err := e.Status(ctx)
			var got []string
			for _, f := range status.Workspaces[0].Faults {
				got = append(got, f.Path)
			}
			return err == nil && strings.Join(got, " ") == strings.Join(want, " ") && status.Workspaces[0].Watch == "events"
		}
	}
	eventually(t, finds("heron", "pond"))
	eventually(t, finds("owl", "dusk"))

	write("notes/n.md", "- the heron moved to the river\n") // as editors save
	eventually(t, finds("heron", "river"))
	write("team/deep/plan.md", "- the owl hunts at dawn\n")
	eventually(t, finds("owl", "dawn"))

	do(os.Rename(in("notes"), in("gone")), os.Rename(in("team/deep"), in("team/away")))
	eventually(t, finds("heron", ""))
	eventually(t, finds("owl", ""))
	eventually(t, faults("memory/n.md", "memory/team"))

	do(os.Rename(in("gone"), in("notes")), os.Rename(in("team/away"), in("team/deep")))
	eventually(t, finds("heron", "river"))
	eventually(t, finds("owl", "dawn"))
	eventually(t, faults())

	do(os.Symlink("/etc", in("memory/etc")), os.Symlink("/etc/hosts", in("memory/hosts.md")), os.Symlink("self.md", in("memory/self.md")))
	eventually(t, faults("memory/etc", "memory/hosts.md", "memory/self.md"))
	do(os.Remove(in("memory/etc")), os.Remove(in("memory/hosts.md")), os.Remove(in("memory/self.md")))
	eventually(t, faults())

	stop()
	do(<-stopped, e.Close())
}
