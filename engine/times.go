package engine

import (
	"time"

	"github.com/memory-tiered/memory"
)

// parseTime parses a time as people and scripts write it: RFC 3339, the same
// without a zone, or a date. A time without a zone is in zone. day reports whether
// s is a date alone.
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

// resolveAsOf returns the time that a request is asked for: now if s is empty, the
// end of the day if s is a date.
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

// resolveFilter turns a request's filter into a predicate, with its times parsed.
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
