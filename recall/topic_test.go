package recall_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestQuestionNamesTheTopicOfALabel(t *testing.T) {
	for _, tt := range []struct {
		name, text, ask string
		want            bool
	}{
		{"the name", "Dead letter queue (DLQ): failed messages go there", "who reads the dead letter queues?", true},
		{"a name in brackets", "GitHub Actions (GHA, CI pipeline): deploys go out from main", "GHA secrets config", true},
		{"a name of two words in brackets", "GitHub Actions (GHA, CI pipeline): deploys go out from main", "secrets of the CI pipeline", true},
		{"half of a name", "GitHub Actions (GHA, CI pipeline): deploys go out from main", "where does the pipeline leak?", false},
		{"one of two names", "SQLAlchemy, Postgres: the former stack", "is Postgres fast?", true},
		{"emphasis", "**Wi-Fi:** the passphrase is on the fridge", "what is the wi-fi?", true},
		{"a sentence with a colon", "We talked about it for a long time and agreed on this: blue paint", "did we agree on this?", false},
		{"a label that names no topic", "Note: blue paint", "what should I note?", false},
		{"a time", "14:30 blue paint", "what happened at 14?", false},
		{"a row of a table", "| Item | Price |\n|---|---|\n| Washing machine, white | 529 |", "how loud is the washing machine?", true},
		{"another row", "| Item | Price |\n|---|---|\n| Washing machine, white | 529 |", "how loud is the machine?", false},
		{"no label", "The dead letter queue is empty", "who reads the dead letter queue?", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.5, tt.text)
			src.addSignals("a", memory.Signals{Context: 1, Coverage: 0.3})
			h := mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0]
			if got := factorOf(t, h, "topic") == 1; got != tt.want {
				t.Errorf("named: %t", got)
			}
		})
	}
}

func factorOf(t *testing.T, h memory.Hit, name string) float64 {
	t.Helper()
	for _, f := range h.Ranking {
		if f.Name == name {
			return f.Value
		}
	}
	t.Fatalf("no signal %s", name)
	return 0
}

// TestNamedTopicIsInjected asks in words of which the memory has only its name.
func TestNamedTopicIsInjected(t *testing.T) {
	for ask, want := range map[string][]memory.ID{"GHA secrets config": {"a"}, "GHB secrets config": nil} {
		src := &fakeSource{}
		src.add("a", 0.25, "GitHub Actions (GHA): merges to main trigger a deploy")
		src.addSignals("a", memory.Signals{Candidate: memory.Candidate{Score: 0.25}, Context: 1, Coverage: 0.27, MeanCosine: 0.1, Cosine: 0.3, NeighbourCosine: 0.2})
		got, _ := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: ask})
		wantIDs(t, got.Hits, want...)
	}
}
