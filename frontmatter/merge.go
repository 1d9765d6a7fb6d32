package frontmatter

import (
	"cmp"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// mergeDuplicates merges the entries of one memory, such as a git merge that
// keeps both sides leaves behind. Entries with the same id are about one
// memory. Without an id, the quote decides.
func (r *parser) mergeDuplicates(lines []memory.Entry) []memory.Entry {
	var out []memory.Entry
	at := map[string]int{}
	for _, e := range lines {
		if e.Line == 0 {
			continue
		}
		key := cmp.Or(e.IDPrefix, "\x00"+e.Quote+"\x00"+e.Unread)
		i, duplicate := at[key]
		if !duplicate {
			at[key] = len(out)
			out = append(out, e)
			continue
		}
		var contradictions []string
		first := out[i]
		if first.Quote == "" || fields.IsForgotten(e.Declared) && !fields.IsForgotten(first.Declared) && e.Quote != "" {
			out[i].Quote = e.Quote
		}
		out[i].Path = cmp.Or(first.Path, e.Path)
		out[i].Declared, contradictions = fields.Merge(first.Declared, e.Declared, r.zone)
		if len(contradictions) > 0 {
			r.addFault(e.Line, "contradicts line %d about the same memory (%s): %s",
				first.Line, strings.Join(contradictions, ", "), "the value that hides or protects more applies; remove one of the two")
		}
	}
	return out
}
