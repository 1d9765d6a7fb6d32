package engine

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/transfer"
)

// Export writes memories with all that the index knows about them as lines of JSON, to r.Out.
func (e *Engine) Export(ctx context.Context, r memory.ExportRequest) (end memory.ExportEnd, err error) {
	s, who, err := e.askOwner(r.Workspace, r.Sender, r.For)
	if err != nil {
		return end, err
	}
	p, err := lookup.PredicateOf(r.Filter, e.now(), s.Zone, e.options().Identities)
	if err != nil {
		return end, err
	}
	p.Archive, p.Pinned, p.Forgotten = true, r.Pinned, memory.Include
	if r.Filter.Forgotten {
		p.Forgotten = memory.Only
	}
	folder, err := s.openFolder()
	if err != nil {
		return end, err
	}
	e.flush(ctx, s)
	if p, err = lookup.About(ctx, lookup.Restrict(p, who), r.Filter, s.db); err != nil {
		return end, err
	}
	whole := r.Filter == memory.Filter{} && !r.Pinned
	from := transfer.Source{Name: s.Name, DB: s.db, Folder: folder.Workspace}
	end, err = from.Export(ctx, p, e.options().Version, r.WithText, whole, r.Out)
	if err == nil {
		e.keepReceipt(ctx, s, memory.Receipt{Kind: memory.ReceiptExport, File: r.File,
			Counts: map[string]int{"exported": end.Rows}, Filters: memory.ReceiptFilters{Scope: r.Scope, WithText: r.WithText, Memories: &r.Filter}})
	}
	return end, err
}

// askOwner returns the workspace of a request that only a person at the machine may make.
func (e *Engine) askOwner(workspace string, s memory.Sender, who memory.Audience) (*workspaceState, memory.View, error) {
	found, view, err := e.ask(workspace, s, who)
	if err == nil && (view.Model || view.Users != nil) {
		err = &memory.Error{Kind: memory.ErrForbidden, Field: "for", Message: "only the owner of the workspace can export and import memories",
			Hint: "memory export and memory import, without a user"}
	}
	return found, view, err
}
