package index_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// pastPlaces returns the past places of a memory.
func pastPlaces(t *testing.T, query func() ([]identity.KnownMemory, error), of memory.ID) []identity.PastPlace {
	t.Helper()
	known, err := query()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		if k.ID == of {
			return k.PastPlaces
		}
	}
	t.Fatalf("memory %s is not known", of)
	return nil
}

func TestMovesReturnsAndTakeOversLeaveAPastPlace(t *testing.T) {
	const text = "The ferry leaves at nine"
	db := fresh(t)
	known := func() ([]identity.KnownMemory, error) {
		return db.Known(t.Context(), identity.KnownQuery{Fingerprints: []memory.Fingerprint{fingerprint(text)}})
	}
	in := func(path string) memory.Batch { return file(path, text) }
	apply(t, db, noon, in("a.md"))
	apply(t, db, noon, in("a.md"))
	if got := pastPlaces(t, known, id(text)); len(got) != 0 {
		t.Errorf("a memory that never moved has past places: %+v", got)
	}
	moved := in("b.md")
	moved.Removed = []string{"a.md"}
	apply(t, db, noon.Add(time.Hour), moved)
	want := identity.PastPlace{Path: "a.md", Fingerprint: fingerprint(text), LeftAt: noon.Add(time.Hour)}
	if got := pastPlaces(t, known, id(text)); len(got) != 1 || !got[0].LeftAt.Equal(want.LeftAt) || got[0].Path != want.Path || got[0].Fingerprint != want.Fingerprint {
		t.Errorf("moved: %+v, want %+v", got, want)
	}
	apply(t, db, noon.Add(2*time.Hour), memory.Batch{Removed: []string{"b.md"}, Missing: []memory.ID{id(text)}})
	apply(t, db, noon.Add(3*time.Hour), in("c.md"))
	if got := pastPlaces(t, known, id(text)); len(got) != 2 || got[1].Path != "b.md" {
		t.Errorf("returned in another file: %+v", got)
	}
	younger := in("d.md")
	younger.Placements[0].ID = id("a copy")
	apply(t, db, noon.Add(4*time.Hour), younger)
	apply(t, db, noon.Add(5*time.Hour), memory.Batch{Removed: []string{"c.md"}, TakeOvers: []memory.TakeOver{{Elder: id(text), Younger: id("a copy")}}})
	if got := pastPlaces(t, known, id(text)); len(got) != 3 || got[2].Path != "c.md" {
		t.Errorf("took over a copy: %+v", got)
	}
}
