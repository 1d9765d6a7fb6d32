package capture

import "strings"

// Bounds of the words that a request may have and that do not matter to it.
const (
	maxOpeners       = 3 // before it, as in "oh, and by the way, remember that …"
	maxAddition      = 8 // the words among which "also" adds nothing
	maxAdditionWords = 3 // of "in addition to that"
)

// bare returns a folded sentence without what opens it, such as "oh, and", and without
// words like "also" near its beginning. So a request has the same words wherever it stands
// in a conversation. Offsets are still those of the original.
func (f folded) bare() folded {
	for range maxOpeners {
		rest, ok := f.behind(sectionOpener)
		if !ok {
			break
		}
		f = rest
	}
	if f.cjk {
		return f
	}
	return f.withoutAdditions()
}

// behind returns the folded text behind a phrase of a section.
func (f folded) behind(section string) (rest folded, ok bool) {
	_, end, ok := patternsOf(section).findFolded(f)
	if !ok {
		return f, false
	}
	if !f.cjk {
		end-- // a folded sentence begins with a space
	}
	return f.from(end), true
}

// from returns the folded text from an offset in it.
func (f folded) from(at int) folded {
	return folded{text: f.text[at:], cjk: f.cjk, at: f.at[min(at, len(f.at)):], end: f.end}
}

// withoutAdditions removes words like "also" from the first words, and the commas around
// them.
func (f folded) withoutAdditions() folded {
	const comma = " ,"
	out := folded{end: f.end}
	rest, at := f.text, 0
	var text string
	for range maxAddition {
		drop := additionAt(rest)
		if drop == 0 {
			i := strings.IndexByte(rest[min(1, len(rest)):], ' ') + 1
			if i == 0 {
				break
			}
			text, out.at = text+rest[:i], append(out.at, f.at[at:at+i]...)
			rest, at = rest[i:], at+i
			continue
		}
		rest, at = rest[drop:], at+drop
		if before, enclosed := strings.CutSuffix(text, comma); enclosed {
			text, out.at = before, out.at[:len(before)]
			if strings.HasPrefix(rest, comma+" ") {
				rest, at = rest[len(comma):], at+len(comma)
			}
		}
	}
	out.text = text + rest
	out.at = append(out.at, f.at[min(at, len(f.at)):]...)
	return out
}

// additionAt returns the length of the words at the beginning of a text that add nothing,
// or 0.
func additionAt(text string) (length int) {
	end := 0
	for range maxAdditionWords {
		i := strings.IndexByte(text[min(end+1, len(text)):], ' ') + 1
		if i == 0 {
			break
		}
		end += i
		if listed(sectionAddition, strings.ReplaceAll(strings.TrimPrefix(text[:end], " "), " ", "_")) {
			length = end
		}
	}
	return length
}
