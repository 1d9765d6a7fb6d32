package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/workspace"
)

// undo takes migrations back and updates the index.
func (m *migration) undo(ctx context.Context, t *migrationTarget, journals []*migrate.Journal, keepEdited bool) error {
	undone, err := migrate.Undo(ctx, t.workspace, journals, keepEdited)
	if err != nil {
		return err
	}
	for _, name := range undone.Kept {
		fmt.Fprintf(m.err, "note: %s was edited, and stays\n", display.Name(name))
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
	return m.printAnswer(answer, func(w io.Writer) error {
		verb := "removed"
		if m.preview {
			verb = "would remove"
		}
		fmt.Fprintf(w, "%s %d files that were migrated from %s\n", verb, len(answer.Removed), m.from)
		for _, name := range answer.Kept {
			fmt.Fprintf(w, "kept, because somebody edited it: %s\n", display.Name(name))
		}
		return nil
	})
}
