package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/verify"
)

// CopiesToDestroy returns the memories that destroy removes, then every copy of their texts. near are
// the memories with the wording of one of the texts and other characters. They stay in their
// files, because another person may have written them, and are forgotten with the texts.
func (c Commands) CopiesToDestroy(ctx context.Context, who memory.View, ids []memory.ID) (all, near []memory.Memory, err error) {
	if all, err = c.WithCopies(ctx, ids); err != nil {
		return nil, nil, err
	}
	destroyed := memory.IDsOf(all)
	copies, err := c.DB.Copies(ctx, destroyed)
	if err != nil {
		return nil, nil, err
	}
	declarations, err := c.DB.Declarations(ctx, slices.DeleteFunc(copies, func(id memory.ID) bool { return slices.Contains(destroyed, id) }))
	for _, decl := range declarations {
		near = append(near, decl.Memory)
	}
	return all, near, errors.Join(err, lookup.HideTexts(ctx, c.DB, who, near))
}

// SharedTextNotices reports memories that contain one of the texts, except those that
// the answer lists. They stay.
func (c Commands) SharedTextNotices(ctx context.Context, who memory.View, listed []memory.Memory, texts []string) (notices []string, err error) {
	ids := map[memory.ID]bool{}
	for _, m := range listed {
		ids[m.ID] = true
	}
	matcher := verify.NewMatcher(texts...)
	for _, p := range []memory.Predicate{{Forgotten: memory.Include, Archive: true}, {Forgotten: memory.Include, Archive: true, Missing: memory.Only}} {
		memories, _, err := c.DB.Searcher.List(ctx, lookup.Restrict(p, who), "path", 0, 0) // with comments that repeat a text
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
