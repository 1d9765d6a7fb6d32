package recall

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"strings"

	"github.com/memory-tiered/memory"
)

// The frame of the block, as the product defines it.
const (
	blockOpen    = "<relevant-memories>\n"
	blockIntro   = "The following memories may be relevant:\n"
	blockClose   = "</relevant-memories>"
	contextOpen  = "<current-context>"
	contextClose = "</current-context>\n"
)

// bytesPerToken is the product's measure of text: four bytes of UTF-8.
const bytesPerToken = 4

// TokenCount is how much of a budget a text takes.
func TokenCount(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// renderBlock writes the block that goes before a model: the current context, then what
// is rendered of each memory, in their order. It is empty where there is neither.
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

// renderHit is "- [categoryOrOther] text (score%)": what the reader needs besides the
// text, where it has it, stands before the score. The tail of a text of several
// lines has a line of its own, so that it never joins a fence or a table.
func renderHit(h memory.Hit) string {
	lines := escapeLines(h.Text)
	tail := fmt.Sprintf("(%d%%)", int(math.Round(100*clampUnit(h.Score))))
	if about := provenance(h.Memory); about != "" {
		tail = "— " + about + " " + tail
	}
	if len(lines) > 1 {
		lines = append(lines, tail)
	} else {
		lines = []string{strings.Join(append(lines, tail), " ")}
	}
	return "- [" + escapeInline(string(categoryOrOther(h.Category))) + "] " + strings.Join(lines, "\n"+indent) + "\n"
}

func categoryOrOther(c memory.Category) memory.Category {
	if c == "" {
		return memory.CategoryOther
	}
	return c
}

// provenance is when a memory was written and what it stands under, as far as its
// text does not say so.
func provenance(m memory.Memory) string {
	var parts []string
	if about := headingContext(m); about != "" {
		parts = append(parts, about)
	}
	if date := dateInName.FindString(path.Base(m.Path)); date != "" && !strings.Contains(m.Text, date) {
		parts = append(parts, date)
	}
	return strings.Join(parts, ", ")
}

// dateInName is the date of a daily note. It is read from the name because it
// is a day where the workspace is, not a moment.
var dateInName = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
