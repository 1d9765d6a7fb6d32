package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall"
)

// aligning returns an Align of the settings.
func aligning(compare func(asked, text []string) float64) func([]string) (func([]string) float64, func()) {
	return func(asked []string) (func([]string) float64, func()) {
		return func(text []string) float64 { return compare(asked, text) }, func() {}
	}
}

// alignBy compares words with a list: a text with one of them matches the question in
// full.
func alignBy(related ...string) func(*recall.Settings) {
	return func(s *recall.Settings) {
		s.Align = aligning(func(_, text []string) float64 {
			if slices.ContainsFunc(text, func(w string) bool { return slices.Contains(related, w) }) {
				return 1
			}
			return 0
		})
	}
}

func TestNotesWithRelatedWordsComeFirst(t *testing.T) {
	for _, tt := range []struct {
		name, speaker string
		change        func(*memory.Memory)
		want          []memory.ID
	}{
		{"a note", "", nil, []memory.ID{"related", "other"}},
		{"a note whose heading has the word", "", func(m *memory.Memory) { m.Text, m.Heading = "Alpha", memory.List[string]{"Violin"} }, []memory.ID{"related", "other"}},
		{"talk", "ann", nil, []memory.ID{"other", "related"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			change := tt.change
			if change == nil {
				change = func(*memory.Memory) {}
			}
			src.add("related", 0.5, "Liv began with the Violin", change)
			src.add("other", 0.5, "The boiler needs water")
			src.addSignals("related", memory.Signals{Context: 4, Coverage: 0.6, Cosine: 0.3, Speaker: tt.speaker})
			src.addSignals("other", memory.Signals{Context: 5, Coverage: 0.6, Cosine: 0.3, Speaker: tt.speaker})
			r := newSignalRecaller(src, alignBy("violin"))
			wantIDs(t, mustSearch(t, r, recall.SearchOptions{Text: "music lessons"}).Hits, tt.want...)
			wantIDs(t, mustSearch(t, r, recall.SearchOptions{Text: "music lessons", Lane: memory.LaneText}).Hits, "other", "related")
		})
	}
}

// TestRelatedWordsCountIfWordsAreFound asks a sentence transformer for two notes. The words
// of the first one are related to the question, and the meaning of the second is nearer.
func TestRelatedWordsCountIfWordsAreFound(t *testing.T) {
	for covered, want := range map[float64][]memory.ID{0.7: {"related", "nearer"}, 0: {"nearer", "related"}} {
		src := &fakeSource{}
		src.add("related", 0.5, "Liv began with the violin")
		src.add("nearer", 0.5, "The choir sings on Mondays")
		src.addSignals("related", memory.Signals{Coverage: covered, MeanCosine: 0.1, Cosine: 0.38})
		src.addSignals("nearer", memory.Signals{Coverage: covered, MeanCosine: 0.1, Cosine: 0.42})
		r := newSignalRecaller(src, alignBy("violin"))
		wantIDs(t, mustSearch(t, r, recall.SearchOptions{Text: "music lessons"}).Hits, want...)
	}
}

// TestRelatedWordsHelpANoteIntoTheBlock asks in other words than the note uses.
func TestRelatedWordsHelpANoteIntoTheBlock(t *testing.T) {
	for related, want := range map[string]int{"violin": 1, "nothing": 0} {
		src := &fakeSource{}
		src.add("violin", 0.5, "Liv began with the violin")
		src.addSignals("violin", memory.Signals{Cosine: 0.2, MeanCosine: 0.05})
		settings := recall.Defaults()
		alignBy(related)(&settings)
		answer, _ := mustRecall(t, recall.New(src, tableEmbedder{}, settings), recall.Prompt{Text: "music lessons"})
		if len(answer.Hits) != want {
			t.Errorf("related word %s: %d memories, want %d", related, len(answer.Hits), want)
		}
	}
}

