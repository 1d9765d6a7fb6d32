package store_test

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/engine/store"
)

//go:embed testdata/relativedays.tsv
var relativeDays string

// withDays returns a text as a note has it that was said at a time.
func withDays(t interface{ Fatal(...any) }, text string, at time.Time) string {
	admitted, err := store.Admit(text, true)
	if err != nil {
		t.Fatal(err)
	}
	return admitted.WithDays(at).String()
}

// TestRelativeDaysGetTheirDates reads sentences in six languages, said on a Monday.
func TestRelativeDaysGetTheirDates(t *testing.T) {
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.Lines(relativeDays) {
		half, sentence, isSentence := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !isSentence {
			continue
		}
		text, want, _ := strings.Cut(sentence, "\t")
		if want == "=" {
			want = text
		}
		all[half]++
		if got := withDays(t, text, monday); got != want {
			t.Errorf("%s: %q becomes %q, want %q", half, text, got, want)
			continue
		}
		right[half]++
		if again := withDays(t, want, monday); again != want {
			t.Errorf("again, %q becomes %q", want, again)
		}
	}
	t.Logf("right: %v of %v", right, all)
}

// TestDatesAreOnlyAdded takes the dates out of a text again, which mixes words, marks and days.
func TestDatesAreOnlyAdded(t *testing.T) {
	parts := append(strings.FieldsFunc(relativeDays, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }),
		"\"", "“", "”", "`", "(", ")", ",", ".", "\n", "\xff", "İ", "今天", "昨日は", "11月24日", "’s")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 40).Draw(t, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "between"))
		now := time.Date(2000, 1, 1, 23, 59, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 1000).Draw(t, "days"))
		without := withDays(t, text, now)
		for offset := -21; offset <= 21; offset++ {
			for _, form := range []string{" (2006-01-02)", "（2006年1月2日）"} {
				without = strings.ReplaceAll(without, now.AddDate(0, 0, offset).Format(form), "")
			}
		}
		if without != text {
			t.Errorf("%q becomes %q", text, withDays(t, text, now))
		}
	})
}
