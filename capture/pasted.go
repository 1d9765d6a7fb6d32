package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
)

// dropPasted removes other people's words that have no quotation marks. These are a
// pasted chat, the text behind "Summarize this:", and the speech behind "Anna wrote:".
func dropPasted(lines []string) (kept []string, removed bool) {
	for i := 0; i < len(lines); {
		end := i
		for end < len(lines) && lines[end] != "" {
			end++
		}
		block := lines[i:end]
		at, chars, rest := pastedAt(block)
		if isChat(block) {
			at, chars, rest = 0, 0, false
		}
		kept = append(kept, block[:at]...)
		if at < len(block) {
			kept, removed = append(kept, block[at][:chars], droppedLine), true
		}
		if rest {
			return kept, removed || end < len(lines)
		}
		if i = end; i < len(lines) {
			kept = append(kept, "")
			i++
		}
	}
	return kept, removed
}

// Limits of the words before a pasted text.
const (
	maxHead     = 120 // bytes up to their colon
	maxOpenings = 3   // sentences of a line that may be such words
)

// pastedAt returns the line and the place in it where a pasted text begins. rest reports
// whether it goes on to the end of the message. Without one, line is len(block).
func pastedAt(block []string) (line, chars int, rest bool) {
	for i, text := range block {
		n := 0
		for start := range lang.Sentences(hideQuotations(text)) {
			if n++; n > maxOpenings {
				break
			}
			size, hasColon := headOf(text[start:])
			head := lang.Fold(text[start : start+size])
			switch {
			case size == 0, hasColon && isRequestHead(text[start:start+size]):
			case hasColon && in("hand over", head), !hasColon && i+1 < len(block) && in("hand over below", head):
				return i, start + size, true
			case hasColon && in("speech", head) && !in("own speech", head):
				return i, start + size, false
			}
		}
	}
	return len(block), 0, false
}

// headOf returns the length of the words before a pasted text: up to the first colon, or a
// whole short line.
func headOf(text string) (size int, hasColon bool) {
	if at := strings.IndexAny(text, ":："); at >= 0 && at < maxHead {
		_, mark := utf8.DecodeRuneInString(text[at:])
		return at + mark, true
	}
	if len(text) < maxHead {
		return len(text), false
	}
	return 0, false
}

const (
	clockTime   = `\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?`
	calendarDay = `\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`
	personName  = `[\p{L}@][\p{L}\p{N}._'’-]*(?: [\p{L}\p{N}._'’-]+){0,2}`
)

var (
	// timedLine matches a line of a chat with its time: "[10:22] Bob: …", "12.03.26, 10:22 - Bob: …".
	timedLine = lazyregexp.New(`^(?:[\[(](?:` + calendarDay + `,?\s+)?` + clockTime + `(?:,?\s+` + calendarDay + `)?[\])]|` + calendarDay + `,?\s+` + clockTime + `\s*[-–—])\s*(?:` + personName + `\s?[:：]|<` + personName + `>)`)
	// speakerLine matches a line that begins with a name. Its groups are the name.
	speakerLine = lazyregexp.New(`^(?:` + clockTime + `\s+)?(?:[*_]{0,2}(` + personName + `)[*_]{0,2}\s?(?:[:：](?:\s|[*_]|\p{Han}|\p{Hiragana}|\p{Katakana})|,?\s+` + clockTime + `$)|<(` + personName + `)> )`)
)

// isChat reports whether the lines are a pasted chat. A line with a time and a name is
// enough. Otherwise several lines begin with names. One of them is "Me", or the
// speakers take turns, or each line has a name of its own with a capital letter. Or a
// name and a time are alone on the line before each message.
func isChat(block []string) bool {
	var names []string
	distinct := map[string]bool{}
	self, capitals, alone := false, true, 0
	for _, line := range block {
		if timedLine().MatchString(line) {
			return true
		}
		at := speakerLine().FindStringSubmatch(line)
		if at == nil || bullet().MatchString(line) {
			continue
		}
		name := at[1] + at[2]
		if isLabel(name) {
			return false
		}
		if at[0] == line {
			alone++
		}
		first, _ := utf8.DecodeRuneInString(name)
		names, distinct[strings.ToLower(name)] = append(names, name), true
		self, capitals = self || isSelf(strings.ToLower(name)), capitals && unicode.IsUpper(first)
	}
	switch {
	case len(distinct) < 2:
		return false
	case self, alone > 1, len(names) > len(distinct):
		return true
	}
	return capitals && len(names) == len(block)
}

// isLabel reports whether a name before a colon is a label or a request, such as
// "Decision:" or "Remember:".
func isLabel(name string) bool {
	if _, asks := askOf(lang.Fold(name + ": x")); asks {
		return true
	}
	_, category := stripLabel(name + ": x")
	return category != ""
}
