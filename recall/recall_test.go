package recall_test

import (
	"errors"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestRecallGivesTheBlock(t *testing.T) {
	w := &world{}
	w.add("port", 0.8, "The collector listens on port 8081", categoryOrOther(memory.CategoryFact))
	w.add("gulls", 0.1, "Gulls sit on the sensor")
	got, trace := inject(t, recaller(w), recall.Prompt{Text: "Which port does the collector use?"})
	want := "<relevant-memories>\nThe following memories may be relevant:\n- [fact] The collector listens on port 8081 (70%)\n</relevant-memories>"
	if got.Context != want {
		t.Errorf("got %q", got.Context)
	}
	wantIDs(t, got.Hits, "port")
	if got.Skipped != nil || got.Tokens != (len(want)+3)/4 || got.Lanes[memory.LaneVector] != "ok" {
		t.Errorf("answer %+v", got)
	}
	left, ok := trace.Rejection("gulls")
	if !ok || left.Reason != recall.RejectedBelowFloor || left.Similarity > 0.11 || left.Floor < 0.15 {
		t.Errorf("gulls: %+v", left)
	}
	if trace.Candidates[memory.TierWarm] != 2 || trace.Selected[memory.TierWarm] != 1 || trace.FusedTop[0].ID != "port" || trace.TextTop[0].Score != 0.8 {
		t.Errorf("trace %+v", trace)
	}
	if _, ok := trace.Rejection("port"); ok {
		t.Error("what is in the block is said to be left out")
	}
}

func TestWhyThereAreNoMemories(t *testing.T) {
	slot := &memory.Context{Text: "At the quay in Esbjerg", ExpiresAt: now.Add(time.Hour)}
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
		{"no room", memory.SkippedNothing, recall.Prompt{Text: "which port?", MaxTokens: ptr(5)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			similarity := 0.9
			if tt.skipped == memory.SkippedNothing && tt.prompt.MaxTokens == nil {
				similarity = 0.05
			}
			w.add("port", similarity, "The collector listens on port 8081")
			got, _ := inject(t, recaller(w), tt.prompt)
			if got.Skipped == nil || *got.Skipped != tt.skipped || got.Context != "" || got.Tokens != 0 || len(got.Hits) != 0 {
				t.Errorf("got %+v", got)
			}
			tt.prompt.Context = slot
			if got, _ = inject(t, recaller(w), tt.prompt); got.Context != block || got.Skipped == nil {
				t.Errorf("with a context: %+v", got)
			}
			tt.prompt.Context = &memory.Context{Text: "Yesterday", ExpiresAt: now}
			if got, _ = inject(t, recaller(w), tt.prompt); got.Context != "" {
				t.Errorf("with an expired context: %+v", got)
			}
		})
	}
}

func TestRecallRefusesWhatItCannotAnswer(t *testing.T) {
	for _, tt := range []struct {
		field  string
		prompt recall.Prompt
	}{
		{"max_items", recall.Prompt{Text: "port", MaxItems: ptr(-1)}},
		{"max_tokens", recall.Prompt{Text: "port", MaxTokens: ptr(-1)}},
	} {
		_, _, err := recaller(&world{}).Recall(t.Context(), now, tt.prompt)
		wantInvalid(t, err, tt.field)
	}
	broken := &world{textErr: errors.New("malformed"), vectorErr: errors.New("malformed")}
	if _, _, err := recaller(broken).Recall(t.Context(), now, recall.Prompt{Text: "which port?"}); err == nil {
		t.Error("a recall that nothing serves succeeds")
	}
}

func TestWhatThePromptHoldsAlreadyIsNotSaidTwice(t *testing.T) {
	w := &world{}
	w.add("a", 0.9, "Alpha", signalIndex("MEMORY.md"), pinned)
	w.add("b", 0.8, "Bravo", signalIndex("memory/2026-11-01.md"))
	for _, path := range []string{"MEMORY.md", "./MEMORY.md", "/MEMORY.md"} {
		got, trace := inject(t, recaller(w), recall.Prompt{Text: "x1", InPrompt: []string{"USER.md", path}})
		wantIDs(t, got.Hits, "b")
		if left, _ := trace.Rejection("a"); left.Reason != recall.RejectedInPrompt {
			t.Errorf("%s: %+v", path, left)
		}
	}
}

func TestWhatIsNeverInjected(t *testing.T) {
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
			w := &world{}
			w.add("a", 0.99, "The staging password is under the mat", change)
			got, _ := inject(t, recaller(w), recall.Prompt{Text: "the password?",
				Predicate: memory.Predicate{Forgotten: memory.Include, Archive: true}})
			if got.Context != "" || len(got.Hits) != 0 {
				t.Errorf("injected: %q", got.Context)
			}
			if p := w.asked; len(p) > 0 && (!p[0].Injectable || p[0].Archive || p[0].Forgotten != memory.Exclude) {
				t.Errorf("asked with %+v", p[0])
			}
		})
	}
}

func TestScopeIsAHardFilter(t *testing.T) {
	w := &world{}
	w.add("work", 0.9, "Alpha", scope("work"))
	w.add("home", 0.9, "Bravo", scope("home"))
	w.add("any", 0.7, "Charlie", scope(memory.ScopeGlobal))
	w.add("none", 0.5, "Delta")
	got, _ := inject(t, recaller(w), recall.Prompt{Text: "x1", Predicate: memory.Predicate{Scope: "work"}})
	wantIDs(t, got.Hits, "work", "any", "none")
}

func TestPinsPassAtHalfTheFloor(t *testing.T) {
	w := &world{}
	w.add("plain", 0.25, "Alpha")
	w.add("pin", 0.25, "Bravo", pinned)
	w.add("far", 0.15, "Charlie", pinned)
	r := recaller(w, func(s *recall.Settings) { s.Floor = 0.4 })
	got, _ := inject(t, r, recall.Prompt{Text: "x1"})
	wantIDs(t, got.Hits, "pin")
}
