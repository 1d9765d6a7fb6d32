package display

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
)

// Snapshots prints snapshots as rows of a table.
func Snapshots(table io.Writer, answer memory.SnapshotAnswer) {
	for _, each := range answer.Snapshots {
		about := MemoryCount(each.Memories)
		if each.Damaged != "" {
			about = "damaged: " + each.Damaged
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", each.ID, Time(each.CreatedAt), Size(each.Bytes), each.Cause, Name(each.Tag), about)
	}
	if len(answer.Snapshots) == 0 {
		fmt.Fprintln(table, "no snapshots; memory snapshot create makes one")
	}
}

// Restored prints each memory that a snapshot sets back, with its fields before and after.
func Restored(w io.Writer, answer memory.SnapshotAnswer, width int) {
	restored, changes := *answer.Restored, map[memory.ID]memory.AuditRow{}
	for _, row := range answer.Changes {
		changes[row.ID] = row
	}
	for _, m := range restored.Changed {
		place, text := Location(m), "(memory show "+m.ID.Short()+" shows the text)"
		if m.Text != "" {
			text = MemoryLine(m.Text, max(20, width-14-len(place)))
		}
		fmt.Fprintf(w, "%s  %s  %s\n", m.ID.Short(), place, text)
		before, after := changes[m.ID].Old, changes[m.ID].New
		all := maps.Clone(before)
		maps.Copy(all, after)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(w, "          %s: %s → %s\n", name, valueText(before[name]), valueText(after[name]))
		}
	}
	for _, left := range restored.Unchanged {
		fmt.Fprintf(w, "%s: %s\n", left.Reason, left.ID.Short())
	}
	verb := "set back"
	switch {
	case restored.Preview:
		verb = "would be set back"
	case len(restored.Changed) > 0:
		verb += "; memory undo reverses this"
	}
	fmt.Fprintf(w, "%s: %s %s; %d are gone\n", answer.Snapshots[0].ID, MemoryCount(len(restored.Changed)), verb, len(restored.Unchanged))
}

// valueText returns a value of the audit, for a person.
func valueText(v any) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(v)
}
