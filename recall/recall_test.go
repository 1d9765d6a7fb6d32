package recall_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

func TestRecallReturnsTheBlock(t *testing.T) {
	src := &fakeSource{}
	src.add("port", 0.8, "The collector listens on port 8081", category(memory.CategoryFact))
	src.add("gulls", 0.1, "Gulls sit on the sensor")
	got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Which port does the collector use?"})
	want := "<relevant-memories>\nThe following memories may be relevant:\n- [fact port] The collector listens on port 8081 (80%)\n</relevant-memories>"
	if got.Context != want {
		t.Errorf("got %q", got.Context)
	}
	wantIDs(t, got.Hits, "port")
	if got.Skipped != nil || got.Tokens != (len(want)+3)/4 || got.Lanes[memory.LaneVector] != "ok" {
		t.Errorf("answer %+v", got)
	}
	r, ok := trace.Rejection("gulls")
	if !ok || r.Reason != recall.RejectedBelowFloor || r.Similarity > 0.11 || r.Floor < 0.15 {
		t.Errorf("gulls: rejection %+v", r)
	}
	if trace.Candidates[memory.TierWarm] != 2 || trace.Selected[memory.TierWarm] != 1 || trace.FusedTop[0].ID != "port" || trace.TextTop[0].Score != 0.8 {
		t.Errorf("trace %+v", trace)
	}
	if _, ok := trace.Rejection("port"); ok {
		t.Error("a memory of the block has a rejection")
	}
}

func TestAnswerWithoutMemoriesHasAReason(t *testing.T) {
	current := &memory.Context{Text: "At the quay in Esbjerg", ExpiresAt: now.Add(time.Hour)}
	const block = "<relevant-memories>\n<current-context>At the quay in Esbjerg</current-context>\n</relevant-memories>"
	for _, tt := range []struct {
		name, skipped string
		prompt        recall.Prompt
	}{
		{"trivial", memory.SkippedTrivial, recall.Prompt{Text: "thanks 👍"}},
		{"empty", memory.SkippedTrivial, recall.Prompt{Text: " \n "}},
		{"nothing relevant", memory.SkippedNothing, recall.Prompt{Text: "tell me about quantum chess"}},
		{"no places", memory.SkippedDisabled, recall.Prompt{Text: "which port?", MaxItems: ptr(0)}},
		{"no tokens", memory.SkippedDisabled, recall.Prompt{Text: "which port?", MaxTokens: ptr(0)}},
		{"no space", memory.SkippedTokens, recall.Prompt{Text: "which port?", MaxTokens: ptr(5)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			similarity := 0.9
			if tt.skipped == memory.SkippedNothing {
				similarity = 0.05
			}
			src.add("port", similarity, "The collector listens on port 8081")
			got, _ := mustRecall(t, newRecaller(src), tt.prompt)
			if got.Skipped == nil || *got.Skipped != tt.skipped || got.Context != "" || got.Tokens != 0 || len(got.Hits) != 0 {
				t.Errorf("got %+v", got)
			}
			tt.prompt.Context = current
			want := block
			if tt.skipped == memory.SkippedTokens {
				want = "" // the context does not fit either
			}
			if got, _ = mustRecall(t, newRecaller(src), tt.prompt); got.Context != want || got.Skipped == nil {
				t.Errorf("with a context: %+v", got)
			}
			tt.prompt.Context = &memory.Context{Text: "Yesterday", ExpiresAt: now}
			if got, _ = mustRecall(t, newRecaller(src), tt.prompt); got.Context != "" {
				t.Errorf("with an expired context: %+v", got)
			}
		})
	}
}

func TestRecallRefusesInvalidLimits(t *testing.T) {
	for _, tt := range []struct {
		field  string
		prompt recall.Prompt
	}{
		{"max_items", recall.Prompt{Text: "port", MaxItems: ptr(-1)}},
		{"max_tokens", recall.Prompt{Text: "port", MaxTokens: ptr(-1)}},
	} {
		_, _, err := newRecaller(&fakeSource{}).Recall(t.Context(), now, tt.prompt)
		wantInvalid(t, err, tt.field)
	}
	broken := &fakeSource{textErr: errors.New("malformed"), vectorErr: errors.New("malformed")}
	if _, _, err := newRecaller(broken).Recall(t.Context(), now, recall.Prompt{Text: "which port?"}); err == nil {
		t.Error("a recall without any lane succeeds")
	}
}

func TestMemoriesOfFilesInThePromptAreLeftOut(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.9, "Alpha", inFile("MEMORY.md"), pinned)
	src.add("b", 0.8, "Bravo", inFile("memory/2026-11-01.md"))
	for _, path := range []string{"MEMORY.md", "./MEMORY.md", "/MEMORY.md"} {
		got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1", InPrompt: []string{"USER.md", path}})
		wantIDs(t, got.Hits, "b")
		if r, _ := trace.Rejection("a"); r.Reason != recall.RejectedInPrompt {
			t.Errorf("%s: rejection %+v, want %s", path, r, recall.RejectedInPrompt)
		}
	}
}

