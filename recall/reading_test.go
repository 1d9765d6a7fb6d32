package recall_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// readingEmbedder can read. Notes about gulls answer, and no others.
type readingEmbedder struct {
	fixedEmbedder
	read *[]string
}

func (e readingEmbedder) Read(_ context.Context, _ string, notes []string) ([]float64, error) {
	odds := make([]float64, len(notes))
	for i, note := range notes {
		*e.read = append(*e.read, note)
		if odds[i] = -3; strings.Contains(note, "Gulls") {
			odds[i] = 3
		}
	}
	return odds, nil
}

func TestAReaderJudgesTheFirstNotes(t *testing.T) {
	src := &fakeSource{}
	for _, text := range []string{"Gulls sit on the sensor", "Ravens sit on the mast", "Terns sit on the buoy"} {
		bird := strings.ToLower(strings.Fields(text)[0])
		src.add(bird, 0.5, text)
		src.addSignals(memory.ID(bird), memory.Signals{Context: 2, Coverage: 1, Cosine: 0.6})
	}
	for _, reads := range []bool{false, true} {
		s, read := weightedSettings(), []string(nil)
		s.Fusion, s.Reader = recall.FusionRanking, reads
		answer, trace := mustRecall(t, recall.New(src, readingEmbedder{read: &read}, s), recall.Prompt{Text: "Which birds sit on the sensor?"})
		var got []string
		for _, h := range answer.Hits {
			got = append(got, string(h.ID))
		}
		if reads && (!slices.Equal(got, []string{"gulls"}) || len(read) != 3) {
			t.Errorf("with a reader: got %q, read %q", got, read)
		}
		if !reads && (len(got) < 2 || len(read) > 0) {
			t.Errorf("without: got %q, read %q, %+v", got, read, trace.Rejections)
		}
	}
}
