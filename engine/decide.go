package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/erasure"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
)

// Decide carries out one action on memories. It returns when the decision is in the
// files, synced, and holds for every reader.
func (e *Engine) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	_, s, err := e.holding(ctx, r.Workspace, r.IDs...)
	if err == nil {
		err = commands.Validate(r)
	}
	if err == nil {
		err = s.inPlace.Check(r)
	}
	if err == nil && !r.Preview {
		err = e.refuseWhenReadOnly()
	}
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	who, err := e.viewOf(r.Sender, r.For)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if len(r.IDs) == 0 { // a memory that is named by its id is shown in every scope
		who.Scope = e.options().Scopes.ScopeOf(scopeOfFilter(r.Filter), r.Agent, r.Sender)
	}
	if r.Action == memory.ActionDestroy && who.Users != nil {
		return memory.DecideAnswer{}, commands.DestroyByPerson()
	}
	unlock, err := s.lockIngest(ctx)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	defer unlock()
	now := e.now()
	if !r.Preview {
		if err := s.plans.FinishIntents(ctx, now, true); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	a, err := e.decide(ctx, s, now, who, r)
	if err == nil && r.InPlace && !r.Preview {
		err = s.inPlace.TakeOut(ctx, now, &a)
	}
	if err == nil {
		err = s.inPlace.PutBack(ctx, now, &a)
	}
	if err == nil {
		err = errors.Join(s.hideRestored(ctx, who, r, a.Changed), s.db.Show(ctx, who, a.Changed), s.db.Show(ctx, who, a.NearCopies))
	}
	if err == nil && !r.Preview {
		a.Notices = append(a.Notices, s.plans.WriteDue(ctx, now)...)
		a.Notices = append(a.Notices, s.writeOtherPending(ctx, now)...)
		a.Notices = append(a.Notices, s.inPlace.Notices(r, a)...)
		if err := s.machines.Sync(ctx); err != nil {
			a.Notices = append(a.Notices, "your other machines do not get this: "+err.Error())
		}
		e.keepReceipt(ctx, s, receipts.OfDecision(r, a))
	}
	return a, err
}

// writeOtherPending writes the pending decisions with the next decision that is
// carried out.
func (s *workspaceState) writeOtherPending(ctx context.Context, now time.Time) (notices []string) {
	written, err := s.plans.WritePending(ctx, now)
	if written > 0 {
		notices = append(notices, plan.PendingWrittenNotice(written))
	}
	if err != nil {
		notices = append(notices, fmt.Sprintf("earlier decisions could not be written into their files: %v", err))
	}
	return notices
}

// hideRestored removes from a model's answer the texts that it may not read: those
// of memories that were forgotten before. All others were selected because they may
// be injected.
func (s *workspaceState) hideRestored(ctx context.Context, who memory.View, r memory.DecideRequest, changed []memory.Memory) error {
	if r.Action != memory.ActionRestore && r.Action != memory.ActionUndo {
		return nil
	}
	return lookup.HideTexts(ctx, s.db, who, changed)
}