func TestHiddenMemoriesAreNeverInjected(t *testing.T) {
	later := memory.ID("later")
	for name, change := range map[string]func(*memory.Memory){
		"forgotten":   forgotten,
		"missing":     func(m *memory.Memory) { m.Missing = true },
		"private":     func(m *memory.Memory) { m.Private = true },
		"quarantined": trust(memory.TrustQuarantined),
		"superseded":  func(m *memory.Memory) { m.SupersededBy = &later },
		"archived":    tier(memory.TierArchive),
	} {
		t.Run(name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.99, "The staging password is under the mat", change)
			got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "the password?",
				Predicate: memory.Predicate{Forgotten: memory.Include, Archive: true}})
			if got.Context != "" || len(got.Hits) != 0 {
				t.Errorf("injected: %q", got.Context)
			}
			if p := src.predicates; len(p) > 0 && (!p[0].Model || p[0].Archive) {
				t.Errorf("predicate %+v", p[0])
			}
		})
	}
}

func TestMemoriesOfAnotherScopeAreLeftOut(t *testing.T) {
	src := &fakeSource{}
	src.add("work", 0.9, "Alpha", scope("work"))
	src.add("home", 0.9, "Bravo", scope("home"))
	src.add("any", 0.7, "Charlie", scope(memory.ScopeGlobal))
	src.add("none", 0.5, "Delta")
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1", Predicate: memory.Predicate{View: memory.View{Scope: "work"}}})
	wantIDs(t, got.Hits, "work", "any", "none")
}

func TestDefaultFloorIsOneFifth(t *testing.T) {
	src := &fakeSource{}
	src.add("above", 0.205, "Alpha")
	src.add("below", 0.195, "Bravo")
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1"})
	wantIDs(t, got.Hits, "above")
}

func TestBlockHasAThousandTokensByDefault(t *testing.T) {
	src := &fakeSource{}
	for i := range 20 {
		src.add(string(idf("m%02d", i)), 0.9, string(idf("Subject%d ", i))+strings.Repeat("x", 380))
	}
	if got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1"}); got.Tokens <= 900 || got.Tokens > 1000 {
		t.Errorf("the block has %d tokens, want at most 1000 and nearly as many", got.Tokens)
	}
}

func TestTraceHoldsTheThreeBestOfEachLane(t *testing.T) {
	src := &fakeSource{}
	addMany(src, "m", 15, 0.9)
	_, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "x1"})
	if len(trace.TextTop) != 3 || len(trace.VectorTop) != 3 || len(trace.FusedTop) != 3 {
		t.Errorf("the trace holds %d, %d and %d candidates", len(trace.TextTop), len(trace.VectorTop), len(trace.FusedTop))
	}
}

func TestPinnedMemoriesNeedHalfTheFloor(t *testing.T) {
	src := &fakeSource{}
	src.add("plain", 0.25, "Alpha")
	src.add("pin", 0.25, "Bravo", pinned)
	src.add("far", 0.15, "Charlie", pinned)
	r := newRecaller(src, func(s *recall.Settings) { s.Floor = 0.4 })
	got, _ := mustRecall(t, r, recall.Prompt{Text: "x1"})
	wantIDs(t, got.Hits, "pin")
}

func TestIDPrefixesAreReadAtOnce(t *testing.T) {
	src := &fakeSource{}
	for i := range 100 {
		src.add(fmt.Sprintf("port-%d", i), 0.8, fmt.Sprintf("The %s collector listens on port %d", strings.Repeat("x", i), 8000+i))
	}
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Which port does the collector use?", MaxItems: ptr(10)})
	if len(got.Hits) != 10 || src.prefixReads != 1 {
		t.Errorf("%d memories in the block, prefixes read %d times", len(got.Hits), src.prefixReads)
	}
	for _, hit := range got.Hits {
		if !strings.Contains(got.Context, string(hit.ID)) {
			t.Errorf("%s has no prefix in %s", hit.ID, got.Context)
		}
	}
}

// The memory of candidates is used again by the next question. No answer may show it.
func TestAnswersOutliveTheirCandidates(t *testing.T) {
	first, second := &fakeSource{}, &fakeSource{}
	first.add("port", 0.8, "The collector listens on port 8081")
	first.add("twin", 0.7, "The collector listens on port 8081.")
	first.add("gulls", 0.1, "Gulls sit on the sensor")
	for i := range 9 {
		second.add(fmt.Sprint("other", i), 0.9, fmt.Sprintf("Number %d of the other owner", i), pinned, tier(memory.TierHot))
	}
	const question = "Which port does the collector use?"
	block, trace := mustRecall(t, newRecaller(first), recall.Prompt{Text: question})
	hits := must.Get(newRecaller(first).Search(t.Context(), now, recall.SearchOptions{Text: question, Explain: true}))(t)
	show := func() string {
		out := must.Get(json.Marshal([]any{block, trace, hits}))(t)
		return string(out)
	}
	before := show()
	for range 20 {
		mustRecall(t, newRecaller(second), recall.Prompt{Text: question})
	}
	if after := show(); after != before || strings.Contains(after, "other") {
		t.Errorf("after other questions the answers are\n%s, before\n%s", after, before)
	}
	again, _ := mustRecall(t, newRecaller(first), recall.Prompt{Text: question})
	if again.Context != block.Context || !reflect.DeepEqual(again.Hits, block.Hits) {
		t.Errorf("the same question has %+v, before %+v", again, block)
	}
}
