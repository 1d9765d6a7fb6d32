package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

const longPrompt = "So the winter ferry plan looks great, the draft timetable arrived from the harbour office, the printer broke during the island briefing, and nobody was pleased."

// talk adds memories with a speaker under one heading. match tells how well the section
// matches the prompt.
func (src *fakeSource) talk(session string, match float64, texts ...string) {
	for i, text := range texts {
		m := src.add(fmt.Sprintf("%s%d", session, i+1), 0.9-float64(i)/100, text, heading(session))
		src.addSignals(m.ID, memory.Signals{Candidate: memory.Candidate{Score: 1}, Context: 4, Coverage: 1, Cosine: 0.5 - float64(i)/100, NeighbourCosine: 0.4, MeanCosine: 0.1, Section: match, Speaker: "ann"})
	}
}

// ofLength returns a text of some words that is like no other one.
func ofLength(words int, subject string) (text string) {
	for i := range words {
		text += fmt.Sprintf("%s%c ", subject, 'a'+i)
	}
	return text
}

// TestLongPromptsGetTheMemoriesOfLikelySessions has three sessions of talk and a note.
func TestLongPromptsGetTheMemoriesOfLikelySessions(t *testing.T) {
	long := []string{ofLength(25, "tidelight"), ofLength(25, "moorings"), ofLength(25, "gangways")}
	short := []string{ofLength(2, "anchor"), ofLength(2, "beacon"), ofLength(2, "cutter")}
	for _, tt := range []struct {
		name, ask string
		second    []string // texts of the second session
		tokens    int
		want      []memory.ID
	}{
		{"a likely session gets its best memory, an unlikely one nothing", longPrompt, long, 10_000, []memory.ID{"sure1", "sure2", "sure3", "likely1", "note"}},
		{"short memories count together", longPrompt, short, 10_000, []memory.ID{"sure1", "sure2", "sure3", "likely1", "likely2", "likely3", "note"}},
		{"parts come before the rest", longPrompt, long, 190, []memory.ID{"sure1", "likely1", "note"}},
		{"an excerpt of a memory that does not fit", longPrompt, []string{ofLength(300, "freighter"), short[1]}, 168, []memory.ID{"sure1", "likely1", "note"}},
		{"a short question", "winter ferry timetable", long, 10_000, []memory.ID{"sure1", "sure2", "sure3", "likely1", "likely2", "likely3", "note", "unlikely1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.talk("sure", 1, ofLength(25, "islands"), ofLength(25, "pilots"), ofLength(25, "harbours"))
			src.talk("likely", 0.7, tt.second...)
			src.talk("unlikely", 0, ofLength(2, "dinghy"))
			src.add("note", 0.9, "The ferry office opens at nine")
			src.addSignals("note", memory.Signals{Candidate: memory.Candidate{Score: 1}, Context: 4, Coverage: 1, Cosine: 0.5, NeighbourCosine: 0.4, MeanCosine: 0.1})
			got, trace := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: tt.ask, MaxTokens: &tt.tokens})
			blocked := ids(got.Hits)
			slices.Sort(blocked)
			if slices.Sort(tt.want); !slices.Equal(blocked, tt.want) {
				t.Errorf("got %v, want %v", blocked, tt.want)
			}
			if why, rejected := trace.Rejection("unlikely1"); rejected && why.Reason != recall.RejectedOtherSession {
				t.Errorf("an unlikely session: %+v", why)
			}
			if why, rejected := trace.Rejection("sure3"); rejected && why.Reason != recall.RejectedTokenBudget {
				t.Errorf("a sure session: %+v", why)
			}
		})
	}
}

// TestUntrustedSessionsComeLast has little space, and an untrusted session that matches
// best.
func TestUntrustedSessionsComeLast(t *testing.T) {
	src := &fakeSource{}
	src.talk("own", 0.9, ofLength(25, "islands"))
	src.talk("tool", 1, ofLength(25, "pilots"))
	src.memories[1].Trust = memory.TrustUntrusted
	got, _ := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: longPrompt, MaxTokens: ptr(120)})
	wantIDs(t, got.Hits, "own1")
}
