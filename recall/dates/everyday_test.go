package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/dates"
)

// sunday is the day on which the questions of these tests are asked.
var sunday = time.Date(2026, 11, 22, 19, 0, 0, 0, time.UTC)

// TestNextWeekdayMayBeOfNextWeek asks on a Monday.
func TestNextWeekdayMayBeOfNextWeek(t *testing.T) {
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for ask, want := range map[string]string{
		"What happens next Tuesday?":        "2026-11-24 2026-12-01",
		"Was ist nächsten Dienstag?":        "2026-11-24 2026-12-01",
		"What happens this coming Tuesday?": "2026-11-24",
		"What happens next Monday?":         "2026-11-30",
	} {
		var days []string
		for _, s := range dates.Read(ask, monday).Spans {
			days = append(days, s.From.Format(time.DateOnly))
		}
		if got := strings.Join(days, " "); got != want {
			t.Errorf("%q names %s, want %s", ask, got, want)
		}
	}
}
