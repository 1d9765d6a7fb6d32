package chunker

import "regexp"

// definition is one definition of a link's target at the start of a text, as
// CommonMark has it: label, destination and title, the latter two on the same
// line or the next. A footnote's text is no target.
var definition = regexp.MustCompile(`^ {0,3}\[(?:[^\[\]\\^]|\\.)(?:[^\[\]\\]|\\.)*\]:[ \t]*\n?[ \t]*` +
	`(?:<[^<>\n]*>|[^\s<]\S*)` +
	`(?:(?:[ \t]+|[ \t]*\n[ \t]*)(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n|$)`)

// definitions is how many bytes at the start of a paragraph define links.
func definitions(paragraph []byte) int {
	n := 0
	for n < len(paragraph) && paragraph[n] != '\n' {
		end := definition.FindIndex(paragraph[n:])
		if end == nil {
			break
		}
		n += end[1]
	}
	return n
}
