package recall_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// readingEmbedder says the same about a note for every question. It counts what it read.
type readingEmbedder struct {
	fixedEmbedder
	odds map[string]float64
	err  error
	read *[]string
}

func (e readingEmbedder) Read(_ context.Context, _ string, notes []string) (odds []float64, err error) {
	*e.read = append(*e.read, notes...)
	for _, n := range notes {
		odds = append(odds, e.odds[n])
	}
	return odds, e.err
}

// TestReadingDecidesWhatIsInjected has two notes with the same words as the question.
func TestReadingDecidesWhatIsInjected(t *testing.T) {
	const meets, conducts = "The choir meets on Tuesdays", "Mara conducts the choir"
	for _, tt := range []struct {
		name    string
		odds    map[string]float64
		err     error
		speaker string
		want    []memory.ID
	}{
		{"one answers", map[string]float64{meets: -12, conducts: 6}, nil, "", []memory.ID{"conducts"}},
		{"none answers", map[string]float64{meets: -12, conducts: -12}, nil, "", nil},
		{"it fails", map[string]float64{meets: -12, conducts: -12}, errors.New("out of order"), "", []memory.ID{"conducts", "meets"}},
		{"the texts are too long", map[string]float64{meets: math.NaN(), conducts: math.NaN()}, nil, "", []memory.ID{"conducts", "meets"}},
		{"talk is not read", map[string]float64{meets: -12, conducts: -12}, nil, "ann", []memory.ID{"conducts", "meets"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, read := &fakeSource{}, []string{}
			for id, text := range map[string]string{"meets": meets, "conducts": conducts} {
				src.add(id, 0.9, text)
				src.addSignals(memory.ID(id), memory.Signals{Candidate: memory.Candidate{Score: 0.9}, Context: 1, Coverage: 0.9, MeanCosine: 0.1, Cosine: 0.8, NeighbourCosine: 0.8, Speaker: tt.speaker})
			}
			got, _ := mustRecall(t, recall.New(src, readingEmbedder{odds: tt.odds, err: tt.err, read: &read}, recall.Defaults()), recall.Prompt{Text: "Who conducts the choir?"})
			var ids []memory.ID
			for _, h := range got.Hits {
				ids = append(ids, h.ID)
			}
			slices.Sort(ids)
			if !slices.Equal(ids, tt.want) {
				t.Errorf("injected %v, want %v; read %q", ids, tt.want, read)
			}
		})
	}
}

// TestReadsTheMostSimilarNotesAlone has eight notes, of which the last ones are not read. They
// are no likelier than the least likely one that was read.
func TestReadsTheMostSimilarNotesAlone(t *testing.T) {
	src, read, odds := &fakeSource{}, []string{}, map[string]float64{}
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		text := "The choir of " + id + " meets on Tuesdays"
		odds[text] = -12
		src.add(id, 0.9, text)
		src.addSignals(memory.ID(id), memory.Signals{Candidate: memory.Candidate{Score: 0.9}, Context: 1, Coverage: 0.9, MeanCosine: 0.1, Cosine: 0.8, NeighbourCosine: 0.8})
	}
	got, _ := mustRecall(t, recall.New(src, readingEmbedder{odds: odds, read: &read}, recall.Defaults()), recall.Prompt{Text: "When does the choir meet?"})
	if len(read) != 4 || len(got.Hits) != 0 {
		t.Errorf("%d notes were read and %d are injected", len(read), len(got.Hits))
	}
}
