package engine

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/plan"
)

// destroy removes memories and every copy of their texts from the files, the index
// and the backups. It then scans for what is left. It cannot be undone.
func (e *Engine) destroy(ctx context.Context, s *workspaceState, now time.Time, who memory.View, r memory.DecideRequest, ids []memory.ID) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview, Unreachable: s.unreachablePlaces(e.hostDirs())}
	all, near, err := s.destroys.Copies(ctx, who, ids)
	if err != nil {
		return a, err
	}
	a.NearCopies = near
	texts, err := s.destroys.Texts(ctx, memory.IDsOf(all))
	if err != nil {
		return a, err
	}
	if a.Notices, err = s.destroys.SharedTextNotices(ctx, who, slices.Concat(all, a.NearCopies), texts); err != nil {
		return a, err
	}
	if r.Preview {
		a.Changed = all
		return a, nil
	}
	c := plan.NewCommand(r.Source)
	if err := s.succession.ReviveReplaced(ctx, now, all, c); err != nil {
		return a, err
	}
	intent, err := s.destroys.CompleteIntent(ctx, c.Plan(now, r.Action).Intent, all)
	if err != nil {
		return a, err
	}
	ctx = context.WithoutCancel(ctx) // once begun, it ignores cancellation
	notices, err := s.destroys.Run(ctx, now, intent, texts, decisions.ProgressOf(r))
	if err != nil {
		return a, err
	}
	a.Batch, a.Notices = intent.Batch, append(a.Notices, notices...)
	for _, m := range all {
		m.Text = ""
		a.Changed = append(a.Changed, m)
	}
	scan, err := e.scanFiles(ctx, s, texts, decisions.ProgressOf(r))
	a.Scan = &scan
	for _, path := range scan.NotSearched {
		a.Unreachable = append(a.Unreachable, path+" (a model's file, as published)")
	}
	return a, err
}

// unreachablePlaces lists where a text may exist that the program cannot reach.
func (s *workspaceState) unreachablePlaces(hostDirs []string) memory.List[string] {
	list := memory.List[string]{"git history", "other copies: checkouts, backups by other programs, synchronised folders",
		"editors' backup files", "freed disk blocks"}
	if embedder := s.models.CurrentEmbedder(); embedder != nil && embedder.Remote() {
		list = append(list, "what was sent to the embedding provider of "+embedder.Model())
	}
	for _, dir := range hostDirs {
		list = append(list, "what OpenClaw itself stores in "+dir+" (memory verify looks there)")
	}
	return list
}
