package display

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// ExtractionCost prints what a language model would get, and what that costs.
func ExtractionCost(w io.Writer, e knowledge.Extraction) {
	fmt.Fprintf(w, "%s in %s for %s: at most %d tokens; %d of %d are left today\n", Plural(e.Messages, "message", "messages"),
		Plural(e.Batches, "request", "requests"), e.Model, e.Tokens, e.Left, e.Budget)
}

// Extraction prints what a language model found, or what it would get.
func Extraction(w io.Writer, e knowledge.Extraction) {
	for _, m := range e.WouldBe {
		if e.Preview {
			fmt.Fprintf(w, "would send [%s %s] %s\n", m.Role, m.Date, Line(m.Text, 200))
		}
	}
	for _, m := range e.Stored {
		label := string(m.Category) + ", " + string(m.Type)
		if m.Trust != memory.TrustTrusted {
			label += ", " + string(m.Trust)
		}
		fmt.Fprintf(w, "stored [%s %s] %s\n", label, m.ID.Short(), MemoryLine(m.Text, 200))
	}
	if len(e.LeftOut) > 0 {
		fmt.Fprintf(w, "never sent: %s\n", countsText(e.LeftOut))
	}
	switch {
	case e.Batches == 0:
		fmt.Fprintln(w, "nothing new to send")
	case e.Preview:
		ExtractionCost(w, e)
	default:
		fmt.Fprintf(w, "%s: %d stored, %d known (%d kept by capture), %d without their date, dropped: %s; capture kept %d more\n", Plural(e.Facts, "fact", "facts"),
			len(e.Stored), e.Known, e.Captured, e.Undated, countsText(e.Dropped), e.Missed)
		fmt.Fprintf(w, "%d tokens; %d of %d are left today\n", e.Tokens, e.Left, e.Budget)
	}
}

// countsText lists counts by their names: "secret 1, words 2".
func countsText(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