// decide carries out an action. A preview of a query adds how well its memories fit.
func (e *Engine) decide(ctx context.Context, s *workspaceState, now time.Time, who memory.View, r memory.DecideRequest) (memory.DecideAnswer, error) {
	if r.Action == memory.ActionUndo {
		return s.commands.Undo(ctx, now, who, r)
	}
	ids, similarity, err := s.selection.Select(ctx, now, who, e.options().Identities, r)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if r.Action == memory.ActionDestroy {
		if ids, err = s.db.WithDerived(ctx, ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	a, err := e.decideAbout(ctx, s, now, who, r, ids)
	if r.Preview && err == nil {
		a.Similarity = similarity
		a.Notices = append(a.Notices, lookup.WeakHitNotices(r, ids, similarity)...)
	}
	return a, err
}

func (e *Engine) decideAbout(ctx context.Context, s *workspaceState, now time.Time, who memory.View, r memory.DecideRequest, ids []memory.ID) (memory.DecideAnswer, error) {
	if !r.Preview {
		if err := s.plans.Refresh(ctx, now, r.Action, ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	if r.Action == memory.ActionDestroy {
		return e.destroy(ctx, s, now, who, r, ids)
	}
	othersHaveCopies, err := s.selection.OthersHaveCopies(ctx, who, ids)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	if !r.Only && (r.Action == memory.ActionForget && who.Users != nil || r.Action == memory.ActionRestore && othersHaveCopies) {
		r.Only = true
		if ids, err = s.selection.AddOwnCopies(ctx, who, r.Action, ids); err != nil {
			return memory.DecideAnswer{}, err
		}
	}
	p, err := plan.ForDecision(ctx, s.db, s.zone(), now, r, ids)
	if err != nil {
		return memory.DecideAnswer{}, err
	}
	return s.plans.Apply(ctx, now, p, r)
}

// scopeOfFilter returns the scope that a filter names, or nothing.
func scopeOfFilter(f *memory.Filter) memory.Scope {
	if f == nil {
		return ""
	}
	return f.Scope
}

// destroy removes memories and every copy of their texts from the files, the index
// and the backups. It then scans for what is left. It cannot be undone.
func (e *Engine) destroy(ctx context.Context, s *workspaceState, now time.Time, who memory.View, r memory.DecideRequest, ids []memory.ID) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview, Unreachable: e.witness(s, nil).Elsewhere()}
	all, near, err := s.commands.CopiesToDestroy(ctx, who, ids)
	if err != nil {
		return a, err
	}
	a.NearCopies = near
	texts, err := s.plans.Texts(ctx, memory.IDsOf(all))
	if err != nil {
		return a, err
	}
	if a.Notices, err = s.commands.SharedTextNotices(ctx, who, slices.Concat(all, a.NearCopies), texts); err != nil {
		return a, err
	}
	if r.Preview {
		if a.Changed = all; len(r.Receipt) > 0 {
			err = e.beginReceipt(ctx, s, &a, texts, plan.ProgressOf(r))
		}
		return a, err
	}
	var receipt erasure.Receipt
	if len(r.Receipt) > 0 {
		if receipt, err = erasure.Parse(r.Receipt); err == nil {
			err = receipt.Covers(texts)
		}
	}
	if err != nil {
		return a, err
	}
	if err := s.plans.SnapshotBefore(ctx, now, r, string(r.Action), len(all)); err != nil {
		return a, err
	}
	c := plan.NewCommand(r.Source)
	if err := s.store.ReviveReplaced(ctx, now, all, c); err != nil {
		return a, err
	}
	p := c.Plan(now, r.Action)
	if err := s.plans.PlanDestroy(ctx, p, all); err != nil {
		return a, err
	}
	ctx = context.WithoutCancel(ctx) // once begun, it ignores cancellation
	if err := s.inPlace.Discard(ctx, p, texts); err != nil {
		return a, err
	}
	if err := s.plans.CarryOut(ctx, now, p, plan.ProgressOf(r)); err != nil {
		return a, err
	}
	a.Batch, a.Notices = p.Batch, append(a.Notices, p.Notices...)
	for _, m := range all {
		m.Text = ""
		a.Changed = append(a.Changed, m)
	}
	err = e.lookAfter(ctx, s, &a, receipt, texts, plan.ProgressOf(r))
	return a, err
}

// viewOf returns the view of a request's answer.
func (e *Engine) viewOf(s memory.Sender, who memory.Audience) (memory.View, error) {
	return lookup.ViewOf(e.options().Identities, s, who, e.now()), s.Check()
}

// ask returns the workspace of a request, and the view of its answer.
func (e *Engine) ask(workspace string, s memory.Sender, who memory.Audience) (*workspaceState, memory.View, error) {
	found, err := e.lookup(workspace)
	if err != nil {
		return nil, memory.View{}, err
	}
	view, err := e.viewOf(s, who)
	if err == nil && view.Model && found.Options.Documents {
		err = errOnlySearched
	}
	return found, view, err
}

// errOnlySearched refuses a model's request for documents. A search leaves out what others hide.
var errOnlySearched = memory.Invalid("workspace", "documents answer a model by a search alone").WithHint("search with docs, or name a workspace of memories")

// authorOf returns the author of what a sender says, by the identities in force.
func (e *Engine) authorOf(s memory.Sender, who memory.Audience, scope memory.Scope) lookup.Author {
	return lookup.AuthorOf(e.options().Identities, s, who, scope)
}

// authorNamed returns the author of a memory that has a user, or none.
func (e *Engine) authorNamed(user string, scope memory.Scope) lookup.Author {
	return lookup.AuthorNamed(e.options().Identities, user, scope)
}

// isOwner reports whether the sender of an agent's request is the owner.
func (e *Engine) isOwner(s memory.Sender) bool { return lookup.IsOwner(e.options().Identities, s) }
