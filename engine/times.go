package engine

import (
	"time"

	"github.com/memory-tiered/memory"
)

// parseTime reads a time as people and scripts write it: RFC 3339, the same
// without a zone, or a date. What has no zone is in zone. day says that it was
// a date alone.
func parseTime(field, s string, zone *time.Location) (at time.Time, day bool, err error) {
	if s == "" {
		return time.Time{}, false, nil
	}
	if at, err = time.Parse(time.RFC3339, s); err == nil {
		return at, false, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if at, err = time.ParseInLocation(layout, s, zone); err == nil {
			return at, false, nil
		}
	}
	if at, err = time.ParseInLocation(time.DateOnly, s, zone); err == nil {
		return at, true, nil
	}
	return time.Time{}, false, memory.Invalid(field, "%q is not a time", s).
		WithHint("RFC 3339 (2026-11-20T09:12:00Z) or a date (2026-11-20)")
}

// resolveAsOf is the clock that a request asks with: now where it names none, the end
// of the day where it names a date.
func resolveAsOf(s string, now time.Time, zone *time.Location) (at time.Time, past bool, err error) {
	at, day, err := parseTime("as_of", s, zone)
	switch {
	case err != nil || s == "":
		return now, false, err
	case day:
		at = at.AddDate(0, 0, 1).Add(-time.Millisecond)
	}
	return at, true, nil
}

// resolveFilter resolves a filter's words and times.
func resolveFilter(f memory.Filter, zone *time.Location) (memory.Predicate, error) {
	since, _, err := parseTime("since", f.Since, zone)
	if err != nil {
		return memory.Predicate{}, err
	}
	until, day, err := parseTime("until", f.Until, zone)
	if err != nil {
		return memory.Predicate{}, err
	}
	if day {
		until = until.AddDate(0, 0, 1)
	}
	return memory.Predicate{
		Tier: f.Tier, Type: f.Type, Category: f.Category, Scope: f.Scope, Tag: f.Tag, Path: f.Path,
		Since: since, Until: until,
		Archive: f.Deep || f.Tier == memory.TierArchive,
	}, nil
}
