package index_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
)

const (
	sourceText  = "I prefer tabs over spaces in Go"
	derivedText = "My boat is called Frieda"
)

// captured returns the file of what was captured from a message, with a text and what its mark
// declares more.
func captured(path, text string, more memory.Declared) memory.Batch {
	b := indextest.File(path, "The mill burned in 1911", text)
	more.Source, more.SourceRef = memory.SourceAutoCapture, "s m1"
	b.Placements[1].Block.Annotations = more
	return b
}

// editedTo returns the same memory with another text.
func editedTo(text string) memory.Batch {
	b := captured("a.md", text, memory.Declared{})
	b.Placements[1].ID, b.Placements[1].Change = indextest.ID(sourceText), memory.Edited
	return b
}

// TestDerivedMemoryIsHiddenWithItsSource edits the source of what a model derived, as people edit
// their files. What names only the message is not hidden when that line is gone.
func TestDerivedMemoryIsHiddenWithItsSource(t *testing.T) {
	is, gone, past := true, []memory.ID{indextest.ID(sourceText)}, indextest.Noon.Add(-time.Hour)
	with := func(d memory.Declared) memory.Batch { return captured("a.md", sourceText, d) }
	deleted := indextest.File("a.md", "The mill burned in 1911")
	deleted.Missing = gone
	for _, tt := range []struct {
		name              string
		edit              memory.Batch
		reason, byMessage string // why what names the text, or only the message, is hidden
		trust             string
	}{
		{name: "as it was", edit: with(memory.Declared{})},
		{name: "line deleted", edit: deleted, reason: memory.ReasonMissing},
		{name: "file deleted", edit: memory.Batch{Removed: []string{"a.md"}, Missing: append(gone, indextest.ID("The mill burned in 1911"))}, reason: memory.ReasonMissing},
		{name: "another text", edit: editedTo("I prefer spaces over tabs in Go"), reason: memory.ReasonMissing},
		{name: "private", edit: with(memory.Declared{Private: &is}), reason: memory.ReasonPrivate, byMessage: memory.ReasonPrivate},
		{name: "forgotten", edit: with(memory.Declared{Forgotten: &is}), reason: memory.ReasonForgotten, byMessage: memory.ReasonForgotten},
		{name: "quarantined", edit: with(memory.Declared{Trust: memory.TrustQuarantined}), reason: memory.ReasonTrust, byMessage: memory.ReasonTrust},
		{name: "expired", edit: with(memory.Declared{Expires: past}), reason: memory.ReasonExpired, byMessage: memory.ReasonExpired},
		{name: "another scope", edit: with(memory.Declared{Scope: "work"}), reason: memory.ReasonScope, byMessage: memory.ReasonScope},
		{name: "another user", edit: with(memory.Declared{User: "lena"}), reason: memory.ReasonUser},
		{name: "archived", edit: with(memory.Declared{Tier: memory.TierArchive})},
		{name: "untrusted", edit: with(memory.Declared{Trust: memory.TrustUntrusted}), trust: "untrusted"},
		{name: "moved to another file", edit: indextest.Join(captured("b.md", sourceText, memory.Declared{}), indextest.File("a.md", "Nothing else"))},
		{name: "moved without its mark", edit: indextest.Join(indextest.File("b.md", sourceText), indextest.File("a.md", "Nothing else"))},
	} {
		for _, inMemory := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in memory %v", tt.name, inMemory), func(t *testing.T) {
				db := indextest.New(t)
				if inMemory {
					if err := db.Load(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				found := indextest.File("x.md", derivedText, derivedText+" the second", "Nothing is derived here")
				found.Placements[0].Block.Annotations.SourceRef = chunker.ModelRef("s", []string{"m1"}, []memory.Fingerprint{indextest.Fingerprint(sourceText)})
				found.Placements[1].Block.Annotations.SourceRef = chunker.ModelRef("s", []string{"m0", "m1"}, nil)
				indextest.Apply(t, db, indextest.Noon, indextest.Join(found, captured("a.md", sourceText, memory.Declared{})))
				shows(t, db, found, "", "", "")
				indextest.Apply(t, db, indextest.Noon, tt.edit)
				shows(t, db, found, tt.reason, tt.byMessage, tt.trust)
				back := captured("a.md", sourceText, memory.Declared{})
				back.Removed = []string{"b.md"}
				indextest.Apply(t, db, indextest.Noon.Add(time.Hour), back)
				shows(t, db, found, "", "", "")
			})
		}
	}
}

