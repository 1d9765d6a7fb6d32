package display

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// Entities prints people and things, one a line.
func Entities(w io.Writer, all []knowledge.Entity) {
	Columns(w, 0, func(table io.Writer) {
		for _, e := range all {
			fmt.Fprintf(table, "%4d\t%s\t%s\t%s\n", e.Memories, Name(strings.Join(append([]string{e.Name}, e.Aliases...), ", ")), span(e.First, e.Last), strings.Join(e.Sources, " "))
		}
	})
}

// Entity prints the names of a person or thing.
func Entity(w io.Writer, e knowledge.Entity) {
	fmt.Fprintln(w, Name(e.Name))
	if len(e.Aliases) > 0 {
		fmt.Fprintln(w, "  also:    ", Name(strings.Join(e.Aliases, ", ")))
	}
	fmt.Fprintln(w, "  named by:", strings.Join(e.Sources, ", "))
	fmt.Fprintf(w, "  %s, %s\n", MemoryCount(e.Memories), span(e.First, e.Last))
}

// span returns the days of an oldest and of a newest memory.
func span(oldest, newest time.Time) string {
	if oldest.IsZero() {
		return "none"
	}
	first, last := oldest.Local().Format(time.DateOnly), newest.Local().Format(time.DateOnly)
	if first == last {
		return first
	}
	return first + " to " + last
}

// Scenes prints scenes, one a line.
func Scenes(w io.Writer, all []knowledge.Scene) {
	Columns(w, 0, func(table io.Writer) {
		for _, s := range all {
			fmt.Fprintf(table, "%s\t%4d\t%s\t%s\t%s\n", s.ID, s.Memories, span(s.From, s.To), s.Kind, Name(s.Title))
		}
	})
}

// Scene prints what a scene shows, in at most some columns.
func Scene(w io.Writer, s knowledge.Scene, width int) {
	fmt.Fprintf(w, "%s  %s\n  %s, %s, %s", s.ID, Name(s.Title), s.Kind, MemoryCount(s.Memories), span(s.From, s.To))
	if s.Trust != memory.TrustTrusted {
		fmt.Fprintf(w, ", %s", s.Trust)
	}
	fmt.Fprintln(w)
	for line := range strings.SplitSeq(s.Extract, "\n") {
		fmt.Fprintln(w, "  >", Line(line, max(20, width-4)))
	}
}

// Synced prints what a file in the folder of another agent gets, and what it loses.
func Synced(w io.Writer, path string, added, removed []string, unchanged, width int) {
	fmt.Fprintf(w, "%s: %d new, %d taken out, %d as before\n", Name(path), len(added), len(removed), unchanged)
	for _, text := range added {
		fmt.Fprintf(w, "  + %s\n", Line(text, max(20, width-4)))
	}
	for _, text := range removed {
		fmt.Fprintf(w, "  - %s\n", Line(text, max(20, width-4)))
	}
}