// TestSentenceTransformerNeedsRelatedWords compares notes whose words match the
// question in meaning, half or not at all.
func TestSentenceTransformerNeedsRelatedWords(t *testing.T) {
	similarity := func(e embed.Embedder, speaker string, related ...string) float64 {
		src := &fakeSource{}
		src.add("note", 0.5, "Liv began with the violin")
		src.addSignals("note", memory.Signals{Context: 2, Coverage: 0.6, Cosine: 0.45, MeanCosine: 0.05, Speaker: speaker})
		settings := recall.Defaults()
		alignBy(related...)(&settings)
		return mustSearch(t, recall.New(src, e, settings), recall.SearchOptions{Text: "music lessons"}).Hits[0].Similarity
	}
	if with, without := similarity(fixedEmbedder{}, "", "violin"), similarity(fixedEmbedder{}, "", "boiler"); with < 2*without {
		t.Errorf("with related words the similarity is %.2f, without them %.2f", with, without)
	}
	if with, without := similarity(fixedEmbedder{}, "ann", "violin"), similarity(fixedEmbedder{}, "ann", "boiler"); with != without {
		t.Errorf("in talk, related words change the similarity from %.2f to %.2f", without, with)
	}
	if with, without := similarity(tableEmbedder{}, "", "violin"), similarity(tableEmbedder{}, "", "boiler"); with != without {
		t.Errorf("with the table, related words change the similarity from %.2f to %.2f", without, with)
	}
}

// TestLongNotesAreComparedByTheirFirstWords compares the words of a long note with those
// that its whole text has.
func TestLongNotesAreComparedByTheirFirstWords(t *testing.T) {
	var text strings.Builder
	for i := range 900 {
		fmt.Fprintf(&text, "The Quay%d's crane, ", i)
	}
	var want, got []string
	for _, w := range lang.SplitWords(strings.ToLower(text.String())) {
		if w != "" && !lang.IsStopWord(w) && len(want) < 256 {
			want = append(want, w)
		}
	}
	src := &fakeSource{}
	src.add("a", 0.8, text.String())
	r := newRecaller(src, func(s *recall.Settings) {
		s.Fusion = recall.FusionRanking
		s.Align = aligning(func(_, words []string) float64 {
			got = words
			return 0
		})
	})
	mustSearch(t, r, recall.SearchOptions{Text: "crane on the quay"})
	if !slices.Equal(got, want) {
		t.Errorf("%d words, want %d: %.10q", len(got), len(want), got)
	}
}

// TestStrangeNames asks for a name that the answer does not have. The answer is injected if
// it has a word that stands for the name, or if another note has the name.
func TestStrangeNames(t *testing.T) {
	for _, tt := range []struct {
		name, ask, other string
		want             int
	}{
		{"no name", "Where shall we lodge abroad?", "The gate is green", 1},
		{"a word stands for it", "Where shall we lodge in Portugal?", "The gate is green", 1},
		{"a stranger", "Where shall we lodge in Tomasz?", "The gate is green", 0},
		{"another note has it", "Where shall we lodge in Tomasz?", "Tomasz paints the gate", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("hotel", 0.5, "The hotel near Lisbon is quiet")
			src.add("other", 0.1, tt.other)
			src.addSignals("hotel", memory.Signals{MeanCosine: 0.05, Cosine: 0.3, NeighbourCosine: 0.2})
			src.addSignals("other", memory.Signals{MeanCosine: 0.05, Cosine: 0.06, NeighbourCosine: 0.04})
			settings := recall.Defaults()
			settings.Align = aligning(func(asked, text []string) float64 {
				if slices.Equal(asked, []string{"tomasz"}) || !slices.Contains(text, "lisbon") {
					return 0
				}
				return 0.6
			})
			answer, _ := mustRecall(t, recall.New(src, fixedEmbedder{}, settings), recall.Prompt{Text: tt.ask})
			if len(answer.Hits) != tt.want {
				t.Errorf("%d memories, want %d", len(answer.Hits), tt.want)
			}
		})
	}
}
