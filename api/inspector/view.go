package inspector

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// functions returns what templates can call.
func functions() template.FuncMap {
	f := template.FuncMap{}
	f["short"] = func(id memory.ID) string { return id.Short() }
	f["lower"] = func(text any) string { return strings.ToLower(fmt.Sprint(text)) }
	f["join"] = func(list memory.List[string]) string { return strings.Join(list, " › ") }
	f["place"] = place
	f["points"] = func(x float64) string { return fmt.Sprintf("%+.2f", x) }
	f["number"] = func(x float64) string { return fmt.Sprintf("%.2f", x) }
	f["strong"] = strong
	f["width"] = func(x float64) int { return int(math.Min(100, math.Abs(x)*8)) }
	f["plural"] = plural
	f["percent"] = percentOf
	f["size"] = size
	f["sentence"] = sentence
	f["options"] = options
	f["changes"] = changes
	f["kind"] = func(k memory.ReviewKind) string { return strings.ReplaceAll(string(k), "_", " ") }
	f["entry"] = func(p *page, name, label, path, key string) entry { return entry{p, name, label, path, key} }
	return f
}

// entry is one entry of the menu.
type entry struct {
	Page                   *page
	Name, Label, Path, Key string
}

// options returns the words of a filter; the empty one is for all.
func options(filter string) []string {
	list := []string{""}
	switch filter {
	case "tier":
		for _, t := range memory.Tiers {
			list = append(list, strings.ToLower(string(t)))
		}
	case "type":
		for _, t := range memory.Types {
			list = append(list, string(t))
		}
	default:
		list = append(list, "pinned", "forgotten", "missing", "expired")
	}
	return list
}

// changes returns what a row of the audit changed, without what only undo needs.
func changes(row memory.AuditRow) string {
	var parts []string
	for _, word := range slices.Sorted(maps.Keys(row.New)) {
		switch row.New[word].(type) {
		case string, bool, float64, nil:
			if was, changed := row.Old[word]; changed {
				parts = append(parts, fmt.Sprintf("%s: %v → %v", word, was, row.New[word]))
			} else if word != "undid" {
				parts = append(parts, fmt.Sprintf("%s: %v", word, row.New[word]))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// place returns the file and the line of a memory.
func place(m memory.Memory) string { m.LineEnd = m.LineStart; return m.Place() }

// sentence returns a text that begins with a capital and ends with a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return capitalised(strings.TrimRight(text, ".")) + "."
}

// capitalised returns a text that begins with a capital.
func capitalised(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[n:]
}

// plural returns a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, isY := strings.CutSuffix(noun, "y"); isY {
		noun = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// strong returns the factors that count, the strongest first.
func strong(all memory.List[memory.Factor]) (list []memory.Factor) {
	const least = 0.01 // of the points that a page shows
	for _, f := range all {
		if math.Abs(f.Points) >= least {
			list = append(list, f)
		}
	}
	sortBy(list, func(f memory.Factor) float64 { return -math.Abs(f.Points) })
	return list
}

// size returns a number of bytes in the unit that fits.
func size(bytes int64) string {
	const kilo = 1024
	if bytes < kilo*kilo {
		return fmt.Sprintf("%d kB", (bytes+kilo-1)/kilo)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/kilo/kilo)
}

func valueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
