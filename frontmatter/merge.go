package frontmatter

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// mergeDuplicates merges the entries of one memory, such as a git merge that
// keeps both sides leaves behind. Entries with the same id are about one
// memory. Without an id, the quote decides.
func (r *parser) mergeDuplicates(lines []memory.Entry) []memory.Entry {
	var out []memory.Entry
	at := map[string]int{}
	for _, e := range lines {
		if e.Line == 0 {
			continue
		}
		key := cmp.Or(e.IDPrefix, "\x00"+e.Quote)
		i, duplicate := at[key]
		if !duplicate {
			at[key] = len(out)
			out = append(out, e)
			continue
		}
		var contradictions []string
		first := out[i]
		if first.Quote == "" || isForgotten(e.Declared) && !isForgotten(first.Declared) && e.Quote != "" {
			out[i].Quote = e.Quote
		}
		out[i].Path = cmp.Or(first.Path, e.Path)
		out[i].Declared, contradictions = mergeDeclared(first.Declared, e.Declared, r.zone)
		if len(contradictions) > 0 {
			r.addFault(e.Line, "contradicts line %d about the same memory (%s): %s",
				first.Line, strings.Join(contradictions, ", "), "the value that hides or protects more applies; remove one of the two")
		}
	}
	return out
}

func isForgotten(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }

// mergeDeclared merges two declarations of equal rank and returns the keys that
// contradict one another. Forgotten, private and pinned win over their
// opposites. Of two tiers the one declared later wins, else the colder one. The
// lower trust and the earlier expiry win. For other keys the first value wins.
func mergeDeclared(a, b memory.Declared, zone *time.Location) (memory.Declared, []string) {
	var contradictions []string
	for _, f := range fields {
		x, y := f.write(a, zone), f.write(b, zone)
		if x != "" && y != "" && x != y && !sameEffect(f.key, a, b) {
			contradictions = append(contradictions, f.key)
		}
	}
	out := a.Over(b)
	out.Pinned, out.Private = eitherTrue(a.Pinned, b.Pinned), eitherTrue(a.Private, b.Private)
	out.Forgotten = eitherTrue(a.Forgotten, b.Forgotten)
	out.ForgottenAt = earliestForgotten(a, b)
	out.Only = (a.Only || !isForgotten(a)) && (b.Only || !isForgotten(b)) && isForgotten(out)
	if tierWins(b, a) {
		out.Tier, out.Since, out.SinceDay = b.Tier, b.Since, b.SinceDay
	}
	if a.Trust != "" && b.Trust != "" {
		out.Trust = memory.TrustTiers[max(slices.Index(memory.TrustTiers, a.Trust), slices.Index(memory.TrustTiers, b.Trust))]
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
		if isForgotten(d) && !d.ForgottenAt.IsZero() && (at.IsZero() || d.ForgottenAt.Before(at)) {
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
