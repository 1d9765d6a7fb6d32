package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// Dates in front matter are dates of the workspace's zone. They stay as they are
// when the zone changes, wherever the decision was kept meanwhile.
func TestDatesOfDecisionsStayWhenTheTimeZoneChanges(t *testing.T) {
	const byHand = "---\nmemories:\n  - {id: \"000000000000\", quote: \"The owl in the barn hunts at dusk\", expires: 2027-01-31}\n---\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n", "memory/a.md": byHand + "- " + owl + "\n",
		"memory/locked.md": "- " + vault + "\n"})
	reopen := func(zone string) {
		t.Helper()
		var err error
		if w.zone, err = time.LoadLocation(zone); err != nil {
			t.Fatal(err)
		}
		must.Do(t, w.Close())
		w.open()
	}
	chmod := func(mode os.FileMode) {
		must.Do(t, os.Chmod(filepath.Join(w.dir, "memory/locked.md"), mode))
	}
	reopen("Asia/Tokyo") // the 21st, where UTC has the 20th
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	w.decide(decideRequest(memory.ActionPromote, w.idOf(heron)))
	w.decide(decideRequest(memory.ActionPin, w.idOf(owl)))
	chmod(0o444)
	w.decide(decideRequest(memory.ActionForget, w.idOf(vault)))
	chmod(0o644)
	reopen("America/Los_Angeles")
	for _, text := range []string{heron, owl, vault} {
		w.decide(decideRequest(memory.ActionUnpin, w.idOf(text)))
		w.decide(decideRequest(memory.ActionPin, w.idOf(text)))
	}
	for path, wants := range map[string][]string{
		"MEMORY.md":        {"forgotten: 2026-11-21", "since: 2026-11-21"},
		"memory/a.md":      {"expires: 2027-01-31"},
		"memory/locked.md": {"forgotten: 2026-11-21"},
	} {
		for _, want := range wants {
			if got := w.read(path); !strings.Contains(got, want) || !strings.Contains(got, "pinned") {
				t.Errorf("%s has no %q:\n%s", path, want, got)
			}
		}
	}
	m := w.find(owl)
	if want := time.Date(2027, 1, 31, 0, 0, 0, 0, w.zone); m.ExpiresAt == nil || !m.ExpiresAt.Equal(want) {
		t.Errorf("it expires at %v, want %v", m.ExpiresAt, want)
	}
}
