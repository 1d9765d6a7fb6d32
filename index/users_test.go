package index_test

import (
	"testing"

	"github.com/memory-tiered/memory"
)

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
		redactions, err := db.Redactions(t.Context(), tt.readable.Pushing(noon), []string{"MEMORY.md"})
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
		redactions, err := db.Redactions(t.Context(), tt.readable.Pushing(noon), []string{"MEMORY.md"})
		if err != nil || redactions.Hides("MEMORY.md", 0, block) != tt.hidden || redactions.Hides("memory/new.md", 3, block) != tt.hidden {
			t.Errorf("%s: want %v (%v)", name, tt.hidden, err)
		}
	}
}
