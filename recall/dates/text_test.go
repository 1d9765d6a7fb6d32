package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
)

// TestDatesInLongTextsAreRead puts an expression between many words.
func TestDatesInLongTextsAreRead(t *testing.T) {
	written := time.Date(2026, 5, 8, 18, 0, 0, 0, time.UTC) // a Friday
	filler := strings.Repeat("the crew painted hull and mast while others cooked ", 60)
	for text, day := range map[string]string{
		"I saw the doctor yesterday":                "7 may 2026",
		"they moved three days ago":                 "5 may 2026",
		"wir waren vor drei Tagen dort":             "5 may 2026",
		"nous y étions il y a 3 jours":              "5 may 2026",
		"lo vimos hace 3 días":                      "5 may 2026",
		"she called last Tuesday":                   "5 may 2026",
		"on l'a vu mardi dernier":                   "5 may 2026",
		"it broke on 2 May, and today it works":     "2 may 2026",
		"nothing happened, a last word was said":    "",
		"dort stand gestern ein Zug, und hier auch": "7 may 2026",
	} {
		for _, long := range []string{text, filler + text + " " + filler} {
			for _, ask := range []string{"7 may 2026", "5 may 2026", "2 may 2026"} {
				_, got := dates.Read(ask, wednesday).MatchMemory(&memory.Memory{Text: long, CreatedAt: written}, time.UTC)
				if want := ask == day; (got == 1) != want {
					t.Errorf("%q in %d bytes is about %s: %v, want %v", text, len(long), ask, got == 1, want)
				}
			}
		}
	}
}
