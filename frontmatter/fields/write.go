package fields

import (
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

func writeTier(d memory.Declared, _ *time.Location) string { return strings.ToLower(string(d.Tier)) }

func writeType(d memory.Declared, _ *time.Location) string { return string(d.Type) }

func writeCategory(d memory.Declared, _ *time.Location) string {
	return string(d.Category)
}

func writeScope(d memory.Declared, _ *time.Location) string { return quoteNonEmpty(string(d.Scope)) }

func writeUser(d memory.Declared, _ *time.Location) string { return quoteNonEmpty(d.User) }

func writeLabel(d memory.Declared, _ *time.Location) string { return string(d.ImportanceLabel) }

func writeTrust(d memory.Declared, _ *time.Location) string { return string(d.Trust) }

func writeSource(d memory.Declared, _ *time.Location) string {
	return string(d.Source)
}

func writeSourceRef(d memory.Declared, _ *time.Location) string { return quoteNonEmpty(d.SourceRef) }

func writeSupersededBy(d memory.Declared, _ *time.Location) string {
	return quoteNonEmpty(d.SupersededBy.InFile())
}

func writePinned(d memory.Declared, _ *time.Location) string { return formatBool(d.Pinned) }

func writePrivate(d memory.Declared, _ *time.Location) string { return formatBool(d.Private) }

func writeCreated(d memory.Declared, zone *time.Location) string {
	return formatTime(d.Created, zone)
}

func writeExpires(d memory.Declared, zone *time.Location) string {
	return formatTime(d.Expires, zone)
}

// writeForgotten writes the date only: the audit has the time, and a date is
// easier to read in a diff. The date is the one of the zone in which it was decided,
// so that it stays the same if the workspace gets another zone.
func writeForgotten(d memory.Declared, _ *time.Location) string {
	if d.Forgotten != nil && *d.Forgotten && !d.ForgottenAt.IsZero() {
		return d.ForgottenAt.Format(time.DateOnly)
	}
	return formatBool(d.Forgotten)
}

// writeOnly writes only if forgetting does not apply to every copy.
func writeOnly(d memory.Declared, _ *time.Location) string {
	if d.Only {
		return "true"
	}
	return ""
}

func writeSince(d memory.Declared, _ *time.Location) string {
	if d.SinceDay {
		return d.Since.Format(time.DateOnly)
	}
	if d.Since.IsZero() {
		return ""
	}
	return d.Since.UTC().Format(time.RFC3339)
}

func writeImportance(d memory.Declared, _ *time.Location) string {
	if d.Importance == nil {
		return ""
	}
	return strconv.FormatFloat(*d.Importance, 'f', -1, 64)
}

func writeTags(d memory.Declared, _ *time.Location) string {
	if len(d.Tags) == 0 {
		return ""
	}
	var all []string
	for _, tag := range d.Tags {
		all = append(all, QuoteYAML(tag))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func formatBool(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

// formatTime writes the start of a day as a date without a time.
func formatTime(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	local := at.In(zone)
	if y, m, d := local.Date(); at.Equal(time.Date(y, m, d, 0, 0, 0, 0, zone)) {
		return local.Format(time.DateOnly)
	}
	return at.UTC().Format(time.RFC3339)
}

func quoteNonEmpty(s string) string {
	if s == "" {
		return ""
	}
	return QuoteYAML(s)
}
