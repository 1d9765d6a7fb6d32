package index_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// TestSpeakersAreThoseOfTheReader asks for the speakers from the tables, then from the
// index in memory.
func TestSpeakersAreThoseOfTheReader(t *testing.T) {
	db := fresh(t)
	texts := []string{"the heron stands in the pond", "the owl hunts at dusk", "the vault is on floor two", "the ferry leaves at nine"}
	b := file("memory/chat.md", texts...)
	for i, name := range []string{"Ann Lee", "Bob", "Cleo", "Ann Lee"} {
		b.Placements[i].Speaker = name
	}
	b.Placements[1].Block.Annotations.User = "lena"
	private := true
	b.Placements[2].Block.Annotations.Private = &private
	apply(t, db, noon, b)
	for round := range 2 {
		for _, test := range []struct {
			p    memory.Predicate
			want []string
		}{
			{memory.Predicate{}, []string{"ann", "bob", "cleo"}},
			{memory.Predicate{View: memory.View{Users: []string{"", "owner"}}}, []string{"ann", "cleo"}},
			{memory.Predicate{View: memory.View{Users: []string{"", "lena"}, Model: true, Pushed: true}}, []string{"ann", "bob"}},
			{memory.Predicate{View: memory.View{Model: true, Pushed: true, Users: []string{""}}}, []string{"ann"}},
		} {
			got, err := db.Speakers(t.Context(), test.p)
			slices.Sort(got)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("round %d, %+v: %q, want %q, %v", round, test.p, got, test.want, err)
			}
		}
		if err := db.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	update(t, db, noon, func(tx *index.Tx) error { return tx.ForgetText(id(texts[0]), id(texts[3])) })
	if got, err := db.Speakers(t.Context(), memory.Predicate{View: memory.View{Users: []string{""}}}); err != nil || !slices.Equal(got, []string{"cleo"}) {
		t.Errorf("after the texts of Ann were forgotten: %q, %v", got, err)
	}
}
