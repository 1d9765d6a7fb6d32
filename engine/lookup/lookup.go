// Package lookup finds the memories that a request means, by their ids, a query or a filter.
// It knows for whom the request is: which memories a view shows, and to whom a new one
// belongs.
package lookup

import (
	"context"
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
)

// Find finds a memory for a person, in whatever state it is.
func Find(ctx context.Context, db *index.DB, id string) (memory.Memory, error) {
	return FindFor(ctx, db, memory.View{}, id)
}

// FindFor finds the one memory of a view with an id or a unique prefix of it. For a person,
// it may be in any state.
func FindFor(ctx context.Context, db *index.DB, v memory.View, id string) (memory.Memory, error) {
	prefix, err := memory.ParseIDPrefix(id)
	if err != nil {
		return memory.Memory{}, err
	}
	found, err := db.FindByPrefix(ctx, v, prefix)
	switch {
	case err != nil:
		return memory.Memory{}, err
	case len(found) == 0:
		return memory.Memory{}, memory.NotFound(id)
	case len(found) > 1:
		return memory.Memory{}, ambiguousID(id, found)
	}
	return found[0], AddDoubts(ctx, db, found)
}

// Current returns some memories as they are now, in whatever state, by their ids.
func Current(ctx context.Context, db *index.DB, ids []memory.ID) (map[memory.ID]memory.Memory, error) {
	declarations, err := db.Declarations(ctx, ids)
	found := map[memory.ID]memory.Memory{}
	for _, decl := range declarations {
		found[decl.Memory.ID] = decl.Memory
	}
	return found, err
}

// Versions returns other versions of a memory for a view. The text of a forgotten
// one is never shown.
func Versions(ctx context.Context, db *index.DB, who memory.View, list []memory.Memory) (versions []memory.Version, err error) {
	if err := HideTexts(ctx, db, who, list); err != nil {
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

// AddDoubts adds to protected memories the lines that may be about them.
func AddDoubts(ctx context.Context, db *index.DB, memories []memory.Memory) error {
	var ids []memory.ID
	for _, m := range memories {
		if m.Forgotten || m.Private || m.Trust != memory.TrustTrusted {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	lines, err := db.DoubtfulLines(ctx, ids)
	for i := range memories {
		memories[i].InDoubt = lines[memories[i].ID]
	}
	return err
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

// firstLine returns the first line of a memory's text, cut to maxRunes. A table begins with
// its first row.
func firstLine(text string, maxRunes int) string {
	line, _, cut := strings.Cut(chunker.WithoutColumnNames(text), "\n")
	if runes := []rune(line); len(runes) > maxRunes {
		line, cut = string(runes[:maxRunes]), true
	}
	if cut {
		line += "…"
	}
	return line
}

// ShortIDs lists the first ids of some memories for a person.
func ShortIDs(ids []memory.ID) string {
	const shown = 5 // enough to begin with
	var short []string
	for _, id := range ids[:min(len(ids), shown)] {
		short = append(short, id.Short())
	}
	if more := len(ids) - shown; more > 0 {
		short = append(short, fmt.Sprintf("%d more", more))
	}
	return strings.Join(short, ", ")
}
