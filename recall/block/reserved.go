package block

import "github.com/memory-tiered/memory/internal/lazyregexp"

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
