package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Locations reports what [Locate] found about the lines of golden queries.
type Locations struct {
	NoMemory []string // lines that belong to no memory, so that nothing can find them
	Moved    []string // lines that were found again at another place
}

// Locate compares the lines of golden queries with the memories of their workspace. It
// changes the first relevant line of a query whose memory has moved. That memory has the
// id of the query, or else is the only one with its text. [Propose] writes both.
func Locate(golden []Golden, memories []memory.Memory) (found Locations) {
	byPath, byText := map[string][]memory.Memory{}, map[string][]memory.Memory{}
	for _, m := range memories {
		if !m.Missing {
			byPath[m.Path] = append(byPath[m.Path], m)
			byText[plainText(m.Text)] = append(byText[plainText(m.Text)], m)
		}
	}
	covers := func(l Line) bool {
		return slices.ContainsFunc(byPath[l.Path], func(m memory.Memory) bool { return contains(m, l) })
	}
	for i := range golden {
		g := &golden[i]
		if m, ok := proposedMemory(*g, memories, byText); ok && hasMoved(*g, m, covers) {
			to := Line{m.Path, m.LineStart}
			found.Moved = append(found.Moved, fmt.Sprintf("line %d: %s is now %s", g.FileLine, g.Relevant[0], to))
			g.Relevant[0] = to
		}
		for _, l := range slices.Concat(g.Relevant, g.Allowed) {
			if !covers(l) {
				found.NoMemory = append(found.NoMemory, fmt.Sprintf("line %d: %s is no memory", g.FileLine, l))
			}
		}
	}
	return found
}

// hasMoved reports whether the first relevant line meant m and does not any more. A person
// wrote a line that is not the proposed one. If that is unknown, it is so for a line of
// another file with a memory of its own.
func hasMoved(g Golden, m memory.Memory, covers func(Line) bool) bool {
	if g.from != (Line{}) && (len(g.Relevant) == 0 || g.Relevant[0] != g.from) {
		return false
	}
	if len(g.Relevant) == 0 || slices.ContainsFunc(g.Relevant, func(l Line) bool { return contains(m, l) }) {
		return false
	}
	return g.Relevant[0].Path == m.Path || !covers(g.Relevant[0])
}

// proposedMemory returns the memory that a query was proposed for.
func proposedMemory(g Golden, memories []memory.Memory, byText map[string][]memory.Memory) (memory.Memory, bool) {
	if g.text == "" {
		return memory.Memory{}, false
	}
	at := slices.IndexFunc(memories, func(m memory.Memory) bool { return !m.Missing && m.ID.Short() == g.ID })
	if at >= 0 {
		return memories[at], true
	}
	same := byText[plainText(g.text)]
	if len(same) != 1 {
		return memory.Memory{}, false
	}
	return same[0], true
}

func contains(m memory.Memory, l Line) bool {
	return m.Path == l.Path && m.LineStart <= l.Line && l.Line <= m.LineEnd
}

// String returns the line as people write it: "memory/topics/house.md:19".
func (l Line) String() string { return fmt.Sprintf("%s:%d", l.Path, l.Line) }

// plainText returns a text with single spaces, as a proposal has it.
func plainText(text string) string { return strings.Join(strings.Fields(text), " ") }
