package similar_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

// pair is two statements of testdata/updates.tsv.
type pair struct {
	unseen       bool // not looked at while the rule was written
	updates      bool
	older, newer string
}

func readPairs(t *testing.T) (pairs []pair) {
	t.Helper()
	data, err := os.ReadFile("testdata/updates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); !strings.HasPrefix(line, "#") {
			pairs = append(pairs, pair{f[0] == "unseen", f[1] == "yes", f[2], f[3]})
		}
	}
	return pairs
}

func updates(newer, older string) bool {
	a, b := similar.NewStatement(newer), similar.NewStatement(older)
	return a.Updates(&b)
}

func TestUpdatesFindsPairsThatTheRuleWasWrittenFor(t *testing.T) {
	for _, p := range readPairs(t) {
		if got := updates(p.newer, p.older); !p.unseen && got != p.updates {
			t.Errorf("Updates(%q, %q) = %t", p.newer, p.older, got)
		}
	}
}

// TestUpdatesOfUnseenPairs measures pairs that were not looked at while the rule was
// written. It names none of them, so that the rule is not fitted to them.
func TestUpdatesOfUnseenPairs(t *testing.T) {
	found, wrong, all := 0, 0, 0
	for _, p := range readPairs(t) {
		if !p.unseen {
			continue
		}
		got := updates(p.newer, p.older)
		switch {
		case p.updates && got:
			found++
		case got:
			wrong++
		}
		if p.updates {
			all++
		}
	}
	t.Logf("%d of %d updates found, %d others", found, all, wrong)
	if found < all-2 || wrong > 1 {
		t.Errorf("%d of %d updates found, and %d pairs that may both hold", found, all, wrong)
	}
}

func TestSameSubjectNeedsNoWordOfChange(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"The book club meets Tuesday evenings", "The book club meets Thursday", true},
		{"Anna's son Max is 7", "Anna's daughter Lea is 9", false},
		{"The office in Oslo opens at 8", "The office in Bergen opens at 9", false},
	} {
		a, b := similar.NewStatement(tt.a), similar.NewStatement(tt.b)
		if got := a.SameSubject(&b); got != tt.want {
			t.Errorf("SameSubject(%q, %q) = %t", tt.a, tt.b, got)
		}
	}
}

func TestSeemsToChangeNeedsAWordOfChange(t *testing.T) {
	for newer, want := range map[string]bool{
		"Tom takes milk in his coffee these days":    true,
		"Tom takes milk in his coffee":               false,
		"Tom takes milk in his tea these days":       false,
		"Tom also has milk in his coffee these days": false,
		"Maybe Tom takes milk in his coffee now":     false,
	} {
		a, b := similar.NewStatement(newer), similar.NewStatement("Tom drinks his coffee black")
		if got := a.SeemsToChange(&b); got != want {
			t.Errorf("SeemsToChange(%q) = %t", newer, got)
		}
	}
}

func FuzzUpdates(f *testing.F) {
	f.Add("Backup now at 03:15 (was 02:00)", "Backup runs at 02:00")
	f.Add("→ 3 from 1 de instead of", "( n'x 1. ne plus d' : Mieterhöhung")
	f.Fuzz(func(t *testing.T, newer, older string) {
		updates(newer, older)
		if updates(newer, newer) {
			t.Errorf("%q updates itself", newer)
		}
	})
}

// BenchmarkUpdates compares ten statements, as one question does at most.
func BenchmarkUpdates(b *testing.B) {
	texts := []string{
		"The home server listens on port 8081 now, 8080 was taken by the printer", "The home server listens on port 8080",
		"We decided to use Redis for the weather station cache", "Dropped Redis in the weather station, the cache is a plain SQLite table now",
		"As of November we use Python 3.13 for the models", "We use Python 3.11 for the models", "Reduced the upload limit to 5 MB",
		"The upload limit is 10 MB", "Der Newsletter erscheint neuerdings am Dienstag", "Der Newsletter erscheint am Freitag",
	}
	for b.Loop() {
		read := make([]similar.Statement, len(texts))
		for i := range texts {
			read[i] = similar.NewStatement(texts[i])
			for k := range i {
				read[i].Updates(&read[k])
				read[i].SameSubject(&read[k])
			}
		}
	}
}
