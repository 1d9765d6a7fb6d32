package recall

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// indent stands before every line of a memory but its first, so that no line
// of its text begins where a line of the block does.
const indent = "  "

// escapeLines makes text of a memory safe to stand inside the block: nothing
// in it opens or closes a tag, a comment or a model's own control token, no
// line of it speaks in a role, and what a person cannot see is gone. Blank
// lines go as well: they part turns of a conversation.
func escapeLines(text string) []string {
	if isClean(text) { // one line, as most are
		return []string{escapeTags(text)}
	}
	var lines []string
	for _, line := range strings.FieldsFunc(norm.NFC.String(strings.ToValidUTF8(text, "")), isLineBreak) {
		line = strings.TrimRightFunc(strings.Map(visibleInLine, line), unicode.IsSpace)
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(lines) > 0 && rolePrefix.MatchString(line) {
			line = "> " + strings.TrimSpace(line)
		}
		lines = append(lines, escapeTags(line))
	}
	return lines
}

// escapeInline is escapeLines for what has to stay on one line.
func escapeInline(text string) string { return escapeTags(clean(text)) }

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func visibleInLine(r rune) rune {
	if r == '\t' {
		return r // code is indented with it
	}
	return visibleRune(r)
}

// rolePrefix finds a line that poses as the beginning of somebody's turn. Only
// capitals: "user: root" is a line of YAML.
var rolePrefix = regexp.MustCompile(`^\W*(?:System|SYSTEM|Assistant|ASSISTANT|Human|HUMAN|User|USER|Developer|DEVELOPER|Tool|TOOL|Instructions?|INSTRUCTIONS?)(?:\s+\w+){0,2}\s*[:：]`)

// controlToken finds the bracketed tokens by which chat templates part turns
// and tool calls.
var controlToken = regexp.MustCompile(`(?i)\[(\s*/?\s*(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|AVAILABLE_TOOLS|IMG|BEGIN_[A-Z_]+|END_[A-Z_]+)\s*\])`)

// escapeLike finds what reads as an escape of ours and was not written by us.
var escapeLike = regexp.MustCompile(`&(#|lt;|gt;|amp;)`)

func escapeTags(s string) string {
	if !strings.ContainsAny(s, "&[<＜﹤") { // most lines have nothing to escape
		return s
	}
	s = escapeLike.ReplaceAllString(s, "&amp;$1")
	s = controlToken.ReplaceAllString(s, "&#91;$1")
	return escapeAngles(s)
}

// escapeAngles looks at each '<' by itself: "<<" are two.
func escapeAngles(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '＜' || r == '﹤', r == '<' && opensTag(s[i+1:]):
			b.WriteString("&lt;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// opensTag says whether what follows a '<' could make a tag of it for a
// lenient reader. What compares or points stays, so that code can be read:
// "a < b", "x <= 3", "<-ch".
func opensTag(rest string) bool {
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if next == "" {
		return true // the tag could go on in the next line
	}
	if strings.HasPrefix(next, "=") || strings.HasPrefix(next, "-") || unicode.IsDigit(firstRune(next)) {
		return false
	}
	return next == rest || strings.ContainsAny(next[:1], "/!?|<")
}
