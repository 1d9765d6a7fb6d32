package index_test

import (
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// withEntry adds an entry about a placement to the first file of a batch.
func withEntry(b memory.Batch, of int, d memory.Declared) memory.Batch {
	b.Files[0].Entries = append(b.Files[0].Entries, memory.Entry{Quote: "q", Declared: d, Line: 3, MatchedID: b.Placements[of].ID})
	return b
}

func TestMoreSpecificDeclarationWins(t *testing.T) {
	db := fresh(t)
	b := file("a.md", "fact")
	at := b.Placements[0].ID
	scope := func() memory.Scope { return one(t, db, at).Scope }
	steps := []struct {
		name string
		do   func()
		want memory.Scope
	}{
		{"default", func() { b.Files[0].Defaults.Scope = "default" }, "default"},
		{"file", func() { b.Files[0].Declared.Scope = "file" }, "file"},
		{"sidecar", func() {
			in := index.Intent{Items: []index.IntentItem{{ID: at, After: memory.Declared{Scope: "sidecar"}}}}
			update(t, db, noon, func(tx *index.Tx) error { return tx.FinishIntent(in, map[memory.ID]bool{at: true}) })
		}, "sidecar"},
		{"annotation", func() { b.Placements[0].Block.Annotations.Scope = "annotation" }, "annotation"},
		{"entry", func() { b = withEntry(b, 0, memory.Declared{Scope: "entry"}) }, "entry"},
	}
	apply(t, db, noon, b)
	for _, s := range steps {
		s.do()
		apply(t, db, noon, b)
		if got := scope(); got != s.want {
			t.Errorf("with a scope in the %s: %q", s.name, got)
		}
	}
}

func TestEntryAppliesWhereverTheMemoryIs(t *testing.T) {
	db := fresh(t)
	a := withEntry(file("a.md", "fact", "other"), 0, memory.Declared{Pinned: yes()})
	apply(t, db, noon, a)
	at := a.Placements[0].ID
	pinned := func(want bool, when string) {
		t.Helper()
		if one(t, db, at).Pinned != want {
			t.Errorf("%s: pinned is %v", when, !want)
		}
	}
	pinned(true, "with an entry")

	moved := file("b.md", "fact")
	rest := file("a.md", "other")
	rest.Files[0].Entries = a.Files[0].Entries
	apply(t, db, noon, memory.Batch{Files: append(moved.Files, rest.Files...), Placements: append(moved.Placements, rest.Placements...)})
	pinned(true, "moved away from its entry")

	apply(t, db, noon, memory.Batch{Removed: []string{"a.md"}, Missing: []memory.ID{id("other")}})
	pinned(true, "after the file with the entry was deleted")

	apply(t, db, noon, withEntry(file("b.md", "fact"), 0, memory.Declared{Tier: memory.TierCold}))
	pinned(false, "after an entry without a pin")

	apply(t, db, noon, withEntry(file("b.md", "fact"), 0, memory.Declared{Pinned: yes()}))
	apply(t, db, noon, file("b.md", "fact"))
	pinned(false, "after the entry was removed from the memory's own file")
}

func TestRematchedEntryAppliesToTheOtherMemory(t *testing.T) {
	db := fresh(t)
	b := withEntry(file("a.md", "first", "second"), 0, memory.Declared{Pinned: yes()})
	apply(t, db, noon, b)
	b.Files[0].Entries[0].MatchedID = b.Placements[1].ID
	apply(t, db, noon, memory.Batch{Rematched: b.Files})
	if one(t, db, id("first")).Pinned || !one(t, db, id("second")).Pinned {
		t.Error("the pin did not follow the entry")
	}
}

func TestForgettingWinsOverAContradictingEntry(t *testing.T) {
	db := fresh(t)
	a := withEntry(file("a.md", "fact"), 0, memory.Declared{Forgotten: no()})
	apply(t, db, noon, a)
	b := file("b.md")
	b.Files[0].Entries = []memory.Entry{{Declared: memory.Declared{Forgotten: yes()}, MatchedID: a.Placements[0].ID}}
	apply(t, db, noon, b)
	if !one(t, db, a.Placements[0].ID).Forgotten {
		t.Error("not forgotten")
	}
}

func TestCopyOfAForgottenTextIsForgotten(t *testing.T) {
	db := fresh(t)
	long, short := "The staging password is swordfish and rotates monthly", "port 5432"
	b := file("a.md", long, short)
	b.Placements[1].Block.Heading = []string{"Staging"}
	apply(t, db, noon, b)
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(long), id(short)) })

	copies := file("b.md", long, short, "a third thing")
	copies.Placements[0].ID, copies.Placements[1].ID = memory.NewID(fingerprint(long), 1), memory.NewID(fingerprint(short), 1)
	copies.Placements[1].Block.Heading = []string{"Production"}
	apply(t, db, noon, copies)
	for _, c := range []struct {
		id   memory.ID
		want bool
	}{{b.Placements[0].ID, true}, {b.Placements[1].ID, true}, {copies.Placements[0].ID, true}, {copies.Placements[1].ID, false}, {copies.Placements[2].ID, false}} {
		if m := one(t, db, c.id); m.Forgotten != c.want {
			t.Errorf("%q under %q: forgotten is %v", m.Text, m.Heading, m.Forgotten)
		}
	}
	if got := search(t, db, query("swordfish"), memory.Predicate{}); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	if got := search(t, db, query("swordfish"), memory.Predicate{Forgotten: memory.Only}); len(got) != 2 {
		t.Errorf("with Forgotten: Only, found %q", got)
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.RestoreText(id(long)) })
	if got := search(t, db, query("swordfish"), memory.Predicate{}); len(got) != 2 {
		t.Errorf("after RestoreText, found %q", got)
	}
}

