package fields

import (
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// IsForgotten reports whether a declaration forgets a memory.
func IsForgotten(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }

// Merge merges two declarations of equal rank and returns the keys that
// contradict one another. Forgotten, private and pinned win over their
// opposites. Of two tiers the one declared later wins, else the colder one. The
// lower trust and the earlier expiry win. Of two users neither may read. For other keys
// the first value wins.
func Merge(a, b memory.Declared, zone *time.Location) (memory.Declared, []string) {
	var contradictions []string
	for _, f := range All {
		x, y := f.Write(a, zone), f.Write(b, zone)
		if x != "" && y != "" && x != y && !sameEffect(f.Key, a, b) {
			contradictions = append(contradictions, f.Key)
		}
	}
	out := a.Over(b)
	out.Pinned, out.Private = eitherTrue(a.Pinned, b.Pinned), eitherTrue(a.Private, b.Private)
	out.Forgotten = eitherTrue(a.Forgotten, b.Forgotten)
	out.ForgottenAt = earliestForgotten(a, b)
	out.Only = (a.Only || !IsForgotten(a)) && (b.Only || !IsForgotten(b)) && IsForgotten(out)
	if tierWins(b, a) {
		out.Tier, out.Since, out.SinceDay = b.Tier, b.Since, b.SinceDay
	}
	if a.Trust != "" && b.Trust != "" {
		out.Trust = memory.LowerTrust(a.Trust, b.Trust)
	}
	if a.User != "" && b.User != "" && a.User != b.User {
		out.User = memory.NobodyUser
	}
	if !a.Expires.IsZero() && !b.Expires.IsZero() && b.Expires.Before(a.Expires) {
		out.Expires = b.Expires
	}
	return out, contradictions
}

// sameEffect reports whether a difference changes nothing: the time of the same
// forgetting, the since of the same tier, and tags, which add up.
func sameEffect(key string, a, b memory.Declared) bool {
	switch key {
	case "forgotten":
		return *a.Forgotten == *b.Forgotten
	case "since":
		return a.Tier == b.Tier
	case "tags":
		return true
	}
	return false
}

// eitherTrue returns the value that is true, else the one that is set.
func eitherTrue(a, b *bool) *bool {
	if a == nil || b != nil && *b {
		return b
	}
	return a
}

// earliestForgotten returns the earlier of the times at which a and b forget.
func earliestForgotten(a, b memory.Declared) (at time.Time) {
	for _, d := range []memory.Declared{a, b} {
		if IsForgotten(d) && !d.ForgottenAt.IsZero() && (at.IsZero() || d.ForgottenAt.Before(at)) {
			at = d.ForgottenAt
		}
	}
	return at
}

// tierWins reports whether b's tier replaces a's.
func tierWins(b, a memory.Declared) bool {
	switch {
	case b.Tier == "" || a.Tier == "":
		return a.Tier == "" && b.Tier != ""
	case !b.Since.Equal(a.Since):
		return b.Since.After(a.Since)
	}
	return slices.Index(memory.Tiers, b.Tier) > slices.Index(memory.Tiers, a.Tier)
}

// Add adds one more field to d. Unlike Over, it keeps a since that was
// read before its tier, and an only before its forgotten.
func Add(d, one memory.Declared) memory.Declared {
	since, day, only := d.Since, d.SinceDay, d.Only || one.Only
	if !one.Since.IsZero() {
		since, day = one.Since, one.SinceDay
	}
	d = one.Over(d)
	d.Since, d.SinceDay, d.Only = since, day, only
	return d
}
