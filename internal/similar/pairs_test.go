package similar_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

func TestNearDuplicatesOfAList(t *testing.T) {
	list := []string{
		"The office in Berlin opens at eight in the morning",
		"Lena prefers meetings in the morning before ten",
		"The office in Berlin opens at nine in the morning", // another number word
		"The office in Berlin opens at eight in the morning.",
		"Lena prefers the meetings in the morning, before ten",
		"port 5432", "port 5432", // short: the heading decides
		"会議は火曜日です", "会議は火曜日です。", "会議は水曜日です",
		"Lena prefers meetings in the morning before ten",
	}
	want := []similar.Pair{{0, 3}, {1, 4}, {7, 8}, {1, 10}}
	if got := similar.NearDuplicates(list); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNearDuplicatesFindsWhatEveryComparisonFinds compares the join with all pairs.
func TestNearDuplicatesFindsWhatEveryComparisonFinds(t *testing.T) {
	words := []string{"ship", "harbour", "crane", "winch", "rope", "anchor", "buoy", "deck", "sail", "keel", "mast", "tide"}
	var list []string
	for i := range 300 {
		text := ""
		for n := range 7 {
			text += words[(i*i+n*(1+i%5))%len(words)] + " "
		}
		list = append(list, text+words[i%len(words)])
	}
	var texts []similar.Text
	for _, text := range list {
		texts = append(texts, similar.New(text))
	}
	repeats := map[int]bool{}
	for _, p := range similar.NearDuplicates(list) {
		repeats[p.Second] = true
		if !texts[p.First].NearDuplicate(&texts[p.Second]) {
			t.Errorf("%q and %q are no near-duplicates", list[p.First], list[p.Second])
		}
	}
	originals := []int{}
	for i := range texts {
		found := slices.ContainsFunc(originals, func(j int) bool { return texts[j].NearDuplicate(&texts[i]) })
		if found != repeats[i] {
			t.Errorf("%q: found %v, want %v", list[i], repeats[i], found)
		}
		if !found {
			originals = append(originals, i)
		}
	}
	if len(repeats) < 50 {
		t.Errorf("only %d pairs: the list tests nothing", len(repeats))
	}
}