func TestEntryRestoresOneCopyOfAForgottenText(t *testing.T) {
	db := fresh(t)
	text := "one of the texts that was forgotten everywhere"
	b := file("a.md", text)
	apply(t, db, noon, b)
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(text)) })
	apply(t, db, noon, withEntry(b, 0, memory.Declared{Forgotten: no()}))
	if one(t, db, id(text)).Forgotten {
		t.Error("still forgotten")
	}
}

func TestLaterTierWinsDeclaredOrObserved(t *testing.T) {
	db := fresh(t)
	b := file("a.md", "fact")
	b.Files[0].Declared.Tier = memory.TierHot
	apply(t, db, noon, b)
	at := b.Placements[0].ID
	tier := func(want memory.Tier, when string) {
		t.Helper()
		if m := one(t, db, at); m.Tier != want {
			t.Errorf("%s: %s (%s)", when, m.Tier, m.TierReason)
		}
	}
	tier(memory.TierHot, "declared")
	limits := decay.DefaultThresholds()
	limits.HotAge = time.Minute
	update(t, db, noon.Add(time.Hour), func(tx *index.Tx) error {
		_, err := tx.Move([]memory.ID{at}, limits, time.UTC)
		return err
	})
	tier(memory.TierCold, "aged")
	apply(t, db, noon.Add(2*time.Hour), b)
	tier(memory.TierCold, "applied again")
	b.Files[0].Declared.Tier = memory.TierWarm
	apply(t, db, noon.Add(3*time.Hour), b)
	tier(memory.TierWarm, "declared again")
}

// TestPrivateFalseLiftsOnlyItsOwnFile checks that no file makes another file's
// private memory public.
func TestPrivateFalseLiftsOnlyItsOwnFile(t *testing.T) {
	no := func() *bool { return new(bool) }
	tests := []struct {
		name                          string
		file, annotation, own, remote *bool // declared by the memory's file, its annotation, its entry, an entry in b.md
		decisions                     *bool // an entry in the decisions file that names the memory's file
		want                          bool
	}{
		{name: "entry of another file lifts nothing", file: yes(), remote: no(), want: true},
		{name: "nor an annotation", annotation: yes(), remote: no(), want: true},
		{name: "nor an entry", own: yes(), remote: no(), want: true},
		{name: "own entry lifts nothing elsewhere", own: no(), remote: yes(), want: true},
		{name: "own annotation lifts nothing elsewhere", annotation: no(), remote: yes(), want: true},
		{name: "own file lifts nothing elsewhere", file: no(), remote: yes(), want: true},
		{name: "own entry lifts the own file", file: yes(), own: no()},
		{name: "own annotation lifts the own file", file: yes(), annotation: no()},
		{name: "a line of the decisions file lifts", file: yes(), decisions: no()},
		{name: "public everywhere", file: no(), remote: no()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			db := fresh(t)
			a, b, c := file("a.md", "fact"), file("b.md", "other"), file(memory.DecisionsFile)
			a.Files[0].Declared.Private, a.Placements[0].Block.Annotations.Private = tt.file, tt.annotation
			for _, e := range []struct {
				to      *memory.FileState
				path    string
				private *bool
			}{{&a.Files[0], "", tt.own}, {&b.Files[0], "", tt.remote}, {&c.Files[0], "a.md", tt.decisions}} {
				if e.private != nil {
					e.to.Entries = []memory.Entry{{Quote: "q", Path: e.path, Declared: memory.Declared{Private: e.private}, Line: 3, MatchedID: a.Placements[0].ID}}
				}
			}
			apply(t, db, noon, memory.Batch{Files: slices.Concat(a.Files, b.Files, c.Files), Placements: slices.Concat(a.Placements, b.Placements)})
			if got := one(t, db, a.Placements[0].ID).Private; got != tt.want {
				t.Errorf("private is %v", got)
			}
			declarations, err := db.Declarations(t.Context(), []memory.ID{a.Placements[0].ID})
			if err != nil || len(declarations) != 1 {
				t.Fatal(err)
			}
			if p := declarations[0].Own.Private; tt.want && p != nil && !*p {
				t.Error("a decision would copy private: false into the memory's own file")
			}
		})
	}
}
