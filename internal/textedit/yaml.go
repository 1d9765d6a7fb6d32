package textedit

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// yamlEditor edits YAML line by line. Every line that an edit does not concern stays as it
// is, and so does every comment. It writes a value on one line.
type yamlEditor struct{ noLists }

func (yamlEditor) parse(src []byte) (any, error) {
	var values any
	if err := yaml.Unmarshal(src, &values); err != nil {
		return nil, memory.Invalid("", "the file cannot be edited: %v", err).WithHint("correct the file first")
	}
	if values == nil {
		values = map[string]any{}
	}
	if _, isMap := values.(map[string]any); !isMap {
		return nil, memory.Invalid("", "the file is not a map of names").WithHint("correct the file first")
	}
	return throughJSON(values)
}

func (yamlEditor) put(src []byte, path []string, value []byte) ([]byte, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(value, &node); err != nil {
		return nil, err
	}
	y, err := splitYAML(src)
	if err == nil {
		err = y.put(path, node.Content[0])
	}
	return y.bytes(), err
}

func (yamlEditor) cut(src []byte, path []string) ([]byte, error) {
	y, err := splitYAML(src)
	if err == nil {
		err = y.cut(path)
	}
	return y.bytes(), err
}

// Rename gives the value at a path of a YAML file another key.
func (d *Document) Rename(name string, path ...string) error {
	parent := path[:len(path)-1]
	expected, ok := with(without(d.value, path), append(slices.Clone(parent), name), func(any) (any, bool) { return d.Value(path...), true })
	y, err := splitYAML(d.src)
	if at, depth := y.find(path); err == nil && ok && depth == len(path) {
		line, from := y.lines[at.key.Line-1], at.key.Column-1
		y.lines[at.key.Line-1] = line[:from] + strings.Replace(line[from:], at.key.Value, name, 1)
	}
	return d.replace(expected)(y.bytes(), err)
}

// yamlText is a YAML text as lines.
type yamlText struct {
	lines []string // without line feeds; a carriage return stays in its line
	open  bool     // the last line has no line feed
	root  *yaml.Node
}

// entry is a key of a block mapping, with its value. The entry of a whole text has no key.
type entry struct{ key, value *yaml.Node }

// otherLineEnds end lines for the YAML library, which counts them, and not here.
const otherLineEnds = "\r\u0085\u2028\u2029"

func splitYAML(src []byte) (y yamlText, err error) {
	text := string(src)
	if text != "" {
		y.open = !strings.HasSuffix(text, "\n")
		y.lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		last := len(y.lines) - 1
		y.lines[last] = y.ended(y.lines[last:])[0]
	}
	if strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), otherLineEnds) {
		return y, memory.Conflict("the file has line ends of an unusual kind, such as a carriage return alone").WithHint("edit it by hand")
	}
	var document yaml.Node
	if err := yaml.Unmarshal(src, &document); err != nil {
		return y, err
	}
	if len(document.Content) > 0 {
		y.root = document.Content[0]
	}
	return y, nil
}

func (y *yamlText) bytes() []byte {
	text := strings.Join(y.lines, "\n")
	if y.open {
		return []byte(strings.TrimSuffix(text, "\r"))
	}
	if len(y.lines) == 0 {
		return nil
	}
	return []byte(text + "\n")
}

// find follows a path through block mappings. It returns the deepest entry that exists, and
// how many keys lead to it.
func (y *yamlText) find(path []string) (at entry, depth int) {
	at.value = y.root
	for depth < len(path) && isBlockMapping(at.value) {
		next := entryOf(at.value, path[depth])
		if next.key == nil {
			break
		}
		at, depth = next, depth+1
	}
	return at, depth
}

// entryOf returns the entry of a mapping with a name; the zero entry if there is none.
func entryOf(mapping *yaml.Node, name string) entry {
	for pair := range slices.Chunk(mapping.Content, 2) {
		if pair[0].Value == name && pair[0].Tag != "!!merge" {
			return entry{pair[0], pair[1]}
		}
	}
	return entry{}
}

func isBlockMapping(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0
}

// put gives a path a value. A value below a group on one line ({a: 1}) is not edited.
func (y *yamlText) put(path []string, value *yaml.Node) error {
	at, depth := y.find(path)
	rest := path[depth:]
	switch {
	case at.key == nil && (at.value == nil || at.value.Tag == "!!null"):
		return y.insert(len(y.lines), 0, rest, value)
	case depth == len(path):
		return y.rewrite(at, value)
	case isBlockMapping(at.value):
		return y.insert(y.end(at.value), at.value.Content[0].Column-1, rest, value)
	case at.value.Tag == "!!null" && at.value.Value == "":
		return y.insert(at.key.Line, at.key.Column+1, rest, value)
	}
	return errKind(path)
}

