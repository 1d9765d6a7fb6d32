package recall_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// TestOnlyMemoriesNearTheBestAreInjected has a clear answer, and one memory that is
// above the floor and far behind.
func TestOnlyMemoriesNearTheBestAreInjected(t *testing.T) {
	for _, tt := range []struct {
		name, text, speaker string
		best, words         float64 // the shares of words of the two
		want                []memory.ID
	}{
		{"far behind", "Gulls rest on the mole", "", 1, 0.15, []memory.ID{"best"}},
		{"not far behind", "Gulls rest on the mole", "", 1, 0.7, []memory.ID{"best", "behind"}},
		{"behind a certain one, but likely", "Gulls rest on the mole", "", 1, 0.4, []memory.ID{"best", "behind"}},
		{"as far behind an unsure one", "Gulls rest on the mole", "", 0.5, 0.4, []memory.ID{"best"}},
		{"far behind in talk", "Gulls rest on the mole", "ann", 1, 0.15, []memory.ID{"best", "behind"}},
		{"the question names its topic", "Pilots: they board at the mole", "", 0.6, 0, []memory.ID{"best", "behind"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("best", 0.9, "Boats of the pilots lie in the harbour")
			src.add("behind", 0.3, tt.text)
			behind := memory.Signals{Candidate: memory.Candidate{Score: tt.words}, Context: 3, Coverage: tt.words, MeanCosine: 0.1, Cosine: 0.2, NeighbourCosine: 0.2, Speaker: tt.speaker}
			src.addSignals("best", memory.Signals{Candidate: memory.Candidate{Score: tt.best}, Context: 4, Coverage: tt.best, MeanCosine: 0.1, Cosine: 0.4, NeighbourCosine: 0.3})
			src.addSignals("behind", behind)
			got, trace := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: "Where do the pilots keep boats?"})
			wantIDs(t, got.Hits, tt.want...)
			if why, rejected := trace.Rejection("behind"); rejected && why.Reason != recall.RejectedBehindBest {
				t.Errorf("%+v", why)
			}
		})
	}
}

// TestMeaningAloneAnswers asks in words that no memory has.
func TestMeaningAloneAnswers(t *testing.T) {
	for _, tt := range []struct {
		name       string
		best, mean float64
		words      float64 // the best one's own
		covered    float64
		speaker    string
		want       []memory.ID
	}{
		{"one memory stands out", 0.34, 0.1, 0, 0.2, "", []memory.ID{"best"}},
		{"none stands out", 0.24, 0.1, 0, 0.2, "", nil},
		{"it stands out by a word that it shares", 0.34, 0.1, 0.1, 0.2, "", nil},
		{"the words of the question are elsewhere", 0.34, 0.1, 0, 0.45, "", nil},
		{"in talk everything is near", 0.34, 0.1, 0, 0.2, "ann", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("best", 0.3, "Ferries leave at six")
			src.add("second", 0.2, "Gulls rest on the mole")
			src.addSignals("best", memory.Signals{Candidate: memory.Candidate{Score: tt.words}, MeanCosine: tt.mean, Cosine: tt.best, NeighbourCosine: 0.7 * tt.best, Speaker: tt.speaker})
			src.addSignals("second", memory.Signals{Context: 1, Coverage: tt.covered, MeanCosine: tt.mean, Cosine: 0.5 * tt.best, NeighbourCosine: 0.1})
			r := recall.New(src, tableEmbedder{}, recall.Defaults())
			got, _ := mustRecall(t, r, recall.Prompt{Text: "When may I cross to the islands at dawn?"})
			wantIDs(t, got.Hits, tt.want...)
		})
	}
}

// TestForeignNotesAreNotAdmittedByMeaning has notes that a model of English cannot tell
// apart, for a question that is not recognised as foreign. Another model may know them.
func TestForeignNotesAreNotAdmittedByMeaning(t *testing.T) {
	for _, tt := range []struct {
		text, lang string
		e          embed.Embedder
		want       int
	}{
		{"Der Zug nach Lübeck", "de", tableEmbedder{}, 0},
		{"Gestern haben wir den Markt geplant", "", tableEmbedder{}, 0},
		{"昨日、寿司を食べました", "ja", tableEmbedder{}, 0},
		{"Der Zug nach Lübeck", "de", fixedEmbedder{}, 1},
		{"Trains leave from track three", "en", tableEmbedder{}, 1},
	} {
		src := &fakeSource{}
		src.add("note", 0.5, tt.text, func(m *memory.Memory) { m.Lang = tt.lang })
		src.addSignals("note", memory.Signals{Cosine: 0.6, MeanCosine: 0.05})
		answer, _ := mustRecall(t, recall.New(src, tt.e, recall.Defaults()), recall.Prompt{Text: "Hva gjorde jeg?"})
		if len(answer.Hits) != tt.want {
			t.Errorf("%s, %s: %d memories, want %d", tt.text, tt.e.Model(), len(answer.Hits), tt.want)
		}
	}
}

// TestQuestionWithoutAKnownWordIsNotAnsweredByMeaning compares the words of nonsense.
func TestQuestionWithoutAKnownWordIsNotAnsweredByMeaning(t *testing.T) {
	for alignment, want := range map[float64]int{0: 0, 0.3: 1} {
		src := &fakeSource{}
		src.add("note", 0.5, "Trains leave from track three")
		src.addSignals("note", memory.Signals{Cosine: 0.6, MeanCosine: 0.05})
		s := recall.Defaults()
		s.Align = aligning(func(_, _ []string) float64 { return alignment })
		answer, _ := mustRecall(t, recall.New(src, tableEmbedder{}, s), recall.Prompt{Text: "xxxxxxxxx"})
		if len(answer.Hits) != want {
			t.Errorf("alignment %g: %d memories, want %d", alignment, len(answer.Hits), want)
		}
	}
}

