package store

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/workspace"
)

// namesHead begins the file with what the owner decided about names. No model gets it, so that
// none learns a name from it.
const namesHead = "---\nprivate: true\n---\n\n"

// DecideName appends a decision about a name to [lookup.NamesFile]. The batch is the id of the
// command.
func (w Writer) DecideName(ctx context.Context, now time.Time, r knowledge.ChangeEntityRequest) (m memory.Memory, batch string, err error) {
	folder, err := w.Host.Folder()
	if err == nil {
		err = w.RefuseUnwritable(folder, lookup.NamesFile)
	}
	if err == nil {
		err = w.Host.RefreshPaths(ctx, now, []string{lookup.NamesFile})
	}
	if err != nil {
		return m, "", err
	}
	n, err := lookup.ReadNames(ctx, w.DB, memory.Predicate{Archive: true})
	if err != nil {
		return m, "", err
	}
	line, err := n.Decide(r)
	if err != nil {
		return m, "", err
	}
	text, err := Admit(line, false)
	if err != nil {
		return m, "", err
	}
	note, unconfirmed := w.appendUnlessForgotten(ctx, folder, lookup.Author{}, text, func(int) string { return lookup.NamesFile },
		func(current []byte) ([]byte, bool) {
			d := memory.Declared{}
			if len(current) > 0 && !isTrue(frontmatter.Parse(current, w.Zone).FileDefaults.Private) {
				d.Private = new(true) // a person began the file, with notes that may be for models
			}
			return fitBelow(namesHead, current, text, d)
		})
	if unconfirmed != nil && !errors.Is(unconfirmed, workspace.ErrUnsynced) {
		return m, "", unconfirmed
	}
	if m, err = w.index(ctx, now, note, text.String()); err != nil {
		return m, "", err
	}
	c := plan.NewCommand("")
	if err := w.Audit(ctx, now, m, note, memory.AuditStore, c); err != nil {
		return m, "", w.TakeBack(ctx, now, note, err)
	}
	return m, c.Batch, unconfirmed
}
