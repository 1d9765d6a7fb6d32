package recall

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"strings"

	"github.com/memory-tiered/memory"
)

// The fixed parts of the block, as the product defines it.
const (
	blockOpen    = "<relevant-memories>\n"
	blockIntro   = "The following memories may be relevant:\n"
	blockClose   = "</relevant-memories>"
	contextOpen  = "<current-context>"
	contextClose = "</current-context>\n"
)

// bytesPerToken is the product's estimate of a token: four bytes of UTF-8.
const bytesPerToken = 4

// TokenCount returns the number of tokens of a budget that a text uses.
func TokenCount(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// renderBlock returns the block that goes before a model: the current context, then
// the rendered lines of the memories. It is empty if there is neither.
func renderBlock(ctx *memory.Context, lines []string) string {
	if ctx == nil && len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(blockOpen)
	b.WriteString(renderContext(ctx))
	if len(lines) > 0 {
		b.WriteString(blockIntro)
	}
	for _, line := range lines {
		b.WriteString(line)
	}
	b.WriteString(blockClose)
	return b.String()
}

func renderContext(ctx *memory.Context) string {
	if ctx == nil {
		return ""
	}
	return contextOpen + strings.Join(escapeLines(ctx.Text), "\n"+indent) + contextClose
}

// renderHit returns "- [category 3f8a] text (score%)". 3f8a is the shortest unique
// prefix of the id. mark, if any, follows it: "- [category 3f8a, done] text". It tells
// what the author has marked, or that a newer note states another value. An untrusted
// memory has the mark "untrusted" and never a score. The provenance, if any, comes
// before the score. After a text of several lines both are on a line of their own, so
// that they never become part of a fence or table.
func renderHit(h memory.Hit, idPrefix, mark string, withScore bool) string {
	label := escapeInline(string(categoryOrOther(h.Category))) + " " + idPrefix
	if mark != "" {
		label += ", " + mark
	}
	var tail []string
	if p := provenance(h.Memory); p != "" {
		tail = append(tail, "— "+p)
	}
	if h.Trust == memory.TrustUntrusted {
		label += ", " + string(h.Trust)
	} else if withScore {
		tail = append(tail, fmt.Sprintf("(%d%%)", percent(h.Score)))
	}
	lines := escapeLines(h.Text)
	if len(lines) > 1 && len(tail) > 0 {
		lines = append(lines, strings.Join(tail, " "))
	} else {
		lines = []string{strings.Join(append(lines, tail...), " ")}
	}
	return "- [" + label + "] " + strings.Join(lines, "\n"+indent) + "\n"
}

func percent(score float64) int { return int(math.Round(100 * clampUnit(score))) }

func categoryOrOther(c memory.Category) memory.Category {
	if c == "" {
		return memory.CategoryOther
	}
	return c
}

// provenance returns the headings and the date that a reader needs and that the text
// does not contain.
func provenance(m memory.Memory) string {
	var parts []string
	if headings := headingContext(m); headings != "" {
		parts = append(parts, headings)
	}
	if date := dateInName.FindString(path.Base(m.Path)); date != "" && !strings.Contains(m.Text, date) {
		parts = append(parts, date)
	}
	return strings.Join(parts, ", ")
}

// dateInName matches the date of a daily note. The name holds a day in the
// workspace's time zone, while CreatedAt is a moment.
var dateInName = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
