// Package editing replaces the text of one memory in its file. Every other memory of the file
// stays as it is, and so do the bytes around the text.
package editing

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Editor edits the memories of one workspace. The caller holds the lock of ingests.
type Editor struct {
	DB        *index.DB
	Decisions *decisions.Files
}

// maxText is the longest text of a memory in characters, as for one that is stored.
const maxText = 10_000

// Run replaces the text of a memory, if it is what the person saw.
func (e Editor) Run(ctx context.Context, now time.Time, r memory.EditRequest) (memory.ChangeAnswer, error) {
	text := strings.TrimSpace(strings.ToValidUTF8(r.Text, "\uFFFD"))
	if n := utf8.RuneCountInString(text); n == 0 || n > maxText {
		return memory.ChangeAnswer{}, memory.Invalid("text", "a text has 1 to %d characters, this one has %d", maxText, n).WithHint("memory forget hides a memory")
	}
	m, err := e.find(ctx, now, r.ID)
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	switch {
	case r.Was != m.Text:
		return memory.ChangeAnswer{}, memory.Conflict("%s:%d was changed meanwhile", m.Path, m.LineStart).WithHint("look at the text as it is now, then edit it again")
	case text == m.Text:
		return memory.ChangeAnswer{}, memory.Conflict("the text is the same")
	}
	command := plan.NewCommand("")
	changed, err := e.replace(ctx, now, m, text)
	if err != nil {
		return memory.ChangeAnswer{}, err
	}
	row := memory.AuditRow{At: now, Action: memory.AuditEdit, ID: changed.ID, Source: command.Source, Batch: command.Batch}
	err = e.DB.Update(ctx, now, func(tx *index.Tx) error {
		return errors.Join(tx.Audit(row), tx.AddEdit(command.Batch, index.Edit{ID: changed.ID, Was: m.Text, Text: text}))
	})
	a := memory.ChangeAnswer{Action: memory.AuditEdit, Changed: memory.List[memory.Memory]{changed}, Batch: command.Batch}
	if changed.ID != m.ID {
		a.Notices = append(a.Notices, fmt.Sprintf("so much of it changed that it is another memory now, %s", changed.ID.Short()))
	}
	return a, err
}

// Undo puts back what the text of an edit was, if it is still what the edit made it.
func (e Editor) Undo(ctx context.Context, now time.Time, r memory.DecideRequest, row memory.AuditRow) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview}
	done, err := e.DB.EditOf(ctx, row.Batch)
	if err != nil {
		return a, err
	}
	m, err := e.find(ctx, now, string(done.ID))
	if err != nil {
		return a, err
	}
	if m.Text != done.Text {
		return a, memory.Conflict("%s:%d was edited since", m.Path, m.LineStart).WithHint("edit it again; memory undo 2 reverses the command before it")
	}
	if r.Preview {
		m.Text = done.Was
		a.Changed = append(a.Changed, m)
		return a, nil
	}
	changed, err := e.replace(ctx, now, m, done.Was)
	if err != nil {
		return a, err
	}
	p := plan.New(now, memory.ActionUndo, r.Source, false)
	p.RecordUndo(row.Batch, []memory.AuditRow{row})
	a.Changed, a.Batch = append(a.Changed, changed), p.Batch
	return a, e.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.Audit(p.Rows...) })
}

// find returns a memory that can be edited, as its file has it now.
func (e Editor) find(ctx context.Context, now time.Time, id string) (memory.Memory, error) {
	m, err := lookup.Find(ctx, e.DB, id)
	if err != nil {
		return m, err
	}
	if err := e.Decisions.Refresh(ctx, now, memory.AuditEdit, []memory.ID{m.ID}); err != nil {
		return m, err
	}
	if m, err = lookup.Find(ctx, e.DB, string(m.ID)); err != nil {
		return m, err
	}
	switch {
	case m.Missing:
		return m, memory.Conflict("%s", memory.TextIsGone).WithHint("it was in %s", m.Path)
	case m.Forgotten:
		return m, memory.Conflict("a forgotten memory is not edited").WithHint("memory restore %s brings it back first", m.ID.Short())
	}
	return m, nil
}

// replace writes another text in the place of a memory, and returns the memory that has it
// then.
func (e Editor) replace(ctx context.Context, now time.Time, m memory.Memory, text string) (memory.Memory, error) {
	folder, err := e.Decisions.Host.Folder()
	if err != nil {
		return m, err
	}
	reason := decisions.ReadOnlyReason(folder.WriteObstacle(m.Path))
	if e.Decisions.ReadOnly {
		reason = "belongs to a read-only workspace"
	}
	if reason != "" {
		return m, memory.Conflict("%s %s", m.Path, reason).WithHint("make it writable, then try again")
	}
	src, _, err := folder.Read(m.Path)
	if err != nil {
		return m, err
	}
	next, err := e.withText(src, m, text)
	if err != nil {
		return m, err
	}
	appends, err := folder.Replace(m.Path, sha256.Sum256(src), next)
	e.Decisions.Host.WatchAppends(appends)
	if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return m, err
	}
	if err := errors.Join(err, e.Decisions.Host.RefreshPaths(context.WithoutCancel(ctx), now, []string{m.Path})); err != nil {
		return m, err
	}
	return e.at(ctx, m, text)
}

// at returns the memory with a text that is where another one was.
func (e Editor) at(ctx context.Context, was memory.Memory, text string) (memory.Memory, error) {
	same, err := lookup.Find(ctx, e.DB, string(was.ID))
	if err == nil && !same.Missing && same.Text == text {
		return same, nil
	}
	all, _, err := e.DB.List(ctx, memory.Predicate{Path: was.Path, Archive: true, Forgotten: memory.Include}, "path", 0, 0)
	for _, m := range all {
		if m.LineStart == was.LineStart {
			return m, err
		}
	}
	return was, errors.Join(err, decisions.FileChanged(was.Path))
}

// withText returns a file with another text in the place of a memory.
func (e Editor) withText(src []byte, m memory.Memory, text string) ([]byte, error) {
	head := frontmatter.Parse(src, e.Decisions.Zone)
	if head.HasConflict || head.Broken || m.IsProperties {
		return nil, cannotHold(m, "its front matter cannot be edited here")
	}
	before := chunker.Blocks(src, head.BodyStart)
	for i, b := range before {
		if b.LineStart != m.LineStart || b.Text != m.Text {
			continue
		}
		for _, block := range forms(string(src[b.Start:b.End]), m.Text, text) {
			next := string(src[:b.Start]) + block + string(src[b.End:])
			if holds(before, chunker.Blocks([]byte(next), head.BodyStart), i, text) {
				return []byte(next), nil
			}
		}
		return nil, cannotHold(m, "written like that, it would change what is around it")
	}
	return nil, decisions.FileChanged(m.Path)
}

func cannotHold(m memory.Memory, reason string) error {
	return memory.Conflict("%s cannot have this text at line %d: %s", m.Path, m.LineStart, reason).WithHint("edit the file: memory open %s", m.ID.Short())
}
