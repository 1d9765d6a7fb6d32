package display

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/migrate"
)

// Migration is the answer of migrate.
type Migration struct {
	Action          string                       `json:"action"` // "migrate"
	From            string                       `json:"from"`
	Path            string                       `json:"path"`
	Workspace       string                       `json:"workspace"`
	Preview         bool                         `json:"preview"`
	Read            int                          `json:"read"`     // memories and files of the other system
	Imported        int                          `json:"imported"` // memories that were written, and are in the index
	Files           memory.List[string]          `json:"files"`
	Skipped         memory.List[migrate.Skipped] `json:"skipped"`
	Private         memory.List[PrivateMemory]   `json:"private"`
	Failed          memory.List[migrate.Skipped] `json:"failed"`
	Notes           memory.List[string]          `json:"notes"`
	SourceUnchanged bool                         `json:"source_unchanged"`
	Receipt         string                       `json:"receipt,omitempty"`
	TookMS          float64                      `json:"took_ms"`
}

// PrivateMemory is a memory that no model gets, because it looks like a secret.
type PrivateMemory struct {
	Ref  string `json:"ref"`
	Kind string `json:"kind"`
}

// Rollback is the answer of migrate --rollback.
type Rollback struct {
	Action    string              `json:"action"` // "rollback"
	From      string              `json:"from"`
	Workspace string              `json:"workspace"`
	Preview   bool                `json:"preview"`
	Removed   memory.List[string] `json:"removed"` // files
	Kept      memory.List[string] `json:"kept"`    // files that somebody edited
}

// PrintMigration prints what came over, and what did not.
func PrintMigration(w io.Writer, a Migration) {
	what := fmt.Sprintf("imported into %d files", len(a.Files))
	if a.Preview {
		what = "would be imported"
	}
	fmt.Fprintf(w, "%d read from %s, %d %s\n", a.Read, Name(a.Path), a.Imported, what)
	for _, name := range a.Files {
		fmt.Fprintf(w, "  %s\n", Name(name))
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
		if i == MaxFailures {
			fmt.Fprintf(w, "  and %d more; --json lists all\n", len(a.Failed)-i)
			break
		}
		fmt.Fprintf(w, "failed: %s: %s\n", Name(f.Ref), f.Reason)
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
			refs = append(refs, Name(s.Ref))
		}
	}
	if len(refs) > most {
		refs = append(refs[:most], "…")
	}
	return strings.Join(refs, ", ")
}

// PrintRollback prints which files went.
func PrintRollback(w io.Writer, answer Rollback) {
	verb := "removed"
	if answer.Preview {
		verb = "would remove"
	}
	fmt.Fprintf(w, "%s %d files that were migrated from %s\n", verb, len(answer.Removed), answer.From)
	for _, name := range answer.Kept {
		fmt.Fprintf(w, "kept, because somebody edited it: %s\n", Name(name))
	}
}
