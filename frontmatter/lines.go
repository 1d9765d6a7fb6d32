package frontmatter

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// splitLines keeps the line ends.
func splitLines(raw []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(raw) {
		lines = append(lines, line)
	}
	return lines
}

// keyLines are the lines of a top-level key and its value, from key to the next
// one, less trailing lines for which own says no.
func keyLines(root *yaml.Node, i int, lines [][]byte, own func(line []byte) bool) (from, to int) {
	from, to = root.Content[i].Line-1, len(lines)
	if i+2 < len(root.Content) {
		to = min(to, root.Content[i+2].Line-1)
	}
	for to > from+1 && !own(lines[to-1]) {
		to--
	}
	return from, to
}

// isContent says that a line is neither blank nor a comment.
func isContent(line []byte) bool {
	t := bytes.TrimSpace(line)
	return len(t) > 0 && t[0] != '#'
}

// isIndented says that a line is content, or a comment inside a value.
func isIndented(margin int) func([]byte) bool {
	return func(line []byte) bool {
		return isContent(line) || len(bytes.TrimSpace(line)) > 0 && indent(line) > margin
	}
}

// indent is how many blanks a line begins with.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
