package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// sortKeys is what a list may be ordered by; the first is the default.
var sortKeys = []string{"created_at", "last_accessed_at", "use_count", "path"}

// List lists memories without a query, with how many there are by tier.
func (e *Engine) List(ctx context.Context, r memory.ListRequest) (memory.ListAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	p, err := listPredicate(r, s)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	at, past, err := resolveAsOf(r.AsOf, e.now(), s.Zone)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	if past {
		p.AsOf = at
	}
	limit, err := resolveLimit(r.Limit, maxAnswer, maxAnswer)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	memories, total, err := s.db.List(ctx, p, r.Sort, limit, r.Offset)
	if err != nil {
		return memory.ListAnswer{}, err
	}
	tiers, err := s.db.Tiers(ctx, p)
	return memory.ListAnswer{Memories: s.uses.addTo(memories), Total: total, Tiers: tiers, Stale: e.o.ReadOnly}, err
}

func listPredicate(r memory.ListRequest, s *workspaceState) (memory.Predicate, error) {
	if r.Sort != "" && !slices.Contains(sortKeys, r.Sort) {
		return memory.Predicate{}, memory.Invalid("sort", "memories cannot be sorted by %q", r.Sort).
			WithHint("one of: %s", strings.Join(sortKeys, ", "))
	}
	if r.Offset < 0 {
		return memory.Predicate{}, memory.Invalid("offset", "an offset of %d makes no sense", r.Offset)
	}
	p, err := resolveFilter(r.Filter, s.Zone)
	p.Archive = true // a list without a filter is everything that is visible
	p.Pinned = r.Pinned
	if r.Forgotten {
		p.Forgotten = memory.Only
	}
	if r.Missing {
		p.Missing, p.Forgotten = memory.Only, memory.Include
	}
	return p, err
}

// Show finds one memory by any unique prefix of its id.
func (e *Engine) Show(ctx context.Context, workspace, id string) (memory.Memory, error) {
	s, err := e.lookup(workspace)
	if err != nil {
		return memory.Memory{}, err
	}
	return s.findMemory(ctx, id)
}

func (s *workspaceState) findMemory(ctx context.Context, id string) (memory.Memory, error) {
	prefix, err := memory.ParseIDPrefix(id)
	if err != nil {
		return memory.Memory{}, err
	}
	found, err := s.db.FindByPrefix(ctx, prefix)
	switch {
	case err != nil:
		return memory.Memory{}, err
	case len(found) == 0:
		return memory.Memory{}, memory.NotFound(id)
	case len(found) > 1:
		return memory.Memory{}, ambiguousID(id, found)
	}
	return s.uses.addTo(found)[0], nil
}

// ambiguousID lists what an id prefix could mean.
func ambiguousID(id string, found []memory.Memory) error {
	const shown = 5 // enough to choose from without filling the screen
	var could []string
	for _, m := range found[:min(shown, len(found))] {
		could = append(could, m.ID.InFile()+" "+firstLine(m.Text, 50))
	}
	if len(found) > shown {
		could = append(could, "…")
	}
	err := memory.Conflict("%s could mean %d memories", id, len(found)).
		WithHint("type more digits; it could be: %s", strings.Join(could, " · "))
	err.Field = "id"
	return err
}

func firstLine(text string, most int) string {
	line, _, cut := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > most {
		line, cut = string(runes[:most]), true
	}
	if cut {
		line += "…"
	}
	return line
}