// TestMeaningAloneNeedsAKnownLanguage asks the same in English, and in a language that the
// table does not know. Another model may know it.
func TestMeaningAloneNeedsAKnownLanguage(t *testing.T) {
	for _, tt := range []struct {
		ask  string
		e    embed.Embedder
		want int
	}{{"who gives music lessons?", tableEmbedder{}, 1}, {"wer gibt uns Musikstunden?", tableEmbedder{}, 0}, {"wer gibt uns Musikstunden?", fixedEmbedder{}, 1}} {
		src := &fakeSource{}
		src.add("violin", 0.5, "Liv began with the violin")
		src.addSignals("violin", memory.Signals{Cosine: 0.6, MeanCosine: 0.05})
		answer, _ := mustRecall(t, recall.New(src, tt.e, recall.Defaults()), recall.Prompt{Text: tt.ask})
		if len(answer.Hits) != tt.want {
			t.Errorf("%s, %s: %d memories, want %d", tt.ask, tt.e.Model(), len(answer.Hits), tt.want)
		}
	}
}

// TestSecondBestNoteByMeaning has a note that ranks more than one point behind the best
// one, and less than two. Only a sentence transformer orders notes well enough for it.
func TestSecondBestNoteByMeaning(t *testing.T) {
	for _, tt := range []struct {
		e    embed.Embedder
		want []memory.ID
	}{{tableEmbedder{}, []memory.ID{"best"}}, {fixedEmbedder{}, []memory.ID{"best", "second"}}} {
		src := &fakeSource{}
		src.add("best", 0.5, "Ferries leave at six")
		src.add("second", 0.5, "Gulls rest until noon")
		src.addSignals("best", memory.Signals{MeanCosine: 0.05, Cosine: 0.6, NeighbourCosine: 0.42})
		src.addSignals("second", memory.Signals{MeanCosine: 0.05, Cosine: 0.55, NeighbourCosine: 0.385})
		got, _ := mustRecall(t, recall.New(src, tt.e, recall.Defaults()), recall.Prompt{Text: "When may I cross to the islands at dawn?"})
		wantIDs(t, got.Hits, tt.want...)
	}
}

// TestMeaningWithAFewWords has a note that shares a few of the question's words. Only a
// sentence transformer's cosine tells more than they do. A shared name tells nothing, and
// a note without a time does not answer "when".
func TestMeaningWithAFewWords(t *testing.T) {
	for _, tt := range []struct {
		name, text, ask string
		words           float64
		e               embed.Embedder
		want            int
	}{
		{"few words", "Ferries leave at six", "When may I cross to the islands?", 0.1, fixedEmbedder{}, 1},
		{"the table", "Ferries leave at six", "When may I cross to the islands?", 0.1, tableEmbedder{}, 0},
		{"more words", "Ferries leave at six", "When may I cross to the islands?", 0.25, fixedEmbedder{}, 0},
		{"a name", "Ferries to Borkum leave at six", "When may I cross to Borkum?", 0.1, fixedEmbedder{}, 0},
		{"no time", "Ferries are white", "When may I cross to the islands?", 0, fixedEmbedder{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("ferries", 0.5, tt.text)
			src.addSignals("ferries", memory.Signals{Candidate: memory.Candidate{Score: tt.words}, Coverage: tt.words, MeanCosine: 0.1, Cosine: 0.42, NeighbourCosine: 0.29})
			got, _ := mustRecall(t, recall.New(src, tt.e, recall.Defaults()), recall.Prompt{Text: tt.ask})
			if len(got.Hits) != tt.want {
				t.Errorf("%d memories, want %d", len(got.Hits), tt.want)
			}
		})
	}
}

// TestWordsFarFromTheMeaning has the words of the question in a note that is about something
// else. They do not keep a note of the same meaning out, with a sentence transformer.
func TestWordsFarFromTheMeaning(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cosine float64 // of the note with the words
		e      embed.Embedder
		want   bool
	}{
		{"far", 0.1, fixedEmbedder{}, true},
		{"near", 0.3, fixedEmbedder{}, false},
		{"far, the table", 0.1, tableEmbedder{}, false},
		{"no vector", 0, fixedEmbedder{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("meaning", 0.5, "Ferries leave at six")
			src.add("words", 0.5, "Islands in the pudding cross each other in May 2020")
			src.addSignals("meaning", memory.Signals{MeanCosine: 0.1, Cosine: 0.45, NeighbourCosine: 0.3})
			src.addSignals("words", memory.Signals{Candidate: memory.Candidate{Score: 0.3}, Context: 4, Coverage: 0.6, MeanCosine: 0.1, Cosine: tt.cosine})
			answer, _ := mustRecall(t, recall.New(src, tt.e, recall.Defaults()), recall.Prompt{Text: "When may I cross to the islands at dawn?"})
			if got := slices.ContainsFunc(answer.Hits, func(h memory.Hit) bool { return h.ID == "meaning" }); got != tt.want {
				t.Errorf("the note of the same meaning is injected: %v, want %v", got, tt.want)
			}
		})
	}
}
