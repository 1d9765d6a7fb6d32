package recall_test

import (
	"context"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// bareQuestion finds its signals only for a question that nothing stands before.
type bareQuestion struct {
	recall.Source
	found memory.Signals
}

func (src bareQuestion) Search(_ context.Context, q memory.Query, _ memory.Predicate, _ int, _ bool) (found memory.SearchResult, err error) {
	if strings.HasPrefix(q.Text, "How long") {
		found.Signals = []memory.Signals{src.found}
	}
	return found, nil
}

// TestQuestionBehindChatFindsItsNote has a note that only the bare question finds.
func TestQuestionBehindChatFindsItsNote(t *testing.T) {
	const chat = "Good morning! I slept badly, the neighbours had a party, and my coffee machine broke as well. "
	for _, tt := range []struct {
		name, prompt string
		talk         bool
		want         []memory.ID
	}{
		{"the bare question", "How long do session tokens live?", false, []memory.ID{"tokens"}},
		{"behind chat", chat + "How long do session tokens live?", false, []memory.ID{"tokens"}},
		{"chat alone", chat + chat, false, nil},
		{"in talk, the whole prompt counts", chat + "How long do session tokens live?", true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("tokens", 0.9, "Session tokens live 24 hours")
			found := memory.Signals{Candidate: memory.Candidate{ID: "tokens", Score: 1}, Context: 4, Coverage: 1, Cosine: 0.6, NeighbourCosine: 0.5, MeanCosine: 0.1}
			if tt.talk {
				found.Speaker = "ada"
			}
			r := newSignalRecaller(src).From(func(s recall.Source) recall.Source { return bareQuestion{s, found} })
			got, _ := mustRecall(t, r, recall.Prompt{Text: tt.prompt})
			wantIDs(t, got.Hits, tt.want...)
		})
	}
}
