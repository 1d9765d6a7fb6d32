package block

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// fence is the fenced code block that a line belongs to. The zero value is none.
type fence struct {
	mark  byte // '`' or '~'
	width int
}

// fenceLine matches the line that opens or closes a fenced code block.
var fenceLine = lazyregexp.New("^ *(`{3,}|~{3,})(.*)$")

// after returns the fence of the line after this one.
func (f fence) after(line string) fence {
	m := fenceLine().FindStringSubmatch(line)
	if m == nil {
		return f
	}
	found := fence{m[1][0], len(m[1])}
	switch {
	case f.width == 0 && !(found.mark == '`' && strings.Contains(m[2], "`")):
		return found
	case found.mark == f.mark && found.width >= f.width && strings.TrimSpace(m[2]) == "":
		return fence{}
	}
	return f
}

// linePart is a part of a line that is code, or is not.
type linePart struct {
	start, end int
	isCode     bool
}

// splitCode splits a line at its code spans. A line of a fenced block is one part.
func splitCode(s string, open fence) []linePart {
	if open.width > 0 {
		return []linePart{{0, len(s), true}}
	}
	var parts []linePart
	plain := 0
	for i := 0; i < len(s); {
		width := countMarks(s[i:])
		if width == 0 {
			i++
			continue
		}
		end := closingMarks(s, i+width, width)
		if end < 0 {
			i += width
			continue
		}
		parts = append(parts, linePart{plain, i, false}, linePart{i, end, true})
		i, plain = end, end
	}
	return append(parts, linePart{plain, len(s), false})
}

// countMarks returns the number of backticks at the beginning.
func countMarks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// closingMarks returns the end of the code span whose text begins at start, or -1.
// A span ends at the next run of as many backticks.
func closingMarks(s string, start, width int) int {
	for i := start; i < len(s); {
		n := countMarks(s[i:])
		if n == width {
			return i + n
		}
		i += max(n, 1)
	}
	return -1
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
