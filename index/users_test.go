package index_test

import (
	"fmt"
	"testing"

	"github.com/memory-tiered/memory"
)

// pushed returns the view of what is put before a prompt at noon.
func pushed(v memory.View) memory.View {
	v.Model, v.Pushed, v.Now = true, true, noon
	return v
}

func TestRedactionsHideTheMemoriesOfOtherUsersAndScopes(t *testing.T) {
	db := fresh(t)
	apply(t, db, noon, fileWithEntry("MEMORY.md", password, memory.Declared{User: "lena", Scope: "home"}))
	block := memory.Block{Text: password, Fingerprint: fingerprint(password), Heading: one(t, db, id(password)).Heading}
	for _, tt := range []struct {
		readable memory.View
		want     bool
	}{
		{memory.View{}, false}, {memory.View{Users: []string{"", "lena"}}, false}, {memory.View{Users: []string{""}}, true},
		{memory.View{Users: []string{"", "ben"}}, true}, {memory.View{Scope: "home"}, false}, {memory.View{Scope: "work"}, true},
	} {
		redactions, err := db.Redactions(t.Context(), pushed(tt.readable), []string{"MEMORY.md"})
		if err != nil || redactions.Hides("MEMORY.md", 0, block) != tt.want || redactions.Hides("memory/new.md", 3, block) != tt.want {
			t.Errorf("%+v: want %v (%v)", tt.readable, tt.want, err)
		}
	}
}

func TestRedactionsShowWhatHoldsForTheReader(t *testing.T) {
	const older, newer = "the vault is on floor 3 of the old mill", "the vault is on floor 4 of the old mill"
	for name, tt := range map[string]struct {
		successor memory.Declared
		readable  memory.View
		hidden    bool
	}{
		"a successor":      {hidden: true},
		"a forgotten one":  {successor: memory.Declared{Forgotten: yes()}},
		"a private one":    {successor: memory.Declared{Private: yes()}},
		"one of a scope":   {successor: memory.Declared{Scope: "work"}, readable: memory.View{Scope: "home"}},
		"one of the scope": {successor: memory.Declared{Scope: "work"}, readable: memory.View{Scope: "work"}, hidden: true},
		"one of a user":    {successor: memory.Declared{User: "lena"}, readable: memory.View{Users: []string{"", "ben"}}},
	} {
		db := fresh(t)
		b := file("MEMORY.md", older, newer)
		b.Placements[0].Block.Annotations.SupersededBy, b.Placements[1].Block.Annotations = id(newer), tt.successor
		apply(t, db, noon, b)
		block := memory.Block{Text: older, Fingerprint: fingerprint(older), Heading: one(t, db, id(older)).Heading}
		redactions, err := db.Redactions(t.Context(), pushed(tt.readable), []string{"MEMORY.md"})
		if err != nil || redactions.Hides("MEMORY.md", 0, block) != tt.hidden || redactions.Hides("memory/new.md", 3, block) != tt.hidden {
			t.Errorf("%s: want %v (%v)", name, tt.hidden, err)
		}
	}
}

// TestAPrefixIsLookedUpAmongTheMemoriesOfTheView has more memories of another user than an
// ambiguous prefix lists.
func TestAPrefixIsLookedUpAmongTheMemoriesOfTheView(t *testing.T) {
	db := fresh(t)
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("the locker %d of the pier is free", i))
	}
	b := file("MEMORY.md", texts...)
	for i := range b.Placements[1:] {
		b.Placements[i+1].Block.Annotations.User = "lena"
	}
	apply(t, db, noon, b)
	found, err := db.FindByPrefix(t.Context(), memory.View{Users: []string{"", "ben"}}, "")
	if err != nil || len(found) != 1 || found[0].Text != texts[0] {
		t.Errorf("found %d: %v", len(found), err)
	}
}
