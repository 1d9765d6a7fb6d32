package lookup_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
)

var (
	jst = time.FixedZone("JST", 9*60*60)
	now = time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC) // the 21st in Japan
)

func TestAsOfReadsTimesInTheZone(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		past     bool
	}{
		{"", "2026-11-20T20:00:00Z", false},
		{"2026-11-19T08:00:00Z", "2026-11-19T08:00:00Z", true},
		{"2026-11-19 08:00", "2026-11-18T23:00:00Z", true},
		{"2026-11-19T08:00:30", "2026-11-18T23:00:30Z", true},
		{"2026-11-19", "2026-11-19T14:59:59.999Z", true},
		{"Today", "2026-11-21T14:59:59.999Z", true},
		{" yesterday ", "2026-11-20T14:59:59.999Z", true},
	} {
		at, past, err := lookup.AsOf(tt.in, now, jst)
		if got := at.UTC().Format(time.RFC3339Nano); err != nil || got != tt.want || past != tt.past {
			t.Errorf("%q: %s, past %v, %v; want %s", tt.in, got, past, err, tt.want)
		}
	}
	if _, _, err := lookup.AsOf("tomorrowish", now, jst); err == nil {
		t.Error("an unknown word is a time")
	}
}

func TestPredicateRefusesFiltersThatMeanNothing(t *testing.T) {
	for name, f := range map[string]memory.Filter{
		"since":   {Since: "soon"},
		"until":   {Until: "soon"},
		"path":    {Path: "memory/[a"},
		"unused":  {Unused: -1},
		"forever": {Unused: 40_000},
	} {
		if p, err := lookup.PredicateOf(f, now, nil, nil); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	p, err := lookup.PredicateOf(memory.Filter{Since: "yesterday", Until: "2026-11-20", Unused: 1.5}, now, nil, nil)
	if err != nil || !p.Since.Equal(time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)) || !p.Until.Equal(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)) ||
		now.Sub(p.UnusedFrom) != 36*time.Hour {
		t.Errorf("%+v, %v", p, err)
	}
}
