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
		{"glue words", "The user prefers tabs over spaces in Go", "I prefer tabs over the spaces in Go", true},
		{"a word more", "Lena wants code reviews in the mornings and never after lunch please",
			"Lena wants code reviews in the mornings and quietly never after lunch", true},
		{"unlike texts", "Prefers tabs over spaces in Go", "The vet is closed on Wednesdays", false},
		{"another name", "Anna takes the dog to the vet on the last Friday of every month", "Berta takes the dog to the vet on the last Friday of every month", false},
		{"another number", "The collector on the first machine listens on port 8080 for all harbours", "The collector on the first machine listens on port 8081 for all harbours", false},
		{"another day", "The team meets for planning in the small room on Monday", "The team meets for planning in the small room on Tuesday", false},
		{"another month", "the long holiday with all of the family starts in july", "the long holiday with all of the family starts in august", false},
		{"another date", "Contract with the landlord signed and filed in the blue folder on 2026-03-01", "Contract with the landlord signed and filed in the blue folder on 2026-04-01", false},
		{"another identifier", "the error shown on the big screen in the office was TW-1042", "the error shown on the big screen in the office was TW-1043", false},
		{"another path", "logs of the collector are rotated daily into /var/log/a.log by cron", "logs of the collector are rotated daily into /var/log/b.log by cron", false},
		{"a negation", "deploys of the collector go out in the evening after the tide", "deploys of the collector do not go out in the evening after the tide", false},
		{"a contraction", "the standby is allowed to send alarms while the primary restarts", "the standby isn't allowed to send alarms while the primary restarts", false},
		{"an opposite", "alarms are enabled for the gauge behind the ice house", "alarms are disabled for the gauge behind the ice house", false},
		{"before and after", "run the migration before the switch of the symlink and check", "run the migration after the switch of the symlink and check", false},
		{"an order of names", "the spare key went from Sanne to Pieter last week", "the spare key went from Pieter to Sanne last week", false},
		{"an operator", "if level < limit then the alarm is raised at once", "if level > limit then the alarm is raised at once", false},
		{"a sign", "it was -5 degrees in the pantry this morning", "it was 5 degrees in the pantry this morning", false},
		{"who", "she takes the insulin out of the fridge every single morning", "he takes the insulin out of the fridge every single morning", false},
		{"a Chinese negation", "我们在星期二部署到生产环境", "我们不在星期二部署到生产环境", false},
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
	if left, ok := trace.Rejection("c"); !ok || left.Reason != recall.RejectedDuplicate || left.By != "a" {
		t.Errorf("left %+v", left)
	}
}
