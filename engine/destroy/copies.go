package destroy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/verify"
)

// withCopies returns the memories with these ids, then every copy of their texts.
func (f *Files) withCopies(ctx context.Context, ids []memory.ID) (all []memory.Memory, err error) {
	copies, err := f.db.ExactCopies(ctx, ids)
	if err != nil {
		return nil, err
	}
	declarations, err := f.db.Declarations(ctx, slices.Concat(ids, copies))
	for _, decl := range declarations {
		all = append(all, decl.Memory)
	}
	return all, err
}

// Texts returns the texts of some memories as their files have them.
func (f *Files) Texts(ctx context.Context, ids []memory.ID) (texts []string, err error) {
	declarations, err := f.db.Declarations(ctx, ids)
	for _, decl := range declarations {
		texts = append(texts, decl.WrittenText)
	}
	return texts, err
}

// Copies returns the memories that destroy removes, then every copy of their texts. near are
// the memories with the wording of one of the texts and other characters. They stay in their
// files, because another person may have written them, and are forgotten with the texts.
func (f *Files) Copies(ctx context.Context, who memory.View, ids []memory.ID) (all, near []memory.Memory, err error) {
	if all, err = f.withCopies(ctx, ids); err != nil {
		return nil, nil, err
	}
	destroyed := memory.IDsOf(all)
	copies, err := f.db.Copies(ctx, destroyed)
	if err != nil {
		return nil, nil, err
	}
	declarations, err := f.db.Declarations(ctx, slices.DeleteFunc(copies, func(id memory.ID) bool { return slices.Contains(destroyed, id) }))
	for _, decl := range declarations {
		near = append(near, decl.Memory)
	}
	return all, near, errors.Join(err, audience.HideTexts(ctx, f.db, who, near))
}

// SharedTextNotices reports memories that contain one of the texts, except those that
// the answer lists. They stay.
func (f *Files) SharedTextNotices(ctx context.Context, who memory.View, listed []memory.Memory, texts []string) (notices []string, err error) {
	ids := map[memory.ID]bool{}
	for _, m := range listed {
		ids[m.ID] = true
	}
	matcher := verify.NewMatcher(texts...)
	for _, p := range []memory.Predicate{{Forgotten: memory.Include, Archive: true}, {Forgotten: memory.Include, Archive: true, Missing: memory.Only}} {
		memories, _, err := f.db.Searcher.List(ctx, audience.Restrict(p, who), "path", 0, 0) // with comments that repeat a text
		if err != nil {
			return nil, err
		}
		for _, m := range memories {
			if !ids[m.ID] && matcher.Index([]byte(m.Text)) >= 0 {
				notices = append(notices, fmt.Sprintf("another memory contains the same words, and stays: %s, %s:%d", m.ID.Short(), m.Path, m.LineStart))
			}
		}
	}
	return notices, nil
}
