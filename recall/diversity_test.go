package recall_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestNearDuplicatesCollapseAndDifferencesStay(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"equal", "Prefers tabs over spaces in Go", "Prefers tabs over spaces in Go", true},
		{"punctuation and case", "prefers tabs over spaces in Go.", "Prefers tabs over spaces in Go", true},
		{"invisible characters", "prefers ta\u200bbs over spaces in Go", "Prefers tabs over\tspaces in Go", true},
		{"unlike texts", "Prefers tabs over spaces in Go", "The vet is closed on Wednesdays", false},
		{"another number", "The collector on the first machine listens on port 8080 for all harbours", "The collector on the first machine listens on port 8081 for all harbours", false},
		{"equal Chinese", "我们在星期二部署到生产环境。", "我们在星期二部署到生产环境", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			w.add("a", 0.8, tt.a)
			w.add("b", 0.7, tt.b)
			got := search(t, recaller(w), recall.SearchOptions{Text: "x1"})
			if same := len(got.Hits) == 1; same != tt.same {
				t.Errorf("%d hits", len(got.Hits))
			}
		})
	}
}

func TestWhoSpeaksForDuplicates(t *testing.T) {
	const text = "Prefers tabs over spaces in Go"
	old := created(now.AddDate(0, -6, 0))
	for _, tt := range []struct {
		name   string
		change [2]func(*memory.Memory)
		want   []memory.ID
	}{
		{"the newest", [2]func(*memory.Memory){old, created(now)}, []memory.ID{"b"}},
		{"the newest, if it stands first too", [2]func(*memory.Memory){created(now), old}, []memory.ID{"a"}},
		{"the one edited last", [2]func(*memory.Memory){func(m *memory.Memory) { old(m); m.EditedAt = ptr(now) }, created(now.AddDate(0, -1, 0))}, []memory.ID{"a"}},
		{"a pinned one first", [2]func(*memory.Memory){func(m *memory.Memory) { old(m); m.Pinned = true }, created(now)}, []memory.ID{"a"}},
		{"none for another scope", [2]func(*memory.Memory){scope("work"), scope("home")}, []memory.ID{"a", "b"}},
		{"none for another trust", [2]func(*memory.Memory){trust(memory.TrustTrusted), trust(memory.TrustUntrusted)}, []memory.ID{"a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			w.add("a", 0.8, text, tt.change[0])
			w.add("b", 0.7, text, tt.change[1])
			wantIDs(t, search(t, recaller(w), recall.SearchOptions{Text: "x1"}).Hits, tt.want...)
		})
	}
}

func TestAShortTextSpeaksUnderItsHeading(t *testing.T) {
	w := &world{}
	w.add("a", 0.8, "port 5432", heading("Databases", "Staging"))
	w.add("b", 0.7, "port 5432", heading("Databases", "Production"))
	w.add("c", 0.6, "port 5432", heading("Databases", "Staging", "Monday, 4 May 2026"))
	got, trace := inject(t, recaller(w), recall.Prompt{Text: "which port?"})
	wantIDs(t, got.Hits, "a", "b")
	if left, ok := trace.Rejection("c"); !ok || left.Reason != recall.RejectedDuplicate || left.DuplicateOf != "a" {
		t.Errorf("left %+v", left)
	}
}
