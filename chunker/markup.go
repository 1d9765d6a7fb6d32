package chunker

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/markdown"
)

// markup is a position in a text where markup begins, or would begin without
// the backslashes before it. The number of backslashes does not matter, so
// escape adds one and unescape removes one.
type markup struct {
	kind        markupKind
	escapeStart int // start of the backslashes before it; equals start without any
	start       int
	end         int // end of its name, or of its first characters
}

type markupKind uint8

const (
	markupTag        markupKind = iota // #name, a separate word
	markupBlockID                      // ^name, a separate word at the end of a line
	markupComment                      // <!--
	markupDefinition                   // [label]: at the start of a line
	markupWholeLine                    // in a bullet it would be a thematic break or an empty task
	markupMark                         // [private:: true]: what looks like a mark that protects
)

// findMarkup returns the markup of a text in order, without what is in code.
func findMarkup(s string, code markdown.Spans) []markup {
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
		if !ok || code.Contains(i) {
			i++
			continue
		}
		found = append(found, x)
		i = x.end
	}
	for _, m := range findMarks(s, code) {
		at := sort.Search(len(found), func(i int) bool { return found[i].start >= m.Start })
		if at < len(found) && found[at].start == m.Start {
			continue // a definition, and one backslash is enough
		}
		found = slices.Insert(found, at, markup{markupMark, len(strings.TrimRight(s[:m.Start], `\`)), m.Start, m.Start + 1})
	}
	return found
}

// markupAt returns the markup at position i, which holds one of #^<[.
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

// wholeLineMarkup matches a first line that holds only hyphens, and a text that
// is only a task's checkbox.
func wholeLineMarkup(s string) (markup, bool) {
	rest := strings.TrimLeft(s, `\`)
	x := markup{kind: markupWholeLine, start: len(s) - len(rest)}
	line, _, more := strings.Cut(rest, "\n")
	x.end = x.start + len(line)
	hyphens := strings.Count(line, "-") > 1 && line[0] == '-' && strings.Trim(line, "- \t") == ""
	return x, hyphens || !more && isCheckbox(line)
}

// isCheckbox reports whether a text is only a task's checkbox.
func isCheckbox(s string) bool { return s == "[ ]" || s == "[x]" || s == "[X]" }

func atLineStart(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// startsLinkDefinition reports whether s begins with a label and a colon.
func startsLinkDefinition(s string) bool {
	label := strings.IndexAny(s[1:], "]\n")
	return label > 0 && strings.HasPrefix(s[1+label:], "]:")
}

// tagNameLen returns how many bytes at the start of s may belong to a tag's
// name. These are letters and digits of any script, emoji, and the characters
// that join them.
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

// isTag reports whether a name can be a tag. Numbers (of issues, of tickets)
// and colours cannot.
func isTag(name string) bool {
	return strings.Trim(name, "0123456789_-/") != "" && !isColour(name)
}

// isColour matches web colours. They have the right number of hexadecimal
// digits, with at least one decimal digit or all digits equal. (#decade is a
// tag, #ff8800 is not.)
func isColour(name string) bool {
	if n := len(name); n != 3 && n != 4 && n != 6 && n != 8 || strings.Trim(name, "0123456789abcdefABCDEF") != "" {
		return false
	}
	return strings.ContainsAny(name, "0123456789") || strings.Trim(name, name[:1]) == ""
}

// blockIDLen returns how many bytes at the start of s may belong to a block id.
func blockIDLen(s string) int {
	return len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"))
}
