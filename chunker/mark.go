package chunker

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Mark returns the comment that declares d beside a text; empty: d declares nothing. It alone
// decides how a mark is written: annotationkeys.go reads each key back.
func Mark(d memory.Declared) string {
	var pairs []string
	add := func(key, value string) {
		if value != "" {
			pairs = append(pairs, key+": "+value)
		}
	}
	flag := func(key string, set *bool) {
		switch {
		case set == nil:
		case *set:
			pairs = append(pairs, key)
		default:
			add(key, "false")
		}
	}
	flag("private", d.Private)
	add("source", string(d.Source))
	add("trust", string(d.Trust))
	flag("pinned", d.Pinned)
	add("tier", strings.ToLower(string(d.Tier)))
	add("category", string(d.Category))
	add("memory_type", string(d.Type))
	if d.Importance != nil {
		add("importance", decimal(*d.Importance))
	}
	add("importance_label", string(d.ImportanceLabel))
	add("source_ref", d.SourceRef)
	add("user", escapeUser(d.User))
	add("scope", string(d.Scope))
	add("created", timeText(d.Created))
	add("expires", timeText(d.Expires))
	add("tags", strings.Join(d.Tags, ", "))
	if len(pairs) == 0 {
		return ""
	}
	return "<!-- " + strings.Join(pairs, "; ") + " -->"
}

// escapeUser escapes in a user's name what could end a comment or an annotation, so that no
// two users become one.
func escapeUser(name string) string { return strings.ReplaceAll(url.PathEscape(name), "--", "-%2D") }

// decimal writes a number with a decimal point: a bare 1 means the lowest importance.
func decimal(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func timeText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// MarkedBullets returns the ways to write a text as a bullet with the mark of d. The mark is
// at the end of the text, or on a line of its own behind a text that ends with a fence. A text
// that leaves a fence open has it on a line of its own before it.
func MarkedBullets(text string, d memory.Declared) []string {
	bullet, mark := strings.TrimSuffix(string(Bullet(text)), "\n"), Mark(d)
	if mark == "" {
		return []string{bullet + "\n"}
	}
	return []string{bullet + " " + mark + "\n", bullet + "\n  " + mark + "\n", "- " + mark + "\n  " + strings.TrimPrefix(bullet, "- ") + "\n"}
}
