package destroy

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// Copies returns the memories that destroy removes, and their near copies. These
// are, for a user, those that this user may see: neither the answer nor what happens
// depends on the memories of others.
func (f *Files) Copies(ctx context.Context, who memory.View, ids []memory.ID) (all, near []memory.Memory, err error) {
	if all, err = f.withCopies(ctx, ids); err != nil {
		return nil, nil, err
	}
	near, err = f.nearCopies(ctx, all)
	if err != nil || who.Users == nil {
		return all, near, errors.Join(err, audience.HideTexts(ctx, f.db, who, near))
	}
	shown, err := audience.Shown(ctx, f.db, who, slices.Concat(all, near))
	isHidden := func(m memory.Memory) bool { return !shown[m.ID] && !slices.Contains(ids, m.ID) }
	return slices.DeleteFunc(all, isHidden), slices.DeleteFunc(near, isHidden), err
}

// destroyedBy returns the memories that an intent destroys. For a user, no copies come
// with them.
func (f *Files) destroyedBy(ctx context.Context, in index.Intent) (all []memory.Memory, err error) {
	if len(in.Users) == 0 {
		return f.withCopies(ctx, in.Destroy)
	}
	declarations, err := f.db.Declarations(ctx, in.Destroy)
	for _, decl := range declarations {
		all = append(all, decl.Memory)
	}
	return all, err
}

// HideOwnCopies plans that the copies of a user are forgotten at once, each alone. The
// marks of forgotten texts would hide those of other users too.
func (f *Files) HideOwnCopies(ctx context.Context, now time.Time, intent *index.Intent, copies []memory.Memory) error {
	declarations, err := f.db.Declarations(ctx, memory.IDsOf(copies))
	for _, decl := range declarations {
		after, reason := memory.Decision{Action: memory.ActionForget, Only: true, At: now.In(f.zone)}.ApplyTo(decl.Declarations)
		if reason == "" {
			intent.Items = append(intent.Items, index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: after, Sidecar: decl.Sidecar, Hide: true})
		}
	}
	return err
}

// copyAt is where a file has a text that is to be destroyed.
type copyAt struct {
	line  int
	isOwn bool // it belongs to the user who destroys it
}

// copiesByFile lists the copies of the texts of an intent, by file and in order.
func copiesByFile(in index.Intent, declarations []index.Declarations) map[string][]copyAt {
	copies := map[string][]copyAt{}
	for _, decl := range declarations {
		if m := decl.Memory; !m.Missing {
			copies[m.Path] = append(copies[m.Path], copyAt{m.LineStart, slices.Contains(in.Destroy, m.ID)})
		}
	}
	for _, list := range copies {
		slices.SortFunc(list, func(a, b copyAt) int { return a.line - b.line })
	}
	return copies
}

// ownSpans returns those spans of a file that belong to the user. It fails if the index
// does not know whose the spans are.
func ownSpans(path string, spans []frontmatter.Span, copies []copyAt) (own []frontmatter.Span, err error) {
	if len(spans) != len(copies) {
		return nil, decisions.FileChanged(path)
	}
	for i, at := range copies {
		if at.isOwn {
			own = append(own, spans[i])
		}
	}
	return own, nil
}
