package display

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
)

// AuditRow prints a row of the audit: when, what, by whom, and what it changed.
func AuditRow(w io.Writer, row memory.AuditRow) {
	fmt.Fprintf(w, "%s  %-8s %-7s %s  %s\n", Time(row.At), row.Action, row.Source, row.ID.Short(), changesText(row))
}

// changesText lists what a decision changed: "pinned false → true".
func changesText(row memory.AuditRow) string {
	text := ""
	for _, field := range slices.Sorted(maps.Keys(row.Old)) {
		before, after := row.Old[field], row.New[field]
		if _, isObject := before.(map[string]any); isObject || after == nil {
			continue
		}
		text += fmt.Sprintf("%s %.12v → %.12v  ", field, before, after) // 12 digits of a hash, or of an id
	}
	if reason, ok := row.New["reason"]; ok {
		text += fmt.Sprint(reason)
	}
	return text
}
