package chunker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sign is a place in a text where something other than words begins, or would
// begin if no backslash stood before it. What counts as one does not depend on
// how many backslashes there are: so escaping adds one and reading takes one.
type sign struct {
	kind  signKind
	slash int // where the backslashes before it begin; mark where there are none
	mark  int
	end   int // of its name, or of its first characters
}

type signKind uint8

const (
	signTag        signKind = iota // #name, a word of its own
	signID                         // ^name, a word of its own that ends a line
	signComment                    // <!--
	signDefinition                 // [label]: at the start of a line
	signBare                       // what a bullet would make a thematic break, or an empty task
)

// signs finds the signs of a text, in order, those in code left out.
func signs(s string, in spans) []sign {
	var found []sign
	if x, ok := bareSign(s); ok {
		found = append(found, x)
	}
	for i := 0; i < len(s); {
		next := strings.IndexAny(s[i:], "#^<[")
		if next < 0 {
			break
		}
		i += next
		x, ok := signAt(s, i)
		if !ok || in.hold(i) {
			i++
			continue
		}
		found = append(found, x)
		i = x.end
	}
	return found
}

func signAt(s string, i int) (sign, bool) {
	x := sign{mark: i, slash: len(strings.TrimRight(s[:i], `\`))}
	before := byte('\n')
	if x.slash > 0 {
		before = s[x.slash-1]
	}
	switch s[i] {
	case '<':
		x.kind, x.end = signComment, i+len("<!--")
		return x, strings.HasPrefix(s[i:], "<!--")
	case '#':
		x.kind, x.end = signTag, i+1+tagName(s[i+1:])
		return x, strings.IndexByte(" \t\n(", before) >= 0 && isTag(s[i+1:x.end])
	case '^':
		x.kind, x.end = signID, i+1+idName(s[i+1:])
		return x, strings.IndexByte(" \t\n", before) >= 0 && x.end > i+1 && (x.end == len(s) || s[x.end] == '\n')
	}
	x.kind, x.end = signDefinition, i+1
	return x, startsLine(s[:x.slash]) && definesLink(s[i:])
}

// bareSign is a first line of hyphens alone, or a whole text that is a task's box.
func bareSign(s string) (sign, bool) {
	rest := strings.TrimLeft(s, `\`)
	x := sign{kind: signBare, mark: len(s) - len(rest)}
	line, _, more := strings.Cut(rest, "\n")
	x.end = x.mark + len(line)
	hyphens := strings.Count(line, "-") > 1 && line[0] == '-' && strings.Trim(line, "- \t") == ""
	return x, hyphens || !more && isBox(line)
}

// isBox says that a text is a task's box and nothing else.
func isBox(s string) bool { return s == "[ ]" || s == "[x]" || s == "[X]" }

func startsLine(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// definesLink says that s begins with a label and a colon.
func definesLink(s string) bool {
	label := strings.IndexAny(s[1:], "]\n")
	return label > 0 && strings.HasPrefix(s[1+label:], "]:")
}

// tagName is how many bytes at the start of s may stand in a tag's name:
// letters and digits of any script, emoji, and what joins them.
func tagName(s string) int {
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

func idName(s string) int {
	return len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"))
}