// cut removes an entry, but no comment that has a line of its own or is behind the key of a group.
func (y *yamlText) cut(path []string) error {
	at, depth := y.find(path)
	if depth < len(path) {
		return errKind(path)
	}
	end := max(y.end(at.value), at.key.Line)
	lines := slices.Clone(y.lines[at.key.Line-1 : end])
	for _, group := range groups(at) {
		before, rest := y.splitAtColon(group)
		if comment := strings.TrimLeft(rest, " \t"); strings.HasPrefix(comment, "#") {
			indent := before[:len(before)-len(strings.TrimLeft(before, " "))]
			lines[group.key.Line-at.key.Line] = indent + comment
		}
	}
	y.replace(at.key.Line, end, comments(lines))
	return nil
}

// groups lists an entry and those in it that have entries of their own.
func groups(at entry) (all []entry) {
	if isBlockMapping(at.value) {
		all = append(all, at)
		for pair := range slices.Chunk(at.value.Content, 2) {
			all = append(all, groups(entry{pair[0], pair[1]})...)
		}
	}
	return all
}

// splitAtColon returns the line of a key to its colon, and the rest of the line.
func (y *yamlText) splitAtColon(at entry) (before, rest string) {
	line := strings.TrimSuffix(y.lines[at.key.Line-1], "\r")
	colon := at.key.Column + strings.Index(line[at.key.Column-1:], ":")
	return line[:colon], line[colon:]
}

// insert adds keys and a value behind a line.
func (y *yamlText) insert(after, indent int, keys []string, value *yaml.Node) error {
	var added []string
	for i, key := range keys {
		name, err := oneLine(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key})
		if err != nil {
			return err
		}
		added = append(added, strings.Repeat(" ", indent+2*i)+name+":")
	}
	text, err := oneLine(value)
	added[len(added)-1] += " " + text
	y.lines = slices.Insert(y.lines, after, y.ended(added)...)
	return err
}

// rewrite writes the value of an entry again. It keeps the comment beside the key, and the
// lines of the value that are comments.
func (y *yamlText) rewrite(at entry, value *yaml.Node) error {
	first, end := at.key.Line, y.end(at.value)
	before, rest := y.splitAtColon(at)
	comment := commentBeside(rest, at, end == first)
	text, err := oneLine(value)
	y.replace(first, end, append([]string{before + " " + text + comment}, comments(y.lines[first:end])...))
	return err
}

// replace replaces lines, which count from 1.
func (y *yamlText) replace(first, last int, by []string) {
	y.lines = slices.Replace(y.lines, first-1, last, y.ended(by)...)
}

// ended gives new lines the end that the first line of the text has.
func (y *yamlText) ended(added []string) (out []string) {
	for _, line := range added {
		if len(y.lines) > 0 && strings.HasSuffix(y.lines[0], "\r") && !strings.HasSuffix(line, "\r") {
			line += "\r"
		}
		out = append(out, line)
	}
	return out
}

// end returns the last line of a node. The parser knows where nodes begin only, so it is
// the last line with content before the next node.
func (y *yamlText) end(n *yaml.Node) int {
	last := lastBeginning(n)
	end := len(y.lines)
	for _, m := range nodesAfter(y.root, last) {
		end = min(end, m.Line-1)
	}
	for end > last {
		text := strings.TrimSpace(y.lines[end-1])
		if text != "" && text[0] != '#' && text != "..." && text != "---" {
			break
		}
		end--
	}
	return end
}

// lastBeginning returns the last line on which a node or a part of it begins.
func lastBeginning(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastBeginning(c))
	}
	return last
}

// nodesAfter lists the nodes that begin after a line.
func nodesAfter(n *yaml.Node, line int) (after []*yaml.Node) {
	if n.Line > line {
		after = append(after, n)
	}
	for _, c := range n.Content {
		after = append(after, nodesAfter(c, line)...)
	}
	return after
}

// commentBeside returns the comment behind the value of an entry, with the blanks before
// it. rest is the line behind the colon.
func commentBeside(rest string, at entry, isOneLine bool) string {
	if strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") {
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

// oneLine writes a node on one line, without its comments.
func oneLine(n *yaml.Node) (string, error) {
	flatten(n)
	out, err := yaml.Marshal(n)
	return strings.TrimSpace(string(out)), err
}

// flatten gives a node and its parts a style that needs one line. Texts keep their quotes.
func flatten(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	switch {
	case n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode:
		n.Style = yaml.FlowStyle
	case strings.Contains(n.Value, "\n"):
		n.Style = yaml.DoubleQuotedStyle
	}
	for i, c := range n.Content {
		flatten(c)
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			c.Style = 0 // a key
		}
	}
}
