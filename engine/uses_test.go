package engine_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// use delivers a search of one memory, as a session.
func (w *world) use(session, query string) {
	w.t.Helper()
	answer, err := w.Search(w.t.Context(), memory.SearchRequest{Query: query, Limit: new(1), Record: true, Session: session})
	if err != nil || len(answer.Hits) != 1 {
		w.t.Fatalf("search %q: %+v, %v", query, answer.Hits, err)
	}
	must.Do(w.t, w.Delivered(w.t.Context(), "", answer.Receipt))
}

// best returns the memory that a query finds first.
func (w *world) best(query string) memory.Memory {
	w.t.Helper()
	answer, err := w.Search(w.t.Context(), memory.SearchRequest{Query: query})
	if err != nil || len(answer.Hits) == 0 {
		w.t.Fatalf("search %q: %+v, %v", query, answer.Hits, err)
	}
	return answer.Hits[0].Memory
}

func TestUseDaysAreThoseOfTheWorkspacesZone(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	w.use("a", "heron") // at 23:30 UTC, which is the next morning in Tokyo
	pending := w.best("heron")
	must.Do(t, w.FlushUses(t.Context()))
	for _, m := range []memory.Memory{pending, w.best("heron")} {
		if want := []string{"2026-11-21"}; !reflect.DeepEqual([]string(m.UseDays), want) {
			t.Errorf("used on %v, want %v", m.UseDays, want)
		}
	}
}

func TestCallersWithoutASessionCountOnceADay(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	for range 2 {
		w.use("", "heron")
		w.use("", "heron")
		if n := w.best("heron").UseCount; n != 1 {
			t.Errorf("%d uses, want 1", n)
		}
		must.Do(t, w.FlushUses(t.Context()))
	}
}

// A use that was shown stays, even if the same session uses the memory again after
// the use was written.
func TestShownUsesStay(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- the heron stands in the pond\n"})
	for range 3 {
		w.use("a", "heron")
		if n := w.best("heron").UseCount; n != 1 {
			t.Errorf("%d uses, want 1", n)
		}
		must.Do(t, w.FlushUses(t.Context()))
	}
}

// One of two equal texts is renamed and edited. Its memory takes over the other copy,
// with that copy's uses, whether they have been written or not.
func TestATakenOverMemoryKeepsItsUses(t *testing.T) {
	for name, written := range map[string]bool{"written": true, "pending": false} {
		t.Run(name, func(t *testing.T) {
			d := newDamageable(t, map[string]string{"memory/a.md": "- the heron stands in the pond\n"})
			defer d.closeNow()
			d.step = time.Second
			elder := d.best("heron").ID
			d.write("memory/b.md", "- the heron stands in the pond\n")
			d.index()
			answer, err := d.Search(t.Context(), memory.SearchRequest{Query: "heron", Filter: memory.Filter{Path: "memory/b.md"}, Record: true, Session: "s"})
			if err != nil || len(answer.Hits) != 1 {
				t.Fatalf("%+v, %v", answer.Hits, err)
			}
			must.Do(t, d.Delivered(t.Context(), "", answer.Receipt))
			if written {
				must.Do(t, d.FlushUses(t.Context()))
			}
			d.write("memory/a.md", "- seven owls hunt over fields at night, far from water\n")
			d.index()
			m := d.best("heron pond")
			if m.ID != elder || m.UseCount != 1 {
				t.Errorf("%s has %d uses, want %s with 1", m.ID, m.UseCount, elder)
			}
			must.Do(t, d.FlushUses(t.Context()))
			if n := d.best("heron pond").UseCount; n != 1 {
				t.Errorf("%d uses after they were written, want 1", n)
			}
		})
	}
}
