package recall_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// TestTalkNeedsHalfOfTheFloorBesideAnAnswer has a memory between half of the floor and the
// floor, and a better one.
func TestTalkNeedsHalfOfTheFloorBesideAnAnswer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		best    float64 // the share of words of the better one
		speaker string  // of both
		floor   float64
		want    []memory.ID
	}{
		{"talk beside an answer", 0.5, "ann", -1, []memory.ID{"best", "weak"}},
		{"a higher floor", 0.6, "ann", 0.4, []memory.ID{"best"}},
		{"talk beside a doubtful answer", 0.38, "ann", -1, []memory.ID{"best"}},
		{"notes", 0.6, "", -1, []memory.ID{"best"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("best", 0.9, "Boats of the pilots lie in the harbour")
			src.add("weak", 0.3, "Gulls rest on the mole")
			src.addSignals("best", memory.Signals{Candidate: memory.Candidate{Score: tt.best}, Context: 4, Coverage: tt.best, MeanCosine: 0.1, Cosine: 0.3, NeighbourCosine: 0.2, Speaker: tt.speaker})
			src.addSignals("weak", memory.Signals{Candidate: memory.Candidate{Score: 0.05}, Context: 3.9, Coverage: 0.4, MeanCosine: 0.1, Cosine: 0.25, NeighbourCosine: 0.2, Speaker: tt.speaker})
			r := newSignalRecaller(src, func(s *recall.Settings) { s.Floor = tt.floor })
			got, trace := mustRecall(t, r, recall.Prompt{Text: "Where do the pilots keep boats?"})
			wantIDs(t, got.Hits, tt.want...)
			if why, rejected := trace.Rejection("weak"); rejected && why.Reason != recall.RejectedBelowFloor {
				t.Errorf("%+v", why)
			}
		})
	}
}
