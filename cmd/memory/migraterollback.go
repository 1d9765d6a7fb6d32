package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/workspace"
)

// printMigration prints what came over, and what did not.
func printMigration(w io.Writer, a migrateAnswer) {
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

// undo takes migrations back and updates the index.
func (m *migration) undo(ctx context.Context, t *migrationTarget, journals []*migrate.Journal, keepEdited bool) error {
	undone, err := migrate.Undo(ctx, t.workspace, journals, keepEdited)
	if err != nil {
		return err
	}
	for _, name := range undone.Kept {
		m.note("%s was edited, and stays", display.Name(name))
	}
	return m.index(ctx, t, undone.Removed)
}

// rollbackAnswer is the answer of migrate --rollback.
type rollbackAnswer struct {
	Action    string              `json:"action"` // "rollback"
	From      string              `json:"from"`
	Workspace string              `json:"workspace"`
	Preview   bool                `json:"preview"`
	Removed   memory.List[string] `json:"removed"` // files
	Kept      memory.List[string] `json:"kept"`    // files that somebody edited
}

// takeBack removes what migrations from a system wrote.
func (m *migration) takeBack(ctx context.Context, t *migrationTarget) error {
	journals, err := migrate.Journals(t.journals, t.workspace.Dir(), workspace.SameFolder)
	if err != nil {
		return err
	}
	journals = slices.DeleteFunc(journals, func(j *migrate.Journal) bool { return j.System != m.from })
	if len(journals) == 0 {
		return &memory.Error{Kind: memory.ErrNotFound, Field: "from", Message: "nothing was migrated from " + m.from + " into " + t.workspace.Dir(),
			Hint: "-w names another workspace"}
	}
	answer := rollbackAnswer{Action: "rollback", From: m.from, Workspace: t.Workspace, Preview: m.preview}
	undo := migrate.Undo
	if m.preview {
		undo = migrate.PreviewUndo
	}
	undone, err := undo(ctx, t.workspace, journals, m.keepEdited)
	if err != nil {
		return err
	}
	answer.Removed, answer.Kept = undone.Removed, undone.Kept
	if !m.preview {
		if err := m.index(ctx, t, undone.Removed); err != nil {
			return err
		}
	}
	return printAnswer(m.app, answer, printRollback)
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
