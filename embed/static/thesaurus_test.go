package static_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
)

func TestSimilarWords(t *testing.T) {
	e := static.New()
	thesaurus := e.Thesaurus()
	for _, tt := range []struct {
		word      string
		with, not []string
	}{
		{"kids", []string{"children", "child"}, []string{"kids", "kid's", "table"}},
		{"Painting", []string{"paintings", "artwork", "painter"}, []string{"painting"}},
		{"job", []string{"jobs", "employment"}, []string{"dog"}},
	} {
		t.Run(tt.word, func(t *testing.T) {
			found := thesaurus.SimilarWords(tt.word)
			has := func(w string) bool {
				return slices.ContainsFunc(found, func(a memory.Expansion) bool { return a.Text == w })
			}
			for _, w := range tt.with {
				if !has(w) {
					t.Errorf("%s is not among %v", w, found)
				}
			}
			for _, w := range tt.not {
				if has(w) {
					t.Errorf("%s is among %v", w, found)
				}
			}
			for i, a := range found {
				if a.Weight < 0.4 || a.Weight > 1.0001 || i > 0 && a.Weight > found[i-1].Weight {
					t.Errorf("in place %d: %v", i, a)
				}
			}
			if again := thesaurus.SimilarWords(tt.word); !slices.Equal(again, found) {
				t.Errorf("second call: %v, first call: %v", again, found)
			}
		})
	}
	for _, word := range []string{"", "?!", "部署", "kubernetesque"} {
		if found := thesaurus.SimilarWords(word); len(found) > 0 {
			t.Errorf("%q has similar words: %v", word, found)
		}
	}
}
