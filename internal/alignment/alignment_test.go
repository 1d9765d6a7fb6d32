package alignment_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/alignment"
)

// readRows returns the rows of a table in testdata, without its comments.
func readRows(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
		}
	}
	return rows
}

func compare(newer, older string) alignment.Relation {
	return alignment.Compare(alignment.Read(newer), alignment.Read(older))
}

// TestNewerValueReplacesTheOlderOne covers the pairs that the tables were written with. Of the
// others it only counts: a memory that is lost is worse than one that is kept beside another.
func TestNewerValueReplacesTheOlderOne(t *testing.T) {
	found, all, wrong := 0, 0, 0
	for _, row := range readRows(t, "pairs.tsv") {
		half, want, older, newer := row[0], row[1] == "replaces", row[2], row[3]
		got := compare(newer, older) == alignment.Replaces
		switch {
		case half == "tune" && got != want:
			t.Errorf("%q after %q replaces it: %t, want %t", newer, older, got, want)
		case half == "tune":
		case got && !want:
			wrong++
		case want:
			if all++; got {
				found++
			}
		}
	}
	t.Logf("%d of %d found, %d wrong", found, all, wrong)
	if wrong > 0 || 10*found < 6*all {
		t.Errorf("%d of %d found, %d wrong", found, all, wrong)
	}
}

// TestComparisons asks questions whose answer does not depend on which text is newer.
func TestComparisons(t *testing.T) {
	isContradiction := func(a, b *alignment.Text) bool {
		found := alignment.Compare(a, b)
		return found == alignment.Contradicts || found == alignment.Replaces
	}
	questions := map[string]func(a, b *alignment.Text) bool{
		"duplicate":     func(a, b *alignment.Text) bool { return a.NearDuplicate(b) },
		"disputes":      func(a, b *alignment.Text) bool { return a.Disputes(b) },
		"same":          func(a, b *alignment.Text) bool { return alignment.Compare(a, b) == alignment.Same },
		"contradiction": func(a, b *alignment.Text) bool { return isContradiction(a, b) || isContradiction(b, a) },
	}
	for _, row := range readRows(t, "comparisons.tsv") {
		want := row[1] == "yes"
		for _, pair := range [][]string{row[2:], {row[3], row[2]}} {
			if got := questions[row[0]](alignment.Read(pair[0]), alignment.Read(pair[1])); got != want {
				t.Errorf("%s: %q and %q: %t, want %t", row[0], pair[0], pair[1], got, want)
			}
		}
	}
}

func TestTextContainsAnotherOneInItsOwnWords(t *testing.T) {
	for _, row := range readRows(t, "contains.tsv") {
		want := row[0] == "yes"
		if got := alignment.Read(row[1]).Contains(alignment.Read(row[2])); got != want {
			t.Errorf("%q contains %q: %t, want %t", row[1], row[2], got, want)
		}
	}
}

func TestShortTextNeedsItsHeading(t *testing.T) {
	for text, want := range map[string]bool{
		"port 5432":                            true,
		"the database listens right here":      true,
		"the database listens on this machine": false,
	} {
		if got := alignment.IsShort(text); got != want {
			t.Errorf("IsShort(%q) = %t", text, got)
		}
	}
}

func FuzzCompare(f *testing.F) {
	for _, s := range []string{"", "port 5432", "我们不在", "isn't -5 <= |", "\xff ’s", "é́ ー", "ne plus d' : Mieterhöhung", "→ 3 from 1 de instead of", "8月3日から", "from 1 October to"} {
		f.Add(s, "The vet is closed on Wednesdays")
		f.Add(s, "Backup now at 03:15 (was 02:00)")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := alignment.Read(a), alignment.Read(b)
		if got := alignment.Compare(x, x); got != alignment.Same || !x.NearDuplicate(x) {
			t.Errorf("%q does not say the same as itself: %d", a, got)
		}
		if x.NearDuplicate(y) != y.NearDuplicate(x) {
			t.Errorf("%q and %q: the order matters", a, b)
		}
		alignment.Compare(x, y)
		x.Contains(y)
		alignment.Contradictions([]alignment.Said{{Text: a}, {Text: b}})
		alignment.NearDuplicates(slices.Repeat([]string{a, b}, 2))
	})
}

// BenchmarkCompare compares ten statements, as one question does at most.
func BenchmarkCompare(b *testing.B) {
	texts := []string{
		"The home server listens on port 8081 now, 8080 was taken by the printer", "The home server listens on port 8080",
		"We decided to use Redis for the weather station cache", "Dropped Redis in the weather station, the cache is a plain SQLite table now",
		"As of November we use Python 3.13 for the models", "We use Python 3.11 for the models", "Reduced the upload limit to 5 MB",
		"The upload limit is 10 MB", "Der Newsletter erscheint neuerdings am Dienstag", "Der Newsletter erscheint am Freitag",
	}
	for b.Loop() {
		read := make([]*alignment.Text, len(texts))
		for i := range texts {
			read[i] = alignment.Read(texts[i])
			for k := range i {
				alignment.Compare(read[i], read[k])
			}
		}
	}
}

// BenchmarkNearDuplicate compares a hundred long texts, as one search does.
func BenchmarkNearDuplicate(b *testing.B) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = strings.Repeat("The collector on the quay listens on a port for every harbour of the town. ", 10) + strings.Repeat("more ", i)
	}
	for b.Loop() {
		read := make([]*alignment.Text, len(texts))
		for i := range texts {
			read[i] = alignment.Read(texts[i])
			for k := range i {
				read[i].NearDuplicate(read[k])
			}
		}
	}
}
