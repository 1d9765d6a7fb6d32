package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/migrate"
)

// printMigration prints what came over, and what did not.
func printMigration(w io.Writer, a migrateAnswer) {
	what := fmt.Sprintf("imported into %d files", len(a.Files))
	if a.Preview {
		what = "would be imported"
	}
	fmt.Fprintf(w, "%d read from %s, %d %s\n", a.Read, display.Name(a.Path), a.Imported, what)
	for _, name := range a.Files {
		fmt.Fprintf(w, "  %s\n", display.Name(name))
	}
	counts := map[string]int{}
	for _, s := range a.Skipped {
		counts[s.Reason]++
	}
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "left out: %d %s (%s)\n", counts[reason], reason, skippedRefs(a.Skipped, reason))
	}
	if n := len(a.Private); n > 0 {
		fmt.Fprintf(w, "private, because they look like secrets: %d; no model gets them\n", n)
	}
	for _, note := range a.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	for i, f := range a.Failed {
		if i == maxFailuresShown {
			fmt.Fprintf(w, "  and %d more; --json lists all\n", len(a.Failed)-i)
			break
		}
		fmt.Fprintf(w, "failed: %s: %s\n", display.Name(f.Ref), f.Reason)
	}
	if !a.Preview && len(a.Files) > 0 {
		fmt.Fprintf(w, "verified: %d of %d texts are in the index, each as it was\n", a.Imported, a.Imported+len(a.Failed))
	}
	if !a.SourceUnchanged {
		fmt.Fprintln(w, "the source changed meanwhile: run the command again for what is new")
	}
}

// skippedRefs names the first memories that were left out for a reason.
func skippedRefs(skipped []migrate.Skipped, reason string) string {
	const most = 3
	var refs []string
	for _, s := range skipped {
		if s.Reason == reason {
			refs = append(refs, display.Name(s.Ref))
		}
	}
	if len(refs) > most {
		refs = append(refs[:most], "…")
	}
	return strings.Join(refs, ", ")
}

func printRollback(w io.Writer, answer rollbackAnswer) {
	verb := "removed"
	if answer.Preview {
		verb = "would remove"
	}
	fmt.Fprintf(w, "%s %d files that were migrated from %s\n", verb, len(answer.Removed), answer.From)
	for _, name := range answer.Kept {
		fmt.Fprintf(w, "kept, because somebody edited it: %s\n", display.Name(name))
	}
}
