package chunker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markup is a place in a text where something other than words begins, or would
// begin if no backslash stood before it. What counts as one does not depend on
// how many backslashes there are: so escaping adds one and reading takes one.
type markup struct {
	kind        markupKind
	escapeStart int // where the backslashes before it begin; mark where there are none
	start       int
	end         int // of its name, or of its first characters
}

type markupKind uint8

const (
	markupTag        markupKind = iota // #name, a word of its own
	markupBlockID                      // ^name, a word of its own that ends a line
	markupComment                      // <!--
	markupDefinition                   // [label]: at the start of a line
	markupWholeLine                    // what a bullet would make a thematic break, or an empty task
)

// findMarkup finds the signs of a text, in order, those in code left out.
func findMarkup(s string, code spans) []markup {
	var found []markup
	if x, ok := wholeLineMarkup(s); ok {
		found = append(found, x)
	}
	for i := 0; i < len(s); {
		next := strings.IndexAny(s[i:], "#^<[")
		if next < 0 {
			break
		}
		i += next
		x, ok := markupAt(s, i)
		if !ok || code.contains(i) {
			i++
			continue
		}
		found = append(found, x)
		i = x.end
	}
	return found
}

func markupAt(s string, i int) (markup, bool) {
	x := markup{start: i, escapeStart: len(strings.TrimRight(s[:i], `\`))}
	before := byte('\n')
	if x.escapeStart > 0 {
		before = s[x.escapeStart-1]
	}
	switch s[i] {
	case '<':
		x.kind, x.end = markupComment, i+len("<!--")
		return x, strings.HasPrefix(s[i:], "<!--")
	case '#':
		x.kind, x.end = markupTag, i+1+tagNameLen(s[i+1:])
		return x, strings.IndexByte(" \t\n(", before) >= 0 && isTag(s[i+1:x.end])
	case '^':
		x.kind, x.end = markupBlockID, i+1+blockIDLen(s[i+1:])
		return x, strings.IndexByte(" \t\n", before) >= 0 && x.end > i+1 && (x.end == len(s) || s[x.end] == '\n')
	}
	x.kind, x.end = markupDefinition, i+1
	return x, atLineStart(s[:x.escapeStart]) && startsLinkDefinition(s[i:])
}

// wholeLineMarkup is a first line of hyphens alone, or a whole text that is a task's box.
func wholeLineMarkup(s string) (markup, bool) {
	rest := strings.TrimLeft(s, `\`)
	x := markup{kind: markupWholeLine, start: len(s) - len(rest)}
	line, _, more := strings.Cut(rest, "\n")
	x.end = x.start + len(line)
	hyphens := strings.Count(line, "-") > 1 && line[0] == '-' && strings.Trim(line, "- \t") == ""
	return x, hyphens || !more && isCheckbox(line)
}

// isCheckbox says that a text is a task's box and nothing else.
func isCheckbox(s string) bool { return s == "[ ]" || s == "[x]" || s == "[X]" }

func atLineStart(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// startsLinkDefinition says that s begins with a label and a colon.
func startsLinkDefinition(s string) bool {
	label := strings.IndexAny(s[1:], "]\n")
	return label > 0 && strings.HasPrefix(s[1+label:], "]:")
}

// tagNameLen is how many bytes at the start of s may stand in a tag's name:
// letters and digits of any script, emoji, and what joins them.
func tagNameLen(s string) int {
	for i, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-', r == '/':
		case r < utf8.RuneSelf:
			return i
		case r == '\u200d', unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So, unicode.Sk):
		default:
			return i
		}
	}
	return len(s)
}

// isTag says that a name is a tag's: a number (of an issue, of a ticket) is none,
// nor is a colour.
func isTag(name string) bool {
	return strings.Trim(name, "0123456789_-/") != "" && !isColour(name)
}

// isColour knows web colours: the right number of hexadecimal digits, and either
// a decimal one among them or all the same. (#decade is a tag, #ff8800 is not.)
func isColour(name string) bool {
	if n := len(name); n != 3 && n != 4 && n != 6 && n != 8 || strings.Trim(name, "0123456789abcdefABCDEF") != "" {
		return false
	}
	return strings.ContainsAny(name, "0123456789") || strings.Trim(name, name[:1]) == ""
}

func blockIDLen(s string) int {
	return len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"))
}
