package display

import (
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// Line folds a text into one line of at most width characters.
func Line(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > width && width > 1 {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// MemoryLine is [Line] for the text of a memory. A table that does not fit is shown
// without the names of its columns, which many tables share.
func MemoryLine(text string, width int) string {
	if line := Line(text, width); !strings.HasSuffix(line, "…") {
		return line
	}
	return Line(chunker.WithoutColumnNames(text), width)
}

// Name returns a file name, which may hold line breaks, on one line.
func Name(name string) string {
	return strings.NewReplacer("\n", "␤", "\t", " ").Replace(name)
}

// Location returns where a memory is, in the form FILE:LINE.
func Location(m memory.Memory) string {
	file := Name(m.Path)
	if m.Missing {
		return file + " (gone)"
	}
	m.Path, m.LineEnd = file, m.LineStart
	if m.Documents != "" {
		return m.Place() + " (" + m.Documents + ")"
	}
	return m.Place()
}

// State lists the marks of a memory, such as "[PINNED] ".
func State(m memory.Memory) string {
	var out []string
	if m.SupersededBy != nil {
		out = append(out, "[SUPERSEDED by "+m.SupersededBy.Short()+"]")
	}
	for _, mark := range []struct {
		on   bool
		text string
	}{{m.Forgotten, "[FORGOTTEN]"}, {m.Missing, "[MISSING]"}, {m.Pinned, "[PINNED]"}, {m.Private, "[private]"}, {m.User != "", "[" + Name(m.User) + "]"}, {m.InDoubt != "", "[in doubt: " + Name(m.InDoubt) + "]"}} {
		if mark.on {
			out = append(out, mark.text)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, " ") + " "
}

// Time returns a time on the clock of this machine.
func Time(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// TimeOrNever is [Time] for a time that may be missing.
func TimeOrNever(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return Time(*t)
}

// Size returns a number of bytes in a unit that suits it.
func Size(n int64) string {
	const unit = 1024
	switch {
	case n < unit:
		return fmt.Sprintf("%d B", n)
	case n < unit*unit:
		return fmt.Sprintf("%.1f KiB", float64(n)/unit)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(unit*unit))
}

// Plural returns a number with its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// MemoryCount returns a number of memories with the noun.
func MemoryCount(n int) string { return Plural(n, "memory", "memories") }
