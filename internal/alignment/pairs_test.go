package alignment_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/alignment"
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
	want := []alignment.Pair{{First: 0, Second: 3}, {First: 1, Second: 4}, {First: 7, Second: 8}, {First: 1, Second: 10}}
	if got := alignment.NearDuplicates(list); !slices.Equal(got, want) {
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
	var texts []*alignment.Text
	for _, text := range list {
		texts = append(texts, alignment.Read(text))
	}
	repeats := map[int]bool{}
	for _, p := range alignment.NearDuplicates(list) {
		repeats[p.Second] = true
		if !texts[p.First].NearDuplicate(texts[p.Second]) {
			t.Errorf("%q and %q are no near-duplicates", list[p.First], list[p.Second])
		}
	}
	originals := []int{}
	for i := range texts {
		found := slices.ContainsFunc(originals, func(j int) bool { return texts[j].NearDuplicate(texts[i]) })
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

func TestTopicsOfShortTextsDivideThem(t *testing.T) {
	under := func(topic, text string) alignment.Said { return alignment.Said{Text: text, Topic: topic} }
	for _, tt := range []struct {
		name string
		a, b alignment.Said
		want int
	}{
		{"one topic", under("Heron", "Port: 8080"), under("Heron", "Port: 8081"), 1},
		{"another topic", under("Heron", "Port: 8080"), under("Kestrel", "Port: 8081"), 0},
		{"no topic", under("", "Port: 8080"), under("Kestrel", "Port: 8081"), 1},
	} {
		if got := alignment.Contradictions([]alignment.Said{tt.a, tt.b}); len(got) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestLogIsNoContradiction(t *testing.T) {
	list := []alignment.Said{{Text: "The staging port is 8081"}, {Text: "The vault is on floor 3"}, {Text: "The staging port is 8080."}}
	for day := range 9 {
		list = append(list, alignment.Said{Text: fmt.Sprintf("My weight is %d kg", 80+day)})
	}
	for day := range 3 { // in daily notes, three are a log
		list = append(list, alignment.Said{Text: fmt.Sprintf("Blood pressure: %d", 120+day), Dated: true})
	}
	if got, want := alignment.Contradictions(list), []alignment.Pair{{First: 0, Second: 2}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestContradictionsAreFoundAmongManyTexts covers that the work grows with the list: all pairs
// of 100,000 texts would take hours.
func TestContradictionsAreFoundAmongManyTexts(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	list := make([]alignment.Said, 0, n+2)
	for i := range n {
		list = append(list, alignment.Said{Text: fmt.Sprintf("The box number%c%c%c of shelf %d is at %d", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, i, i*7)})
	}
	list = append(list, alignment.Said{Text: "The rent is 1340 euros"}, alignment.Said{Text: "Our rent: 1400 euros"})
	if got, want := alignment.Contradictions(list), []alignment.Pair{{First: n, Second: n + 1}}; !slices.Equal(got, want) {
		t.Errorf("%d pairs, want %v", len(got), want)
	}
}
