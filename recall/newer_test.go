package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestNewerValueComesFirst(t *testing.T) {
	old := created(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	later := created(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))
	for _, tt := range []struct {
		name, first, second string
		change              func(*memory.Memory) // of the second
		want                []memory.ID
	}{
		{"another number", "Staging listens on port 8080", "Staging listens on port 8081", later, []memory.ID{"second", "first"}},
		{"a word of change", "The standup in staging is at 09:00", "The standup in staging moved to 09:30", later, []memory.ID{"second", "first"}},
		{"the former value by name", "The staging database is Postgres", "Switched to MariaDB from Postgres", later, []memory.ID{"second", "first"}},
		{"a part of the sentence", "The staging port is 8080", "8080 was taken by the printer, the staging port is 8081", later, []memory.ID{"second", "first"}},
		{"in another place", "The staging printer in the hall is a Brother, 192.168.0.4", "The staging printer in the attic is a Canon, 192.168.0.9", later, []memory.ID{"first", "second"}},
		{"a mere idea", "The staging database is Postgres", "Maybe use MariaDB instead of Postgres for the staging database", later, []memory.ID{"first", "second"}},
		{"for a week", "Staging listens on port 8080", "Staging listens on port 8081 instead of 8080 this week", later, []memory.ID{"first", "second"}},
		{"the end of it", "Staging is vegetarian", "Staging is no longer vegetarian", later, []memory.ID{"second", "first"}},
		{"beside the first", "We use Redis for the staging cache", "We now also use Postgres for the staging cache", later, []memory.ID{"first", "second"}},
		{"the same day", "Staging listens on port 8080", "Staging listens on port 8081", old, []memory.ID{"first", "second"}},
		{"another subject", "Staging listens on port 8080", "Gulls rest on the mole in winter", later, []memory.ID{"first", "second"}},
		{"in another scope", "Staging listens on port 8080", "Staging listens on port 8081", func(m *memory.Memory) { later(m); m.Scope = "b" }, []memory.ID{"first", "second"}},
		{"an exception", "Staging listens on port 8080", "Staging listens on port 8081 on weekends", later, []memory.ID{"first", "second"}},
		{"outdated", "Staging listens on port 8080", "~~Staging listens on port 8081~~", later, []memory.ID{"first"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("first", 0.9, tt.first, old)
			src.add("second", 0.8, tt.second, tt.change)
			got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Which port does staging use?"})
			wantIDs(t, got.Hits, tt.want...)
			if marked := strings.Contains(got.Context, "first, older]"); marked != (tt.want[0] == "second") {
				t.Errorf("got %s", got.Context)
			}
		})
	}
}

// TestNewerOfTwoEquallySimilarComesFirst needs no word of change: only the order
// differs, and the older memory has no mark.
func TestNewerOfTwoEquallySimilarComesFirst(t *testing.T) {
	old := created(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	later := created(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))
	src := &fakeSource{}
	src.add("first", 0.9, "The book club meets Tuesday evenings", old)
	src.add("second", 0.9, "The book club meets Thursday", later)
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "When does the book club meet?"})
	wantIDs(t, got.Hits, "second", "first")
	if strings.Contains(got.Context, "older]") {
		t.Errorf("got %s", got.Context)
	}
}

func TestQuestionAboutThePastGetsTheOlderValueFirst(t *testing.T) {
	for text, wantMark := range map[string]bool{
		"Which port did staging use previously?": true,
	} {
		src := &fakeSource{}
		src.add("second", 0.9, "Staging listens on port 8081", created(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)))
		src.add("first", 0.8, "Staging listens on port 8080", created(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)))
		got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: text})
		wantIDs(t, got.Hits, "first", "second")
		if marked := strings.Contains(got.Context, "first, older]"); marked != wantMark {
			t.Errorf("%q: got %s", text, got.Context)
		}
	}
}
