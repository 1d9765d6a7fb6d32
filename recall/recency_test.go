package recall_test

import (
	"math"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// TestLongPromptsPreferWhatWasSaidLast measures the signals of a memory that is 8 days
// old, under a heading that matches by 0.8.
func TestLongPromptsPreferWhatWasSaidLast(t *testing.T) {
	for _, tt := range []struct {
		name, ask, speaker string
		want, section      float64
	}{
		{"a long prompt", longPrompt, "ann", math.Log(3), 0.8},
		{"two words", "harbour boats", "ann", 0, 0},
		{"a note", longPrompt, "", 0, 0},
		{"a time that is over", longPrompt + " last month", "ann", 0, 0.8},
		{"a time that goes on", longPrompt + " this week", "ann", math.Log(3), 0.8},
		{"a month to come", longPrompt + " in December", "ann", math.Log(3), 0.8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.5, "Alpha", created(now.AddDate(0, 0, -8)))
			src.addSignals("a", memory.Signals{Context: 1, Coverage: 0.5, Speaker: tt.speaker, Section: 0.8})
			h := mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0]
			if got := factorOf(t, h, "recent"); math.Abs(got-tt.want) > 0.001 {
				t.Errorf("recent is %v, want %v", got, tt.want)
			}
			if got := factorOf(t, h, "section"); math.Abs(got-tt.section) > 0.001 {
				t.Errorf("section is %v, want %v", got, tt.section)
			}
			if wants := tt.ask != "harbour boats"; src.query.Sections != wants {
				t.Errorf("the query wants sections: %v, want %v", src.query.Sections, wants)
			}
		})
	}
}
