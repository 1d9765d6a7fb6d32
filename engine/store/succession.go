package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// Statement is a text that was captured or stored.
type Statement struct {
	Trust  memory.TrustTier
	By     plan.Command // that stores it
	Author lookup.Author
}

// SettleDuplicate does what a repeated statement calls for: the memory gains the trust
// of who says it again, and one that was superseded holds again. It returns what the
// memory supersedes then.
func (w Writer) SettleDuplicate(ctx context.Context, now time.Time, same Related, found Found, said Statement) ([]memory.Memory, error) {
	m := same.Memory
	if !mayReplace(said.Trust, m) {
		return nil, nil
	}
	if said.Trust == memory.TrustTrusted && m.Trust == memory.TrustUntrusted {
		if err := w.raiseTrust(ctx, now, m, said.By); err != nil {
			return nil, err
		}
	}
	if m.SupersededBy == nil || !said.Author.Owns(m) {
		return nil, nil
	}
	if err := w.Supersede(ctx, now, "", []memory.Memory{m}, said.By); err != nil {
		return nil, err
	}
	old := found.Replaced(said.Trust, said.Author)
	return old, w.Supersede(ctx, now, m.ID, old, said.By)
}

// HasPrivate reports whether one of some memories is private.
func HasPrivate(memories []memory.Memory) bool {
	return slices.ContainsFunc(memories, func(m memory.Memory) bool { return m.Private })
}

// ShownIDs returns the ids of some memories that exist for a view.
func ShownIDs(memories []memory.Memory, v memory.View) (ids memory.List[memory.ID]) {
	for _, m := range memories {
		if !v.Conceals(&m) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Supersede declares in the files of some memories that another one replaces them. An
// empty by makes them hold again. A file that cannot be edited now keeps nobody from
// storing a new value: the declaration is then in the index alone.
func (w Writer) Supersede(ctx context.Context, now time.Time, by memory.ID, old []memory.Memory, c plan.Command) error {
	if len(old) == 0 {
		return nil
	}
	declarations, err := w.DB.Declarations(ctx, memory.IDsOf(old))
	if err != nil {
		return err
	}
	action := memory.Action("supersede")
	if by == "" {
		action = "revive"
	}
	p := c.Plan(now, action)
	for _, decl := range declarations {
		after, m := decl.Own, decl.Memory
		after.SupersededBy, m.SupersededBy = by.Linked(), nil
		if by != "" {
			m.SupersededBy = &by
		}
		p.Change(decl, after, m)
	}
	err = w.CarryOut(ctx, now, p, func(memory.Progress) {})
	switch {
	case !errors.Is(err, memory.ErrConflict):
		return err
	case errors.As(err, new(plan.Unfinished)):
		return nil // it is written as soon as its file does not change any more
	}
	return w.DB.Update(ctx, now, func(tx *index.Tx) error {
		for _, id := range p.IDs {
			if err := tx.Supersede(id, by); err != nil {
				return err
			}
		}
		return tx.Audit(p.Rows...)
	})
}

// ReviveReplaced gives the memories that destroyed ones superseded another successor:
// the next newer version that stays. Without one, they hold again.
func (w Writer) ReviveReplaced(ctx context.Context, now time.Time, destroyed []memory.Memory, c plan.Command) error {
	gone := map[memory.ID]bool{}
	for _, m := range destroyed {
		gone[m.ID] = true
	}
	replaced := map[memory.ID][]memory.Memory{} // by their next successor, or ""
	for _, m := range destroyed {
		older, newer, err := w.DB.Versions(ctx, m.ID)
		if err != nil {
			return err
		}
		next := memory.ID("")
		if i := slices.IndexFunc(newer, func(n memory.Memory) bool { return !gone[n.ID] }); i >= 0 {
			next = newer[i].ID
		}
		for _, old := range older {
			if *old.SupersededBy == m.ID && !gone[old.ID] {
				replaced[next] = append(replaced[next], old)
			}
		}
	}
	for _, next := range slices.Sorted(maps.Keys(replaced)) {
		if err := w.Supersede(ctx, now, next, replaced[next], c); err != nil {
			return err
		}
	}
	return nil
}

// raiseTrust declares a memory trusted, because its owner says the same.
func (w Writer) raiseTrust(ctx context.Context, now time.Time, m memory.Memory, c plan.Command) error {
	declarations, err := w.DB.Declarations(ctx, []memory.ID{m.ID})
	if err != nil || len(declarations) == 0 {
		return err
	}
	raised, after := declarations[0].Own, m
	raised.Trust, after.Trust = memory.TrustTrusted, memory.TrustTrusted
	p := c.Plan(now, "trust")
	p.Change(declarations[0], raised, after)
	return w.CarryOut(ctx, now, p, func(memory.Progress) {})
}

// SuccessionNotices reports memories that are hidden because another one that is in no
// file superseded them, and memories that supersede themselves. An index that has seen
// the text of an unknown one shows them again.
func SuccessionNotices(ctx context.Context, db *index.DB) (notices []string, err error) {
	looped, err := db.SupersededByThemselves(ctx)
	if err != nil {
		return nil, err
	}
	if len(looped) > 0 {
		notices = append(notices, fmt.Sprintf("superseded_by has no effect on %d memories, because it leads back to them: %s; correct that key in their lines", len(looped), lookup.ShortIDs(looped)))
	}
	ids, err := db.UnknownSuccessors(ctx)
	if err != nil || len(ids) == 0 {
		return notices, err
	}
	return append(notices, fmt.Sprintf("%d memories are hidden because of superseded_by, which names no text of any file: %s; remove that key from their lines to show them",
		len(ids), lookup.ShortIDs(ids))), nil
}
