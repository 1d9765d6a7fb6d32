package capture

import (
	"strings"

	"github.com/memory-tiered/memory/lang"
)

// Bounds of the words that a request may have and that do not matter to it.
const (
	maxOpeners       = 3 // before it, as in "oh, and by the way, remember that …"
	maxAddition      = 8 // the words among which "also" adds nothing
	maxAdditionWords = 3 // of "in addition to that"
)

// bare returns a folded sentence without what opens it, such as "oh, and", and without
// words like "also" near its beginning. So a request has the same words wherever it stands
// in a conversation. Offsets are still those of the original.
func bare(f lang.Folded) lang.Folded {
	for range maxOpeners {
		rest, ok := behind(f, "opener")
		if !ok {
			break
		}
		f = rest
	}
	if f.CJK {
		return f
	}
	return withoutAdditions(f)
}

// behind returns the folded text behind a phrase of a section.
func behind(f lang.Folded, section string) (rest lang.Folded, ok bool) {
	_, end, ok := phrases(section).FindFolded(f)
	if !ok {
		return f, false
	}
	if !f.CJK {
		end-- // a folded sentence begins with a space
	}
	return f.From(end), true
}

// withoutAdditions removes words like "also" from the first words, and the commas around
// them.
func withoutAdditions(f lang.Folded) lang.Folded {
	const comma = " ,"
	at := 0
	for range maxAddition {
		rest := f.Text[at:]
		drop := additionAt(rest)
		if drop == 0 {
			next := strings.IndexByte(rest[min(1, len(rest)):], ' ') + 1
			if next == 0 {
				break
			}
			at += next
			continue
		}
		from, to := at, at+drop
		if strings.HasSuffix(f.Text[:at], comma) {
			from -= len(comma)
			if strings.HasPrefix(f.Text[to:], comma+" ") {
				to += len(comma)
			}
		}
		f, at = f.Without(from, to), from
	}
	return f
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
		if isAddition(strings.TrimPrefix(text[:end], " ")) {
			length = end
		}
	}
	return length
}
