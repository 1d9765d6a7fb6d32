package index_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
)

func yes() *bool { b := true; return &b }

func no() *bool { b := false; return &b }

func TestAppliedMemoriesAreFoundAndDisplayed(t *testing.T) {
	db := fresh(t)
	b := file("memory/2026-11-20-deploy.md", "Rotate the staging password on Mondays")
	p := &b.Placements[0]
	p.Block.Heading = []string{"Deploy", "Staging"}
	p.Block.Triggers = []string{"credentials"}
	p.NoteDate = time.Date(2026, 11, 20, 0, 0, 0, 0, time.FixedZone("", 3600))
	p.DetectedType, p.DetectedCategory, p.Lang = memory.TypeEpisodic, memory.CategoryTask, "en"
	p.Block.Annotations.Tags = []string{"ops"}
	apply(t, db, noon, b)

	for _, word := range []string{"rotating", "mondays", "deploy", "november", "2026", "credential", "ops"} {
		if got := search(t, db, query(word), memory.Predicate{}); len(got) != 1 {
			t.Errorf("%q finds %q", word, got)
		}
	}
	got := one(t, db, p.ID)
	want := memory.Memory{ID: p.ID, Text: p.Block.Text, Tier: memory.TierWarm, Type: memory.TypeEpisodic,
		Category: memory.CategoryTask, Importance: 0.7, ImportanceLabel: memory.ImportanceUnknown, Trust: memory.TrustTrusted,
		Source: memory.SourceFile, SourceKind: "operator", Lang: "en", Tags: memory.List[string]{"ops"}, Path: p.Path,
		LineStart: 1, LineEnd: 1, Heading: memory.List[string]{"Deploy", "Staging"},
		CreatedAt: time.Date(2026, 11, 19, 23, 0, 0, 0, time.UTC), TierReason: "no tier is declared: WARM", Fingerprint: p.Block.Fingerprint}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

func TestEditKeepsTheMemoryAndReplacesItsWords(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("MEMORY.md", "The port is 5432"))
	edited := file("MEMORY.md", "The port is 6432")
	edited.Placements[0].ID = id("The port is 5432")
	later := noon.Add(time.Hour)
	apply(t, db, later, edited)

	m := one(t, db, id("The port is 5432"))
	if m.Text != "The port is 6432" || m.EditedAt == nil || !m.EditedAt.Equal(later) {
		t.Errorf("after the edit: %+v", m)
	}
	if got := search(t, db, query("5432"), memory.Predicate{}); len(got) != 0 {
		t.Errorf("the old text is found: %q", got)
	}
	if got := search(t, db, query("6432"), memory.Predicate{}); len(got) != 1 {
		t.Error("the new text is not found")
	}
	known, err := db.Known(t.Context(), identity.KnownQuery{Fingerprints: []memory.Fingerprint{fingerprint("The port is 5432")}})
	if err != nil || len(known) != 1 || len(known[0].PastFingerprints) != 2 || !known[0].OutsideBatch {
		t.Errorf("Known with the former text: %+v, %v", known, err)
	}
}

func TestMissingMemoryIsNotFoundUntilItsTextReturns(t *testing.T) {
	db := fresh(t)
	embedAll(t, db)
	b := file("memory/a.md", "Zebras graze at dawn")
	b.Files[0].Declared = memory.Declared{Tier: memory.TierCold, Scope: "zoo"}
	apply(t, db, noon, b)
	if err := embedPending(t, db); err != nil {
		t.Fatal(err)
	}
	before := one(t, db, id("Zebras graze at dawn"))

	removed := noon.Add(time.Hour)
	apply(t, db, removed, memory.Batch{Removed: []string{"memory/a.md"}, Missing: []memory.ID{before.ID}})
	if got := search(t, db, query("zebras"), memory.Predicate{}); len(got) != 0 {
		t.Errorf("words find %q", got)
	}
	if got := nearest(t, db, "Zebras graze at dawn", memory.Predicate{}); len(got) != 0 {
		t.Errorf("vectors find %q", got)
	}
	missing := one(t, db, before.ID)
	want := before
	want.Missing = true
	if !reflect.DeepEqual(missing, want) {
		t.Errorf("while missing\n got %+v\nwant %+v", missing, want)
	}
	page, total, err := db.List(t.Context(), memory.Predicate{Missing: memory.Only}, "", 0, 0)
	if err != nil || total != 1 || len(page) != 1 {
		t.Errorf("missing memories: %d of %d, %v", len(page), total, err)
	}

	apply(t, db, removed.Add(time.Hour), b)
	if after := one(t, db, before.ID); !reflect.DeepEqual(after, before) {
		t.Errorf("after its return\n got %+v\nwant %+v", after, before)
	}
	if got := nearest(t, db, "Zebras graze at dawn", memory.Predicate{}); len(got) != 1 {
		t.Error("its cached vector is not searched again")
	}
}

