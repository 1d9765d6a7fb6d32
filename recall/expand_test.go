package recall_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestQueryTermsAreExpanded(t *testing.T) {
	synonyms := func(word string) []memory.Expansion {
		return []memory.Expansion{{Text: word + "ish", Weight: 0.5}, {Text: "the", Weight: 0.9}}
	}
	for _, tt := range []struct {
		name, ask string
		want      map[string][]string // expansions of each term
	}{
		{"ordinary words", "harbour boats", map[string][]string{"harbour": {"harbourish"}, "boats": {"boatsish"}}},
		{"irregular forms before synonyms", "where they went", map[string][]string{"went": {"go", "gone", "goes", "wentish"}}},
		{"irregular forms of a base form with an ending", "writing", map[string][]string{"writing": {"wrote", "written", "writingish"}}},
		{"names have none", "who met Beatriz in Lyon", map[string][]string{"met": {"meet", "metish"}, "beatriz": nil, "lyon": nil}},
		{"a capital at the start is no name", "Boats of Ann", map[string][]string{"boats": {"boatsish"}, "ann": nil}},
		{"speakers have none", "ann said so", map[string][]string{"ann": nil, "said": {"say", "saidish"}}},
		{"identifiers have none", "load src/token_store.go and ERR9", map[string][]string{"token": nil, "store": nil, "load": {"loadish"}}},
		{"acronyms have none", "the API limit", map[string][]string{"api": nil, "limit": {"limitish"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{speakers: []string{"ann"}}
			mustSearch(t, newSignalRecaller(src, func(s *recall.Settings) { s.Expand = synonyms }), recall.SearchOptions{Text: tt.ask})
			for _, term := range src.query.Terms {
				want, ok := tt.want[term.Text]
				if !ok {
					continue
				}
				var got []string
				for _, a := range term.Expansions {
					got = append(got, a.Text)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s has expansions %v, want %v", term.Text, got, want)
				}
				delete(tt.want, term.Text)
			}
			if len(tt.want) > 0 {
				t.Errorf("terms %v are missing in %v", tt.want, src.query.Terms)
			}
		})
	}
}
