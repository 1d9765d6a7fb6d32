package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// maxText is the longest text of a memory in characters, as for one that is stored.
const maxText = 10_000

// Edit replaces the text of a memory, if it is what the person saw.
func (c Commands) Edit(ctx context.Context, now time.Time, r memory.EditRequest) (a memory.ChangeAnswer, err error) {
	text := strings.TrimSpace(strings.ToValidUTF8(r.Text, "\uFFFD"))
	if n := utf8.RuneCountInString(text); n == 0 || n > maxText {
		return a, memory.Invalid("text", "a text has 1 to %d characters, this one has %d", maxText, n).WithHint("memory forget hides a memory")
	}
	m, err := c.findToEdit(ctx, now, r.ID)
	if err != nil {
		return a, err
	}
	switch {
	case r.Was != m.Text:
		return a, memory.Conflict("%s:%d was changed meanwhile", m.Path, m.LineStart).WithHint("look at the text as it is now, then edit it again")
	case text == m.Text:
		return a, memory.Conflict("the text is the same")
	}
	p := plan.New(now, memory.AuditEdit, "", false)
	err = c.replaceText(ctx, p, m, text, func(changed memory.Memory) {
		a.Changed = memory.List[memory.Memory]{changed}
		p.RecordChange(changed, changed)
		p.Then = append(p.Then, func(tx *index.Tx) error {
			return tx.AddEdit(p.Batch, index.Edit{ID: changed.ID, Was: m.Text, Text: text})
		})
		if changed.ID != m.ID {
			p.Notices = append(p.Notices, fmt.Sprintf("so much of it changed that it is another memory now, %s", changed.ID.Short()))
		}
	})
	if err != nil {
		return a, err
	}
	done, err := c.Apply(ctx, now, p, memory.DecideRequest{})
	a.Action, a.Notices, a.Batch = memory.AuditEdit, done.Notices, done.Batch
	return a, err
}

// reverseEdit plans to put back what the text of an edit was, if it is still what the edit made
// it.
func (c Commands) reverseEdit(ctx context.Context, p *plan.Plan, row memory.AuditRow) error {
	done, err := c.DB.EditOf(ctx, row.Batch)
	if err != nil {
		return err
	}
	m, err := c.findToEdit(ctx, p.At, string(done.ID))
	if err != nil {
		return err
	}
	if m.Text != done.Text {
		return memory.Conflict("%s:%d was edited since", m.Path, m.LineStart).WithHint("edit it again; memory undo 2 reverses the command before it")
	}
	was := m
	was.Text = done.Was
	p.IDs, p.After[m.ID] = []memory.ID{m.ID}, was
	return c.replaceText(ctx, p, m, done.Was, func(changed memory.Memory) { p.IDs = []memory.ID{changed.ID} })
}

// findToEdit returns a memory that can be edited, as its file has it now.
func (c Commands) findToEdit(ctx context.Context, now time.Time, id string) (memory.Memory, error) {
	m, err := lookup.Find(ctx, c.DB, id)
	if err != nil {
		return m, err
	}
	if err := c.Refresh(ctx, now, memory.AuditEdit, []memory.ID{m.ID}); err != nil {
		return m, err
	}
	if m, err = lookup.Find(ctx, c.DB, string(m.ID)); err != nil {
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

// replaceText plans another text in the place of a memory. indexed gets the memory that has it
// then.
func (c Commands) replaceText(ctx context.Context, p *plan.Plan, m memory.Memory, text string, indexed func(memory.Memory)) error {
	folder, err := c.Host.Folder()
	if err == nil {
		err = c.RefuseUnwritable(folder, m.Path)
	}
	if err != nil {
		return err
	}
	src, _, err := folder.Read(m.Path)
	if err != nil {
		return err
	}
	next, err := c.withText(src, m, text)
	if err != nil {
		return err
	}
	p.Texts = []plan.FileChange{{Path: m.Path, Before: src, After: next}}
	p.Indexed = func(ctx context.Context) error {
		changed, err := c.at(ctx, m, text)
		if err == nil {
			indexed(changed)
		}
		return err
	}
	return nil
}

// at returns the memory with a text that is where another one was.
func (c Commands) at(ctx context.Context, was memory.Memory, text string) (memory.Memory, error) {
	same, err := lookup.Find(ctx, c.DB, string(was.ID))
	if err == nil && !same.Missing && same.Text == text {
		return same, nil
	}
	all, _, err := c.DB.List(ctx, memory.Predicate{Path: was.Path, Archive: true, Forgotten: memory.Include}, "path", 0, 0)
	for _, m := range all {
		if m.LineStart == was.LineStart {
			return m, err
		}
	}
	return was, errors.Join(err, plan.FileChanged(was.Path))
}

// withText returns a file with another text in the place of a memory.
func (c Commands) withText(src []byte, m memory.Memory, text string) ([]byte, error) {
	head := frontmatter.Parse(src, c.Zone)
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
	return nil, plan.FileChanged(m.Path)
}

func cannotHold(m memory.Memory, reason string) error {
	return memory.Conflict("%s cannot have this text at line %d: %s", m.Path, m.LineStart, reason).WithHint("edit the file: memory open %s", m.ID.Short())
}
