package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// document is a YAML text that is edited line by line. Every line that an edit does not
// concern stays as it is, and so does every comment.
type document struct {
	mark  string   // a byte order mark, or empty
	lines []string // without line feeds; a carriage return stays in its line
	root  *yaml.Node
}

// entry is a key of a block mapping, with its value. The entry of a whole document has no
// key.
type entry struct{ key, value *yaml.Node }

// otherLineEnds end lines for the YAML library, which counts them, and not here.
const otherLineEnds = "\r\u0085\u2028\u2029"

const byteOrderMark = "\ufeff"

func parseLines(src []byte) (*document, error) {
	d := &document{}
	text := strings.TrimPrefix(string(src), byteOrderMark)
	d.mark = string(src[:len(src)-len(text)])
	if text != "" {
		d.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		last := len(d.lines) - 1
		d.lines[last] = d.ended(d.lines[last:])[0]
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, notYAML{err}
	}
	if strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), otherLineEnds) {
		return nil, memory.Conflict("the file has line ends of an unusual kind, such as a carriage return alone").WithHint("edit config.yaml by hand")
	}
	if len(doc.Content) > 0 {
		d.root = doc.Content[0]
	}
	return d, nil
}

// bytes returns the text.
func (d *document) bytes() []byte {
	if len(d.lines) == 0 {
		return []byte(d.mark)
	}
	return []byte(d.mark + strings.Join(d.lines, "\n") + "\n")
}

// find follows the parts of a key through block mappings. It returns the deepest entry
// that exists, and how many parts lead to it.
func (d *document) find(parts []string) (at entry, depth int) {
	at.value = d.root
	for depth < len(parts) && isBlockMapping(at.value) {
		next, found := child(at.value, parts[depth])
		if !found {
			break
		}
		at, depth = next, depth+1
	}
	return at, depth
}

// set gives a key a value. A value below a group on one line ({a: 1}) is not edited.
func (d *document) set(parts []string, value *yaml.Node) error {
	at, depth := d.find(parts)
	rest := parts[depth:]
	switch {
	case isNull(at.value) && at.key == nil:
		return d.insert(len(d.lines), 0, rest, value)
	case depth == len(parts):
		return d.rewrite(at, value)
	case isBlockMapping(at.value):
		return d.insert(d.end(at.value), at.value.Content[0].Column-1, rest, value)
	case isNull(at.value) && at.value.Value == "":
		return d.insert(at.key.Line, at.key.Column+1, rest, value)
	}
	return cannotEditError(parts)
}

// unset removes a key, and the groups that are empty without it.
func (d *document) unset(parts []string) error {
	at, depth := d.find(parts)
	if depth < len(parts) && at.value != nil && at.value.Kind == yaml.MappingNode && !isBlockMapping(at.value) {
		return cannotEditError(parts)
	}
	if depth < len(parts) {
		return nil
	}
	for depth > 1 {
		group, _ := d.find(parts[:depth-1])
		if len(group.value.Content) > 2 {
			break
		}
		at, depth = group, depth-1
	}
	end := d.end(at.value)
	d.replace(at.key.Line, end, comments(d.lines[at.key.Line:max(end, at.key.Line)]))
	return nil
}

// rename changes the name of a key.
func (d *document) rename(parts []string, name string) bool {
	at, depth := d.find(parts)
	if depth < len(parts) {
		return false
	}
	line := d.lines[at.key.Line-1]
	from := at.key.Column - 1
	d.lines[at.key.Line-1] = line[:from] + strings.Replace(line[from:], at.key.Value, name, 1)
	return true
}

// insert adds a key and its value after a line.
func (d *document) insert(after, indent int, parts []string, value *yaml.Node) error {
	var added []string
	for i, part := range parts {
		name, err := oneLine(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: part})
		if err != nil {
			return err
		}
		added = append(added, strings.Repeat(" ", indent+2*i)+name+":")
	}
	text, err := oneLine(value)
	added[len(added)-1] += " " + text
	d.lines = slices.Insert(d.lines, after, d.ended(added)...)
	return err
}

// rewrite writes the value of an entry again, on one line. It keeps the comment beside the
// key, and the lines of the value that are comments.
func (d *document) rewrite(at entry, value *yaml.Node) error {
	first, end := at.key.Line, d.end(at.value)
	line := strings.TrimSuffix(d.lines[first-1], "\r")
	from := at.key.Column - 1
	prefix := line[:from+strings.Index(line[from:], ":")+1]
	comment := commentBeside(line[len(prefix):], at, end == first)
	text, err := oneLine(value)
	d.replace(first, end, append([]string{prefix + " " + text + comment}, comments(d.lines[first:end])...))
	return err
}

// replace replaces lines, which count from 1.
func (d *document) replace(first, last int, by []string) {
	d.lines = slices.Replace(d.lines, first-1, last, d.ended(by)...)
}

// ended gives new lines the end that the first line of the document has.
func (d *document) ended(added []string) []string {
	var out []string
	for _, line := range added {
		if len(d.lines) > 0 && strings.HasSuffix(d.lines[0], "\r") && !strings.HasSuffix(line, "\r") {
			line += "\r"
		}
		out = append(out, line)
	}
	return out
}

// end returns the last line of a node. The parser knows where nodes begin only, so it is
// the last line with content before the next node.
func (d *document) end(n *yaml.Node) int {
	last := lastBeginning(n)
	end := len(d.lines)
	for _, m := range nodesAfter(d.root, last) {
		end = min(end, m.Line-1)
	}
	for end > last {
		text := strings.TrimSpace(d.lines[end-1])
		if text != "" && text[0] != '#' && text != "..." && text != "---" {
			break
		}
		end--
	}
	return end
}

// commentBeside returns the comment behind the value of an entry, with the blanks before
// it. rest is the line behind the colon.
func commentBeside(rest string, at entry, isOneLine bool) string {
	if text := strings.TrimLeft(rest, " \t"); strings.HasPrefix(text, "#") {
		return rest
	}
	if !isOneLine {
		return ""
	}
	for _, comment := range lineComments(at.key, at.value) {
		if value, found := strings.CutSuffix(rest, comment); found {
			return rest[len(strings.TrimRight(value, " \t")):]
		}
	}
	return ""
}

// lineComments lists the comments that the parser found beside nodes and their parts.
func lineComments(nodes ...*yaml.Node) (found []string) {
	for _, n := range nodes {
		for _, text := range []string{n.LineComment, n.FootComment} {
			if text != "" {
				found = append(found, text)
			}
		}
		found = append(found, lineComments(n.Content...)...)
	}
	return found
}

// comments returns the lines that are comments.
func comments(lines []string) (kept []string) {
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			kept = append(kept, line)
		}
	}
	return kept
}

func cannotEditError(parts []string) error {
	return memory.Conflict("the key %s cannot be set by command: its lines in the file are shared, or have a form such as {a: 1}", strings.Join(parts, ".")).
		WithHint("edit config.yaml by hand; memory config shows the values")
}
