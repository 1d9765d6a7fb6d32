package receipt

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/fatih/color"

	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/engine/erasure"
)

// colours are those of the verdicts that a person looks for.
var colours = map[erasure.Verdict]color.Attribute{erasure.Erased: color.FgGreen, erasure.Residual: color.FgRed}

// Print prints a line for each place. Below are the names of what still has a text or could not
// be read, and what a person can do. colour colours a text, where the terminal can.
func Print(w io.Writer, r erasure.Receipt, colour func(string, ...color.Attribute) string) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range r.Places {
		verdict := fmt.Sprintf("%-11s", p.Verdict)
		if attribute, known := colours[p.Verdict]; known {
			verdict = colour(verdict, attribute)
		}
		seen := "nobody can look there"
		if p.Before != nil || p.After != nil {
			seen = fmt.Sprintf("before %s, now %s, of %d", count(p.Before), count(p.After), p.Looked)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", verdict, p.Name, seen)
	}
	_ = table.Flush() // the caller reports an error of w
	for _, p := range r.Places {
		printNames(w, p.Name+": still in", p.Holds)
		printNames(w, p.Name+": not read now:", p.Unread)
		printNames(w, p.Name+": not read before:", p.UnreadBefore)
		printNames(w, p.Name+": had it and is gone, deleted or moved:", p.Gone)
		if p.Advice != "" {
			fmt.Fprintf(w, "%s: %s\n", p.Name, p.Advice)
		}
	}
	memories, places := "memories", "places"
	if len(r.Memories) == 1 {
		memories = "memory"
	}
	if r.Residual == 1 {
		places = "place"
	}
	fmt.Fprintf(w, "%d %s, %s: RESIDUAL in %d %s\n", len(r.Memories), memories, cmp.Or(states[r.State], r.State+" to this index"), r.Residual, places)
}

// states describe how far a destroy is.
var states = map[string]string{erasure.Kept: "not destroyed", erasure.Unfinished: "not completely destroyed", erasure.Done: "destroyed"}

func printNames(w io.Writer, about string, names []string) {
	for _, name := range names {
		fmt.Fprintf(w, "%s %s\n", about, display.Name(name))
	}
}

func count(n *int) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}
