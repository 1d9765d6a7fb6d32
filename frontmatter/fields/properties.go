package fields

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// Span is a range of a file's bytes, [Start, End).
type Span struct{ Start, End int }

// Properties are the properties of a file that other programs declare.
type Properties struct {
	Text    string   // a line a property, its values behind commas
	Lines   []Span   // the lines of each, with their ends
	Aliases []string // other names of the file
}

// aliasKeys are the keys of other names, as Obsidian writes them.
var aliasKeys = []string{"aliases", "alias"}

// FindProperties returns the properties in the front matter of a file, which ends at bodyStart.
func FindProperties(src []byte, bodyStart int) (p Properties) {
	start, end := between(src[:min(max(bodyStart, 0), len(src))])
	raw := src[start:end]
	if len(raw) == 0 || !mayHave(raw) {
		return p
	}
	t := Decode(YAML, raw)
	if t.Err != nil || t.Multiple || t.Root == nil || t.Root.Kind != yaml.MappingNode || t.Root.Style&yaml.FlowStyle != 0 {
		return p
	}
	var text []string
	lines := lineStarts(raw)
	for i := 0; i+1 < len(t.Root.Content); i += 2 {
		key, value := t.Root.Content[i], t.Root.Content[i+1]
		if !isForeign(key.Value, value) {
			continue
		}
		values, ok := words(value)
		switch {
		case !ok || len(values) == 0:
		case slices.Contains(aliasKeys, strings.ToLower(key.Value)):
			p.Aliases = append(p.Aliases, values...)
		default:
			next := len(lines) - 1
			if i+2 < len(t.Root.Content) {
				next = t.Root.Content[i+2].Line - 1
			}
			text = append(text, key.Value+": "+strings.Join(values, ", "))
			p.Lines = append(p.Lines, Span{start + lines[key.Line-1], start + contentEnd(raw, lines[key.Line-1], lines[next])})
		}
	}
	p.Text = strings.Join(text, "\n")
	return p
}

// Span returns the bytes from the first property to the last one, without the last line
// end.
func (p Properties) Span(src []byte) Span {
	if len(p.Lines) == 0 {
		return Span{}
	}
	s := Span{p.Lines[0].Start, p.Lines[len(p.Lines)-1].End}
	s.End = s.Start + len(bytes.TrimRight(src[s.Start:s.End], "\r\n"))
	return s
}

// WithoutProperties returns the front matter of a file without its properties. All other bytes
// stay. Without anything left, its delimiters go too.
func WithoutProperties(head []byte) []byte {
	p := FindProperties(head, len(head))
	out, at := make([]byte, 0, len(head)), 0
	for _, l := range p.Lines {
		out = append(out, head[at:l.Start]...)
		at = l.End
	}
	out = append(out, head[at:]...)
	if start, end := between(out); len(p.Lines) > 0 && start > 0 && len(bytes.TrimSpace(out[start:end])) == 0 {
		return out[:len(out)-len(bytes.TrimPrefix(out, []byte("\xef\xbb\xbf")))]
	}
	return out
}

// between returns the bytes between the two lines --- of front matter, or none.
func between(head []byte) (start, end int) {
	bom := len(head) - len(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	first := bytes.IndexByte(head, '\n') + 1
	last := bytes.LastIndexByte(bytes.TrimRight(head, " \t\r\n"), '\n') + 1
	closer := string(bytes.TrimRight(head[last:], " \t\r\n"))
	if first == 0 || last < first || string(bytes.TrimRight(head[bom:first], " \t\r\n")) != "---" || closer != "---" && closer != "..." {
		return 0, 0
	}
	return first, last
}

// mayHave reports quickly whether lines have a key that is not ours. A line end that only
// YAML knows would move the lines.
func mayHave(raw []byte) bool {
	if bytes.ContainsAny(raw, "\u0085\u2028\u2029") || bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\r\n")) {
		return false
	}
	for line := range bytes.Lines(raw) {
		key, _, found := strings.Cut(string(line), ":")
		if found && key != "" && !strings.ContainsAny(key[:1], " \t-#{[") && isForeign(strings.Trim(key, `"'`), &yaml.Node{Kind: yaml.ScalarNode}) {
			return true
		}
	}
	return false
}

// isForeign reports whether a key is not ours, and misspells none that protects.
func isForeign(key string, value *yaml.Node) bool {
	return !strings.EqualFold(key, MemoriesKey) && key != "<<" && Find(key, FileLevel) == nil && !slices.Contains(EntryOnlyKeys, strings.ToLower(key)) &&
		memory.SuggestKey(key, KeysOf[FileLevel]) == "" && protecting.Find(key, value.Value) == nil
}

// words returns the values of a property that are words, numbers and dates. ok is false
// for anything else: a mapping, or an anchor that another value may need.
func words(n *yaml.Node) (values []string, ok bool) {
	if n.Anchor != "" {
		return nil, false
	}
	switch n.Kind {
	case yaml.ScalarNode:
		value := FoldSpaces(n.Value)
		if n.Tag == "!!null" || n.Tag == "!!bool" || value == "" {
			return nil, true
		}
		return []string{value}, true
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, false
			}
			more, ok := words(item)
			if !ok {
				return nil, false
			}
			values = append(values, more...)
		}
		return values, true
	}
	return nil, false
}

// lineStarts returns where each line begins, and the end of the text.
func lineStarts(raw []byte) (at []int) {
	n := 0
	for line := range bytes.Lines(raw) {
		at = append(at, n)
		n += len(line)
	}
	return append(at, n)
}

// contentEnd returns the end of the last line of a value, before the blank lines and
// comments above the next key.
func contentEnd(raw []byte, start, end int) int {
	last := start
	at := start
	for line := range bytes.Lines(raw[start:end]) {
		at += len(line)
		if text := bytes.TrimSpace(line); len(text) > 0 && (text[0] != '#' || line[0] == ' ') || last == start {
			last = at
		}
	}
	return last
}
