package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/dates"
)

// wednesday is the day on which the questions of these tests are asked.
var wednesday = time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC)

// format returns the days of a span, as from..to; an open end is empty.
func format(s dates.Span) string {
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.DateOnly)
	}
	return day(s.From) + ".." + day(s.To)
}

func TestRelativeDatesAreWholeDays(t *testing.T) {
	for ask, want := range map[string]string{
		"what did we do yesterday":         "2026-11-17..2026-11-18",
		"who called last week":             "2026-11-09..2026-11-16",
		"what happened three days ago":     "2026-11-15..2026-11-16",
		"was war letzten Monat":            "2026-10-01..2026-11-01",
		"qué hicimos el año pasado":        "2025-01-01..2026-01-01",
		"qu'avons-nous fait lundi dernier": "2026-11-16..2026-11-17",
		"昨天部署了什么":                          "2026-11-17..2026-11-18",
		"what happened in 2024":            "2024-01-01..2025-01-01",
	} {
		named := dates.Read(ask, wednesday)
		var spans []string
		for _, s := range named.Spans {
			spans = append(spans, format(s))
		}
		if strings.Join(spans, " ") != want {
			t.Errorf("%q names %v, want %s", ask, named.Spans, want)
		}
	}
	if named := dates.Read("who likes tea", wednesday); named.IsSet() {
		t.Errorf("a question without a time names %v", named.Spans)
	}
}

func TestDayBeforeYesterdayIsOneDay(t *testing.T) {
	if found := dates.Read("what did I do the day before yesterday?", wednesday); len(found.Spans) != 1 || format(found.Spans[0]) != "2026-11-16..2026-11-17" {
		t.Errorf("it is %v", found.Spans)
	}
	if found := dates.Read("what did I do before yesterday?", wednesday); len(found.Spans) != 1 {
		t.Errorf("what was before yesterday refers to %v", found.Spans)
	}
}

func TestRelationsGiveSpans(t *testing.T) {
	for ask, want := range map[string]string{
		"what changed since March":                 "2026-03-01..2026-11-19",
		"what was decided before 3 August":         "..2026-08-03",
		"what was written after 2026-05-01":        "2026-05-02..2026-11-19",
		"who visited between March and June":       "2026-03-01..2026-07-01",
		"was geschah bis Ende, seit Oktober 2025?": "2025-10-01..2026-11-19",
	} {
		found := dates.Read(ask, wednesday)
		if len(found.Spans) != 1 || format(found.Spans[0]) != want {
			t.Errorf("%q refers to %v, want %s", ask, found.Spans, want)
		}
	}
}
