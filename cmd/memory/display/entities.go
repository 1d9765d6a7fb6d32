package display

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Entities prints people and things, one a line.
func Entities(w io.Writer, all []memory.Entity) {
	Columns(w, 0, func(table io.Writer) {
		for _, e := range all {
			fmt.Fprintf(table, "%4d\t%s\t%s\t%s\n", e.Memories, Name(strings.Join(append([]string{e.Name}, e.Aliases...), ", ")), span(e), strings.Join(e.Sources, " "))
		}
	})
}

// Entity prints the names of a person or thing.
func Entity(w io.Writer, e memory.Entity) {
	fmt.Fprintln(w, Name(e.Name))
	if len(e.Aliases) > 0 {
		fmt.Fprintln(w, "  also:    ", Name(strings.Join(e.Aliases, ", ")))
	}
	fmt.Fprintln(w, "  named by:", strings.Join(e.Sources, ", "))
	fmt.Fprintf(w, "  %s, %s\n", MemoryCount(e.Memories), span(e))
}

// span returns the days of the oldest and of the newest memory about an entity.
func span(e memory.Entity) string {
	if e.First.IsZero() {
		return "none"
	}
	first, last := e.First.Local().Format(time.DateOnly), e.Last.Local().Format(time.DateOnly)
	if first == last {
		return first
	}
	return first + " to " + last
}
