package capture

import "strings"

// Bounds of the words that a request may have and that do not matter to it.
const (
	maxOpeners  = 3 // before it, as in "oh, and by the way, remember that …"
	maxAddition = 8 // the words among which "also" adds nothing
)

// bare returns a folded sentence without what opens it, such as "oh, and", and without
// words like "also" near its beginning. So a request has the same words wherever it stands
// in a conversation. Offsets are still those of the original.
func (f folded) bare() folded {
	for range maxOpeners {
		_, end, ok := patternsOf(sectionOpener).findFolded(f)
		if !ok {
			break
		}
		if !f.cjk {
			end-- // a folded sentence begins with a space
		}
		f = f.from(end)
	}
	if f.cjk {
		return f
	}
	return f.withoutAdditions()
}

// from returns the folded text from an offset in it.
func (f folded) from(at int) folded {
	return folded{text: f.text[at:], cjk: f.cjk, at: f.at[min(at, len(f.at)):], end: f.end}
}

// withoutAdditions removes words like "also" from the first words.
func (f folded) withoutAdditions() folded {
	out := folded{end: f.end}
	rest, at := f.text, 0
	var b strings.Builder
	for range maxAddition {
		i := strings.IndexByte(rest[min(1, len(rest)):], ' ') + 1
		if i == 0 {
			break
		}
		if word := rest[:i]; !listed(sectionAddition, strings.TrimPrefix(word, " ")) {
			b.WriteString(word)
			out.at = append(out.at, f.at[at:at+i]...)
		}
		rest, at = rest[i:], at+i
	}
	b.WriteString(rest)
	out.at = append(out.at, f.at[min(at, len(f.at)):]...)
	out.text = b.String()
	return out
}
