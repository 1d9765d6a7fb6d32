package destroy

import (
	"context"
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

// nearCopies returns the memories that have the wording of one of the texts and other
// characters. They stay in their files, because another person may have written them,
// and are forgotten with the texts.
func (f *Files) nearCopies(ctx context.Context, destroyed []memory.Memory) (near []memory.Memory, err error) {
	isDestroyed := map[memory.ID]bool{}
	for _, m := range destroyed {
		isDestroyed[m.ID] = true
	}
	copies, err := f.db.Copies(ctx, memory.IDsOf(destroyed))
	if err != nil {
		return nil, err
	}
	declarations, err := f.db.Declarations(ctx, slices.DeleteFunc(copies, func(id memory.ID) bool { return isDestroyed[id] }))
	for _, decl := range declarations {
		near = append(near, decl.Memory)
	}
	return near, err
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