func TestMoveChangesOnlyThePlace(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("a.md", "one thing", "another thing"))
	moved := file("b.md", "one thing")
	rest := file("a.md", "another thing")
	moved.Files, moved.Placements = append(moved.Files, rest.Files...), append(moved.Placements, rest.Placements...)
	apply(t, db, noon.Add(time.Hour), moved)
	m := one(t, db, id("one thing"))
	if m.Path != "b.md" || m.Missing || m.EditedAt != nil || !m.CreatedAt.Equal(noon.Add(-time.Hour)) {
		t.Errorf("%+v", m)
	}
}

func TestOlderMemoryTakesOverTheYoungersPlace(t *testing.T) {
	elder, younger := memory.NewID(fingerprint("kept text"), 0), memory.NewID(fingerprint("kept text"), 1)
	for _, name := range []string{"not placed", "placed"} {
		t.Run(name, func(t *testing.T) {
			db := fresh(t)
			apply(t, db, noon, file("a.md", "kept text", "other"))
			second := file("b.md", "kept text")
			second.Placements[0].ID = younger
			apply(t, db, noon.Add(time.Second), second)
			b := file("a.md", "other")
			b.TakeOvers = []memory.TakeOver{{Elder: elder, Younger: younger}}
			if name == "placed" {
				c := file("b.md", "kept text")
				b.Files, b.Placements = append(b.Files, c.Files...), append(b.Placements, c.Placements...)
			}
			for range 2 { // the second time has no effect
				apply(t, db, noon.Add(2*time.Second), b)
				if m := one(t, db, elder); m.Missing || m.Path != "b.md" {
					t.Errorf("the older memory: %+v", m)
				}
				if found, _ := db.FindByPrefix(t.Context(), memory.View{}, string(younger)); len(found) != 0 {
					t.Errorf("the younger memory still exists: %+v", found)
				}
				if got := search(t, db, query("kept"), memory.Predicate{}); len(got) != 1 {
					t.Errorf("found %q", got)
				}
			}
		})
	}
}

func TestBatchWithTwoPlacesForOneMemoryIsRefused(t *testing.T) {
	db := fresh(t)
	b := file("a.md", "same", "same")
	if err := db.Apply(t.Context(), noon, b); err == nil {
		t.Fatal("accepted")
	}
	if files, err := db.Files(t.Context()); err != nil || len(files) != 0 {
		t.Errorf("part of the batch was written: %v, %v", files, err)
	}
}

func TestFilesReturnsWhatApplyWrote(t *testing.T) {
	db := fresh(t)
	importance := 0.9
	b := file("b.md", "text")
	b.Files[0].ModTime = time.Unix(1700000000, 123456789).UTC()
	b.Files[0].Declared = memory.Declared{Tier: memory.TierCold, Importance: &importance, Tags: []string{"x"},
		Since: noon, SinceDay: true}
	b.Files[0].Defaults = memory.Declared{Tier: memory.TierHot, Scope: "work"}
	b.Files[0].Faults = []memory.Fault{{Path: "b.md", Line: 3, Message: "odd"}}
	b.Files[0].Entries = []memory.Entry{
		{IDPrefix: "3f8a91c2b7d0", Quote: "text", Declared: memory.Declared{Pinned: yes()}, Line: 4, MatchedID: b.Placements[0].ID},
		{Quote: "nothing like it", Declared: memory.Declared{Forgotten: yes(), ForgottenAt: noon}, Line: 5, Path: "other.md"},
	}
	a := file("a.md")
	apply(t, db, noon, b)
	apply(t, db, noon, a)
	got, err := db.Files(t.Context())
	if want := append(a.Files, b.Files...); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v, %v", got, want, err)
	}

	touched := b.Files[0]
	touched.Stamp = "2"
	apply(t, db, noon, memory.Batch{Touched: []memory.FileState{touched}})
	got, err = db.Files(t.Context())
	if err != nil || !reflect.DeepEqual(got[1], touched) {
		t.Errorf("touched: %+v, %v", got[1], err)
	}
}

func TestFailedTransactionsChangeNothing(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, file("a.md", "before"))
	b := file("b.md", "after")
	b.Files[0].Declared.Created = time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC) // a year that JSON cannot represent
	if err := db.Apply(t.Context(), noon, b); err == nil {
		t.Fatal("accepted")
	}
	if got := search(t, db, query("before", "after"), memory.Predicate{}); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	err := db.Update(t.Context(), noon, func(tx *index.Tx) error {
		if err := tx.Apply(file("b.md", "after")); err != nil {
			return err
		}
		return memory.Conflict("changed my mind")
	})
	if err == nil {
		t.Fatal("no error")
	}
	if got := search(t, db, query("after"), memory.Predicate{}); len(got) != 0 {
		t.Errorf("found %q", got)
	}
}
