package lookup

import (
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/glob"
)

// parse parses a time as people and scripts write it: RFC 3339, the same
// without a zone, a date, today or yesterday. A time without a zone is in zone. day
// reports whether s is a date alone.
func parse(field, s string, now time.Time, zone *time.Location) (at time.Time, day bool, err error) {
	if zone == nil {
		zone = time.UTC
	}
	year, month, today := now.In(zone).Date()
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "":
		return time.Time{}, false, nil
	case "today":
		return time.Date(year, month, today, 0, 0, 0, 0, zone), true, nil
	case "yesterday":
		return time.Date(year, month, today-1, 0, 0, 0, 0, zone), true, nil
	}
	if at, day, err = memory.ReadTime(strings.TrimSpace(s), zone); err == nil {
		return at, day, nil
	}
	return time.Time{}, false, memory.Invalid(field, "%q is not a time", s).
		WithHint("RFC 3339 (2026-11-20T09:12:00Z), a date (2026-11-20), today or yesterday")
}

// AsOf returns the time that a request is asked for: now if s is empty, the
// end of the day if s is a date.
func AsOf(s string, now time.Time, zone *time.Location) (at time.Time, past bool, err error) {
	at, day, err := parse("as_of", s, now, zone)
	switch {
	case err != nil || s == "":
		return now, false, err
	case day:
		at = at.AddDate(0, 0, 1).Add(-time.Millisecond)
	}
	return at, true, nil
}

// MaxUnusedDays bounds how long a filter asks that memories were not used: a hundred
// years, which fit into a time.Duration.
const MaxUnusedDays = 36500

// PredicateOf turns a request's filter into a predicate, with its times parsed and its owner
// known by all names.
func PredicateOf(f memory.Filter, now time.Time, zone *time.Location, all memory.Identities) (memory.Predicate, error) {
	since, _, err := parse("since", f.Since, now, zone)
	if err != nil {
		return memory.Predicate{}, err
	}
	until, day, err := parse("until", f.Until, now, zone)
	if err != nil {
		return memory.Predicate{}, err
	}
	if day {
		until = until.AddDate(0, 0, 1)
	}
	if _, err := glob.Parse(f.Path); err != nil {
		return memory.Predicate{}, memory.Invalid("path", "%q is not a valid pattern: %s", f.Path, err).
			WithHint("a [ that is part of a name is written [[]")
	}
	var expiredBy, unusedFrom time.Time
	if f.Expired {
		expiredBy = now
	}
	if f.Unused < 0 || f.Unused > MaxUnusedDays {
		return memory.Predicate{}, memory.Invalid("unused_days", "memories cannot be unused for %v days", f.Unused).
			WithHint("give a number of days up to %d", MaxUnusedDays)
	}
	if f.Unused > 0 {
		unusedFrom = now.Add(-time.Duration(f.Unused * 24 * float64(time.Hour)))
	}
	return memory.Predicate{View: memory.View{Scope: f.Scope}, ExpiredBy: expiredBy, UnusedFrom: unusedFrom, Tier: f.Tier, Type: f.Type, Category: f.Category, Tag: f.Tag, Path: f.Path, Since: since, Until: until,
		Source: f.Source, Origin: f.Origin, Owners: all.NamesOf(all.UserOf(memory.Sender{User: f.Owner}, memory.AudiencePerson)), Archive: f.Deep || f.Tier == memory.TierArchive}, nil
}

// sortKeys lists the orders of a list; the first is the default.
var sortKeys = []string{"created_at", "last_accessed_at", "use_count", "path"}

// ListPredicateOf is [PredicateOf] of a list.
func ListPredicateOf(r memory.ListRequest, now time.Time, zone *time.Location, all memory.Identities) (memory.Predicate, error) {
	if r.Sort != "" && !slices.Contains(sortKeys, r.Sort) {
		return memory.Predicate{}, memory.Invalid("sort", "memories cannot be sorted by %q", r.Sort).
			WithHint("one of: %s", strings.Join(sortKeys, ", "))
	}
	if r.Offset < 0 {
		return memory.Predicate{}, memory.Invalid("offset", "the offset %d is negative", r.Offset)
	}
	p, err := PredicateOf(r.Filter, now, zone, all)
	p.Archive = true // without a filter, a list has every visible memory
	p.Pinned = r.Pinned
	p.TextOnly = !r.Properties && !r.Pinned && !r.Forgotten && !r.Missing
	if r.Forgotten {
		p.Forgotten = memory.Only
	}
	if r.Missing {
		p.Missing = memory.Only
	}
	return p, err
}

// MaxAnswer is the most memories that one answer holds.
const MaxAnswer = 10_000

// Limit returns the limit of a request: nil means the default, 0 means most.
func Limit(limit *int, byDefault, most int) (int, error) {
	switch {
	case limit == nil:
		return byDefault, nil
	case *limit < 0:
		return 0, memory.Invalid("limit", "the limit %d is negative", *limit).WithHint("0 means no limit")
	case *limit == 0 || *limit > most:
		return most, nil
	}
	return *limit, nil
}
