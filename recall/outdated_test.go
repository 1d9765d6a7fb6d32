package recall_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestAuthorsMarkWhatNoLongerHolds(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		headings   []string
		want       float64 // of the signal
	}{
		{"a heading", "TSLint checks the code", []string{"Tools", "Outdated"}, 1},
		{"a heading above", "TSLint checks the code", []string{"Archive", "Tools"}, 1},
		{"a remark after the mark", "TSLint checks the code", []string{"Outdated, kept for the record"}, 1},
		{"a remark in brackets", "TSLint checks the code", []string{"Linting (deprecated)"}, 1},
		{"a topic that begins with the word", "It runs on gauge-3", []string{"Archive server"}, 0},
		{"German", "TSLint prüft den Code", []string{"Veraltet"}, 1},
		{"Spanish", "TSLint revisa el código", []string{"Obsoleto:"}, 1},
		{"French", "TSLint vérifie le code", []string{"Archivés"}, 1},
		{"Chinese", "用 TSLint 检查代码", []string{"已归档"}, 1},
		{"Japanese", "TSLint でコードを調べる", []string{"廃止"}, 1},
		{"struck out", "~~Port 5432 is the database~~", nil, 1},
		{"struck out in part", "~~Port 5432~~ Port 5433 is the ~~database~~", nil, 0},
		{"a task that is done", "[x] Order the new gauge", nil, 0.5},
		{"an open task", "[ ] Order the new gauge", nil, 0},
		{"a heading of finished tasks", "Order the new gauge", []string{"Erledigt"}, 0.5},
		{"nothing", "Order the new gauge", []string{"Tools"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.5, tt.text, heading(tt.headings...))
			src.addSignals("a", memory.Signals{Context: 1, Coverage: 1})
			for ask, want := range map[string]float64{"which tools do we use": tt.want, "which tools did we use previously": 0} {
				h := mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask, Explain: true}).Hits[0]
				if got := factorOf(t, h, "outdated"); got != want {
					t.Errorf("%s: outdated is %v, want %v", ask, got, want)
				}
			}
		})
	}
}

func TestOutdatedMemoryIsInjectedOnlyIfTheQuestionAsksForThePast(t *testing.T) {
	for _, fusion := range []string{recall.FusionRanking, recall.FusionWeighted} {
		src := &fakeSource{}
		src.add("old", 0.9, "TSLint checks the code", heading("Outdated"))
		src.add("task", 0.8, "[x] Remove the linter of the old code")
		good := memory.Signals{Candidate: memory.Candidate{Score: 1}, Context: 1, Coverage: 1, Cosine: 0.7, NeighbourCosine: 0.7}
		src.addSignals("old", good)
		src.addSignals("task", good)
		r := newRecaller(src, func(s *recall.Settings) { s.Fusion = fusion })
		got, trace := mustRecall(t, r, recall.Prompt{Text: "Which linter checks our code?"})
		wantIDs(t, got.Hits, "task")
		if why, _ := trace.Rejection("old"); why.Reason != recall.RejectedOutdated || !strings.Contains(got.Context, "task, done] [x] Remove") {
			t.Errorf("%s: %+v in %s", fusion, why, got.Context)
		}
		got, _ = mustRecall(t, r, recall.Prompt{Text: "Which linter checked our code previously?"})
		if !strings.Contains(got.Context, "old, outdated] TSLint") {
			t.Errorf("%s: got %s", fusion, got.Context)
		}
	}
}

// TestSuccessorTakesThePlaceOfTheOutdatedMemory asks by the old name.
func TestSuccessorTakesThePlaceOfTheOutdatedMemory(t *testing.T) {
	for _, tt := range []struct{ name, old, current string }{
		{"the new one mentions the old one", "ESLint: checks the code", "Biome: formats and checks. Took over from ESLint"},
		{"the old one tells what replaced it", "ESLint: checks the code. Replaced by Biome", "Biome: formats the code"},
		{"the same label", "Linter: ESLint checks the code", "Linter (Biome): formats the code"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("old", 0.9, tt.old, heading("Outdated"))
			src.add("new", 0.1, tt.current)
			src.add("other", 0.1, "Gulls rest on the mole")
			src.addSignals("old", memory.Signals{Candidate: memory.Candidate{Score: 1}, Context: 1, Coverage: 1, Cosine: 0.7, NeighbourCosine: 0.7})
			src.addSignals("new", memory.Signals{Cosine: 0.1, NeighbourCosine: 0.1})
			src.addSignals("other", memory.Signals{Cosine: 0.2, NeighbourCosine: 0.2})
			wantIDs(t, mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: "how do I set ESLint up"}).Hits, "new", "old", "other")
			got, _ := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: "how do I set ESLint up"})
			wantIDs(t, got.Hits, "new")
		})
	}
}

func TestTextThatIsStruckOutInPartHasAMark(t *testing.T) {
	src := &fakeSource{}
	good := memory.Signals{Candidate: memory.Candidate{Score: 1}, Context: 1, Coverage: 1, Cosine: 0.7, NeighbourCosine: 0.7}
	for id, text := range map[string]string{"mail": "~~The invoices go through SendGrid.~~ Now through Postmark.", "task": "[x] Send the ~~monthly~~ yearly invoices"} {
		src.add(id, 0.9, text)
		src.addSignals(memory.ID(id), good)
	}
	got, _ := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: "How do we send the invoices?"})
	for _, want := range []string{"mail, partly outdated] ~~The invoices", "task, done, partly outdated] [x]"} {
		if !strings.Contains(got.Context, want) {
			t.Errorf("%q is missing in %s", want, got.Context)
		}
	}
}
