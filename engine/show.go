package engine

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
)

// Show returns the memory with this id, or with this unique prefix of an id, and its
// other versions.
func (e *Engine) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	who, err := e.readerOf(r.Sender, r.For)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	now := e.now()
	m, err := s.findMemoryFor(ctx, now, who, r.ID)
	if err != nil {
		return memory.ShowAnswer{}, err
	}
	a := memory.ShowAnswer{Memory: m}
	if a.CreatedFrom, a.DateReason, err = s.dates.Reason(ctx, m.ID); err != nil {
		return a, err
	}
	older, newer, err := s.db.Versions(ctx, m.ID)
	if err != nil {
		return a, err
	}
	if a.Supersedes, err = s.versions(ctx, now, who, older); err != nil {
		return a, err
	}
	a.Successors, err = s.versions(ctx, now, who, newer)
	return a, err
}

// versions returns other versions of a memory for a reader. The text of a forgotten
// one is never shown.
func (s *workspaceState) versions(ctx context.Context, now time.Time, who audience.Reader, list []memory.Memory) (versions []memory.Version, err error) {
	if err := who.HideTexts(ctx, s.db, now, list); err != nil {
		return nil, err
	}
	for _, m := range list {
		if m.Forgotten {
			m.Text = ""
		}
		versions = append(versions, memory.Version{ID: m.ID, Text: m.Text, CreatedAt: m.CreatedAt, SupersededBy: m.SupersededBy,
			Forgotten: m.Forgotten, Missing: m.Missing})
	}
	return versions, nil
}

// findMemory finds a memory for a person, in whatever state it is.
func (s *workspaceState) findMemory(ctx context.Context, id string) (memory.Memory, error) {
	return s.findOne(ctx, id, func(found []memory.Memory) ([]memory.Memory, error) { return found, nil })
}

// findOne finds the one memory with an id or a unique prefix of it, among those that
// keep returns.
func (s *workspaceState) findOne(ctx context.Context, id string, keep func([]memory.Memory) ([]memory.Memory, error)) (memory.Memory, error) {
	prefix, err := memory.ParseIDPrefix(id)
	if err != nil {
		return memory.Memory{}, err
	}
	pending := s.uses.Pending()
	found, err := s.db.FindByPrefix(ctx, prefix)
	if err == nil {
		found, err = keep(found)
	}
	switch {
	case err != nil:
		return memory.Memory{}, err
	case len(found) == 0:
		return memory.Memory{}, memory.NotFound(id)
	case len(found) > 1:
		return memory.Memory{}, ambiguousID(id, found)
	}
	found = pending.AddTo(found)
	return found[0], s.addDoubts(ctx, found)
}

// ambiguousID returns the error for an id prefix of several memories, which it
// lists.
func ambiguousID(id string, found []memory.Memory) error {
	const shown = 5 // enough to choose from without filling the screen
	var candidates []string
	for _, m := range found[:min(shown, len(found))] {
		candidates = append(candidates, m.ID.InFile()+" "+firstLine(m.Text, 50))
	}
	if len(found) > shown {
		candidates = append(candidates, "…")
	}
	err := memory.Conflict("%s matches %d memories", id, len(found)).
		WithHint("type more digits to choose one: %s", strings.Join(candidates, " · "))
	err.Field = "id"
	return err
}

func firstLine(text string, maxRunes int) string {
	line, _, cut := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > maxRunes {
		line, cut = string(runes[:maxRunes]), true
	}
	if cut {
		line += "…"
	}
	return line
}
