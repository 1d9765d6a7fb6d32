package display

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Receipts prints receipts, one a line.
func Receipts(w io.Writer, answer memory.ReceiptsAnswer) {
	for _, r := range answer.Receipts {
		Receipt(w, r)
	}
}

// receiptCounts names the action of a decision, and counts its memories.
func receiptCounts(r memory.Receipt) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Counts)) {
		if n := r.Counts[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(name, "_", " ")))
		}
	}
	return strings.TrimPrefix(strings.TrimSuffix(r.Action+": "+strings.Join(parts, ", "), ": "), ": ")
}

// Receipt prints a receipt.
func Receipt(w io.Writer, r memory.Receipt) {
	found := 0
	for _, count := range r.Candidates {
		found += count
	}
	summary := fmt.Sprintf("%d given of %d found, %d tokens", len(r.Injected), found, r.Tokens)
	if r.Kind == memory.ReceiptSearch {
		summary = fmt.Sprintf("%d given", len(r.Injected))
	}
	if r.Kind == memory.ReceiptCapture && r.Extracted != nil && r.Stored != nil {
		summary = fmt.Sprintf("%d kept of %d found", *r.Stored, *r.Extracted)
	}
	if r.Counts != nil {
		summary = receiptCounts(r)
	}
	if r.Skipped != nil {
		summary += " (" + *r.Skipped + ")"
	}
	if r.Session != "" {
		summary += ", session " + Line(r.Session, 40)
	}
	fmt.Fprintf(w, "%s  %s  %-7s %s\n", r.ID[:min(8, len(r.ID))], Time(r.At), r.Kind, summary)
}
