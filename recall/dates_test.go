package recall_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestDatesInAQuestion(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 10, 0, 0, 0, time.UTC) } // now is Friday, 20 November 2026
	for _, tt := range []struct {
		ask        string
		month, day time.Time // dates with the signal "month", and with "day" as well
		not        time.Time // a date with neither
	}{
		{"what did we do in May?", day(2024, 5, 3), time.Time{}, day(2024, 6, 3)},
		{"on 7 May", day(2024, 5, 3), day(2025, 5, 7), day(2024, 6, 7)},
		{"on May 7th, 2025", day(2025, 5, 3), day(2025, 5, 7), day(2024, 5, 7)},
		{"im März", day(2026, 3, 1), time.Time{}, day(2026, 4, 1)},
		{"en diciembre", day(2025, 12, 1), time.Time{}, day(2025, 11, 1)},
		{"en août", day(2025, 8, 1), time.Time{}, day(2025, 9, 1)},
		{"may I march on?", time.Time{}, time.Time{}, day(2026, 5, 1)},
		{"in 2024", day(2024, 8, 1), time.Time{}, day(2025, 8, 1)},
		{"yesterday", day(2026, 11, 19), time.Time{}, day(2026, 11, 18)},
		{"gestern", day(2026, 11, 19), time.Time{}, day(2026, 11, 20)},
		{"what happened last week", day(2026, 11, 11), time.Time{}, day(2026, 11, 17)},
		{"letzte Woche", day(2026, 11, 9), time.Time{}, day(2026, 11, 16)},
		{"la semana pasada", day(2026, 11, 15), time.Time{}, day(2026, 11, 8)},
		{"last month", day(2026, 10, 31), time.Time{}, day(2026, 11, 1)},
		{"2 weeks ago", day(2026, 11, 5), time.Time{}, day(2026, 11, 12)},
		{"in the past 3 days", day(2026, 11, 18), time.Time{}, day(2026, 11, 15)},
		{"4000 days ago", day(2015, 12, 8), time.Time{}, day(2015, 12, 4)},
		{"5001 days ago", time.Time{}, time.Time{}, day(2013, 3, 13)},
		{"99999999999999999999 days ago", time.Time{}, time.Time{}, day(2026, 11, 1)},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			points := func(at time.Time) float64 {
				src := &fakeSource{}
				src.add("a", 0.5, "Alpha", created(at))
				src.addSignals("a", memory.Signals{Context: 1})
				sum := 0.0
				for _, f := range mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0].Ranking {
					if f.Name == "month" || f.Name == "day" {
						sum += f.Value
					}
				}
				return sum
			}
			if !tt.month.IsZero() && points(tt.month) != 1 {
				t.Errorf("%v: month + day = %v, want 1", tt.month, points(tt.month))
			}
			if !tt.day.IsZero() && points(tt.day) != 2 {
				t.Errorf("%v: month + day = %v, want 2", tt.day, points(tt.day))
			}
			if n := points(tt.not); n != 0 {
				t.Errorf("%v: month + day = %v, want 0", tt.not, n)
			}
		})
	}
}