// shows checks which derived memories lists, searches and single reads of models, users and a
// person have, and that the memories name the reasons.
func shows(t *testing.T, db *index.DB, found memory.Batch, reason, byMessage, trust string) {
	t.Helper()
	var want []memory.ID
	for i, hidden := range []string{reason, byMessage, ""} {
		id := found.Placements[i].ID
		m, err := db.FindByPrefix(t.Context(), memory.View{}, string(id))
		if err != nil || len(m) != 1 || m[0].SourceHidden != hidden || trust != "" && i < 2 && string(m[0].Trust) != trust {
			t.Errorf("%d is hidden for %q, want %q: %+v, %v", i, m[0].SourceHidden, hidden, m, err)
		}
		if hidden == "" {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	for _, v := range []memory.View{{}, {Model: true, Now: indextest.Noon}, {Users: []string{"", "lena"}}} {
		p := memory.Predicate{View: v, Path: "x.md"}
		listed, total, err := db.List(t.Context(), p, "", 0, 0)
		if err != nil || total != len(want) {
			t.Errorf("%d memories, %v", total, err)
		}
		visible, err := db.Visible(t.Context(), []memory.ID{found.Placements[0].ID, found.Placements[1].ID, found.Placements[2].ID}, p)
		if err != nil {
			t.Error(err)
		}
		hits, err := db.Search(t.Context(), indextest.Words("boat", "derived"), p, 10, false)
		if err != nil {
			t.Error(err)
		}
		for route, got := range map[string][]memory.ID{"list": memory.IDsOf(listed), "visible": memory.IDsOf(visible), "search": idsOf(hits.ByWords(10))} {
			if !slices.Equal(sorted(got), want) {
				t.Errorf("%s for %+v: %v, want %v", route, v, got, want)
			}
		}
	}
}

// What was derived is hidden as well in an index that is built after the edit.
func TestDerivedMemoryIsHiddenInANewIndex(t *testing.T) {
	for name, files := range map[string]memory.Batch{"deleted": {}, "edited": captured("a.md", "I prefer spaces over tabs in Go", memory.Declared{})} {
		db := indextest.New(t)
		found := indextest.File("x.md", derivedText)
		found.Placements[0].Block.Annotations.SourceRef = chunker.ModelRef("", []string{"m1"}, []memory.Fingerprint{indextest.Fingerprint(sourceText)})
		indextest.Apply(t, db, indextest.Noon, indextest.Join(found, files))
		if _, n, err := db.List(t.Context(), memory.Predicate{Path: "x.md"}, "", 0, 0); n != 0 || err != nil {
			t.Errorf("%s: %d memories, %v", name, n, err)
		}
		indextest.Apply(t, db, indextest.Noon, captured("a.md", sourceText, memory.Declared{}))
		if _, n, err := db.List(t.Context(), memory.Predicate{Path: "x.md"}, "", 0, 0); n != 1 || err != nil {
			t.Errorf("%s, then written: %d memories, %v", name, n, err)
		}
	}
}

// What was derived from a derived memory is hidden with the first source, and found with it.
func TestDerivedOfDerivedFollowsTheFirstSource(t *testing.T) {
	db := indextest.New(t)
	found := indextest.File("x.md", derivedText, "One line for all boats")
	for i, source := range []string{sourceText, derivedText} {
		found.Placements[i].Block.Annotations.SourceRef = chunker.ModelRef("", nil, []memory.Fingerprint{indextest.Fingerprint(source)})
	}
	indextest.Apply(t, db, indextest.Noon, indextest.Join(found, captured("a.md", sourceText, memory.Declared{})))
	is := true
	for _, private := range []*bool{nil, &is, nil} {
		indextest.Apply(t, db, indextest.Noon, captured("a.md", sourceText, memory.Declared{Private: private}))
		if _, n, err := db.List(t.Context(), memory.Predicate{Path: "x.md"}, "", 0, 0); (n == 0) != (private != nil) || err != nil {
			t.Errorf("private %v: %d memories, %v", private != nil, n, err)
		}
	}
	all, err := db.WithDerived(t.Context(), []memory.ID{indextest.ID(sourceText)})
	if err != nil || len(all) != 3 {
		t.Errorf("with what was derived: %v, %v", all, err)
	}
}
