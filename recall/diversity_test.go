package recall_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

var longNote = strings.Repeat("The collector on the quay listens on port 8080 for every harbour. ", 10)

// veryLong is a text whose words are not compared.
var veryLong = strings.Repeat(longNote, 100)

func TestSearchListsNearDuplicatesOnce(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"equal", "Prefers tabs over spaces in Go", "Prefers tabs over spaces in Go", true},
		{"punctuation and case", "prefers tabs over spaces in Go.", "Prefers tabs over spaces in Go", true},
		{"invisible characters", "prefers ta\u200bbs over spaces in Go", "Prefers tabs over\tspaces in Go", true},
		{"unlike texts", "Prefers tabs over spaces in Go", "The vet is closed on Wednesdays", false},
		{"another number", "The collector on the first machine listens on port 8080 for all harbours", "The collector on the first machine listens on port 8081 for all harbours", false},
		{"long texts", longNote + "It is green", longNote + "It was green.", true},
		{"long texts with another number", longNote + "Berth 4", longNote + "Berth 5", false},
		{"very long texts", veryLong, veryLong, true},
		{"very long texts with another end", veryLong + "It is green", veryLong + "It was green.", false},
		{"equal Chinese", "我们在星期二部署到生产环境。", "我们在星期二部署到生产环境", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.8, tt.a)
			src.add("b", 0.7, tt.b)
			got := mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "x1"})
			if same := len(got.Hits) == 1; same != tt.same {
				t.Errorf("%d hits for near-duplicates = %t", len(got.Hits), tt.same)
			}
		})
	}
}

func TestOneMemoryRepresentsItsDuplicates(t *testing.T) {
	const text = "Prefers tabs over spaces in Go"
	old := created(now.AddDate(0, -6, 0))
	for _, tt := range []struct {
		name   string
		change [2]func(*memory.Memory)
		want   []memory.ID
	}{
		{"the newest", [2]func(*memory.Memory){old, created(now)}, []memory.ID{"b"}},
		{"the newest, if it is first", [2]func(*memory.Memory){created(now), old}, []memory.ID{"a"}},
		{"the one edited last", [2]func(*memory.Memory){func(m *memory.Memory) { old(m); m.EditedAt = ptr(now) }, created(now.AddDate(0, -1, 0))}, []memory.ID{"a"}},
		{"a pinned one before a newer one", [2]func(*memory.Memory){func(m *memory.Memory) { old(m); m.Pinned = true }, created(now)}, []memory.ID{"a"}},
		{"none in another scope", [2]func(*memory.Memory){scope("work"), scope("home")}, []memory.ID{"a", "b"}},
		{"none of another trust tier", [2]func(*memory.Memory){trust(memory.TrustTrusted), trust(memory.TrustUntrusted)}, []memory.ID{"a", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.8, text, tt.change[0])
			src.add("b", 0.7, text, tt.change[1])
			wantIDs(t, mustSearch(t, newRecaller(src), recall.SearchOptions{Text: "x1"}).Hits, tt.want...)
		})
	}
}

func TestShortTextsWithDifferentHeadingsAreNoDuplicates(t *testing.T) {
	src := &fakeSource{}
	src.add("a", 0.8, "port 5432", heading("Databases", "Staging"))
	src.add("b", 0.7, "port 5432", heading("Databases", "Production"))
	src.add("c", 0.6, "port 5432", heading("Databases", "Staging", "Monday, 4 May 2026"))
	got, trace := mustRecall(t, newRecaller(src), recall.Prompt{Text: "which port?"})
	wantIDs(t, got.Hits, "a", "b")
	if r, ok := trace.Rejection("c"); !ok || r.Reason != recall.RejectedDuplicate || r.DuplicateOf != "a" {
		t.Errorf("rejection %+v, want a duplicate of a", r)
	}
}
