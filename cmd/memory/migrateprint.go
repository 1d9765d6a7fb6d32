package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/migrate"

	"github.com/memory-tiered/memory/cmd/memory/display"
)

// printMigration prints what came over, and what did not.
func printMigration(w io.Writer, a migrateAnswer) error {
	verb := "imported"
	if a.Preview {
		verb = "would be imported"
	}
	fmt.Fprintf(w, "%d read from %s, %d %s into %d files\n", a.Read, display.Name(a.Path), a.Imported, verb, len(a.Files))
	for _, f := range a.Files {
		fmt.Fprintf(w, "  %s  %d memories, %s\n", display.Name(f.Path), f.Memories, display.Size(int64(f.Bytes)))
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
	if n := len(a.Similar); n > 0 {
		fmt.Fprintf(w, "nearly the same as another memory: %d; memory review shows them\n", n)
	}
	for _, note := range a.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	if v := a.Verified; v != nil {
		fmt.Fprintf(w, "verified: %d of %d texts are in the index, each as it was\n", v.Found, v.Memories)
		for _, missing := range v.Missing {
			fmt.Fprintf(w, "  %s lacks %d\n", display.Name(missing.Path), missing.Texts)
		}
	}
	if !a.SourceUnchanged {
		fmt.Fprintln(w, "the source changed meanwhile: run the command again for what is new")
	}
	return nil
}

// skippedRefs names the first memories that were left out for a reason.
func skippedRefs(skipped []migrate.Skipped, reason string) string {
	const most = 3
	var refs []string
	for _, s := range skipped {
		if s.Reason != reason {
			continue
		}
		if len(refs) == most {
			refs = append(refs, "…")
			break
		}
		refs = append(refs, display.Name(s.Ref))
	}
	return strings.Join(refs, ", ")
}
