package block

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/internal/markdown"
	"github.com/memory-tiered/memory/lang"
)

// indent precedes every line of a memory but the first, so that no line of its text
// begins like a line of the block.
const indent = "  "

// escapeText returns a text that is safe to put inside the block. Nothing in
// it opens or closes a tag, a comment or a control token of a model. No line but the first
// begins a turn of a role, and invisible characters are removed. So are blank
// lines, which separate turns of a conversation. All lines but the first are indented.
func escapeText(text string) string {
	if lang.IsClean(text) { // one line, like most texts
		return escapeTags(text, "")
	}
	var lines []string
	var open markdown.Fence
	for _, line := range strings.FieldsFunc(norm.NFC.String(strings.ToValidUTF8(text, "")), isLineBreak) {
		line = strings.TrimRightFunc(strings.Map(visibleInLine, line), unicode.IsSpace)
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(lines) > 0 && rolePrefix().MatchString(line) {
			line = "> " + strings.TrimSpace(line)
		}
		lines = append(lines, escapeTags(line, open))
		open = open.After(strings.TrimLeft(line, " "))
	}
	return strings.Join(lines, "\n"+indent)
}

// escapeInline is escapeText for a text that must stay on one line.
func escapeInline(text string) string { return escapeTags(lang.Clean(text), "") }

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// visibleInLine is lang.VisibleRune, but keeps tabs.
func visibleInLine(r rune) rune {
	if r == '\t' {
		return r // indents code
	}
	return lang.VisibleRune(r)
}

// rolePrefix matches a line that imitates the beginning of a turn. Only capitalised
// roles match: "user: root" is a line of YAML.
var rolePrefix = lazyregexp.New(`^\W*(?:System|SYSTEM|Assistant|ASSISTANT|Human|HUMAN|User|USER|Developer|DEVELOPER|Tool|TOOL|Instructions?|INSTRUCTIONS?)(?:\s+\w+){0,2}\s*[:：]`)

// controlToken matches the bracketed tokens with which chat templates separate turns
// and tool calls.
var controlToken = lazyregexp.New(`(?i)\[(\s*/?\s*(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|AVAILABLE_TOOLS|IMG|BEGIN_[A-Z_]+|END_[A-Z_]+)\s*\])`)

// escapeLike matches text of a memory that looks like an escape of escapeTags.
var escapeLike = lazyregexp.New(`^&(#|lt;|gt;|amp;)`)

// escapeTags escapes whatever could open a tag or a control token in one line. Code
// reads as it was written, except for the tags that mean something to a model.
func escapeTags(s string, open markdown.Fence) string {
	if !strings.ContainsAny(s, "&[<＜﹤") { // most lines have nothing to escape
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	code := markdown.Inline(s)
	for i, r := range s {
		b.WriteString(escape(r, s[i:], open != "" || code.Contains(i)))
	}
	return controlToken().ReplaceAllString(b.String(), "&#91;$1")
}

// escape returns the first character r of rest, escaped where it opens a tag. "<<"
// counts as two.
func escape(r rune, rest string, isCode bool) string {
	after := rest[utf8.RuneLen(r):]
	switch {
	case r == '&' && (isCode && hidesReservedTag(rest) || !isCode && escapeLike().MatchString(rest)):
		return "&amp;"
	case !isCode && (r == '<' && opensTag(after) || r == '＜' || r == '﹤'):
		return "&lt;"
	case (r == '<' || r == '＜' || r == '﹤') && reservedTag().MatchString(after):
		return "&lt;"
	}
	return rest[:utf8.RuneLen(r)]
}

// opensTag reports whether a lenient reader could take a '<' with rest after it for
// the start of a tag. Operators are no tags, so that code stays readable: "a < b",
// "x <= 3", "<-ch".
func opensTag(rest string) bool {
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if next == "" {
		return true // the tag could go on on the next line
	}
	if strings.HasPrefix(next, "=") || strings.HasPrefix(next, "-") || unicode.IsDigit(lang.FirstRune(next)) {
		return false
	}
	return next == rest || strings.ContainsAny(next[:1], "/!?|<")
}

// reservedTag matches what follows the '<' of a tag that means something to a
// model. These are those of our block, of turns and roles, and of tool calls. Roles
// count in lower and upper case only, because List<User> is code. A line break or a
// bar may be part of such a tag, and a comment could hide the rest of the block.
var reservedTag = lazyregexp.New(`(?i)^[\s/]*(?:$|[|｜]|!\s*(?:--|\[)|` +
	`relevant[\W_]*memor|current[\W_]*context|antml\b|invoke\b|instructions?\b|(?:start|end)[_-]of[_-]|` +
	`(?:tool|function)(?:s|[\s_-]?(?:call|use|result|response|output)\w*)?\b|system(?:[\s_-]?(?:prompt|message|reminder)\w*)?\b|` +
	`(?-i:user|USER|assistant|ASSISTANT|human|HUMAN|developer|DEVELOPER|context|CONTEXT|memory|memories|MEMORY|MEMORIES|` +
	`parameters?|think|thinking|prompt|PROMPT|messages?|inst|INST|sys|SYS|s)\b)`)

// escapedAngle matches an escape that a reader may decode to '<', even twice.
var escapedAngle = lazyregexp.New(`^&(?:amp;)*(?:lt;|#0*60;|#[xX]0*3[cC];)`)

// hidesReservedTag reports whether s begins with an escape of a reserved tag.
func hidesReservedTag(s string) bool {
	escape := escapedAngle().FindString(s)
	return escape != "" && reservedTag().MatchString(s[len(escape):])
}
