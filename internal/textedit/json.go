package textedit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/memory-tiered/memory"
)

// jsonEditor edits JSON with comments and trailing commas. The parser gives the places of
// values, the edits are made in the text.
type jsonEditor struct{}

func (jsonEditor) parse(src []byte) (any, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return map[string]any{}, nil
	}
	root, err := parseJSON(src)
	if err != nil {
		return nil, memory.Invalid("", "the file cannot be edited: %v", err).WithHint("correct the file first; keys and texts need double quotes")
	}
	if root.Value.Kind() != '{' {
		return nil, memory.Invalid("", "the file is not an object").WithHint("correct the file first")
	}
	root.Standardize()
	return decoded(root.Pack())
}

// parseJSON parses a copy of a text, which may end in a comment.
func parseJSON(src []byte) (hujson.Value, error) {
	root, err := hujson.Parse(bytes.Clone(src))
	if err != nil {
		if closed, closedErr := hujson.Parse(slices.Concat(src, []byte("\n"))); closedErr == nil {
			return closed, nil
		}
	}
	return root, err
}

// container is an object or a list in a text.
type container struct {
	src        []byte
	start, end int // with its brackets
	items      []item
	root       bool
}

// item is a member with its name, or an element with its index.
type item struct {
	name       string
	start, end int
	value      *hujson.Value
}

func newContainer(src []byte, v *hujson.Value, root bool) (c container, ok bool) {
	c = container{src: src, start: v.StartOffset, end: v.EndOffset, root: root}
	switch composite := v.Value.(type) {
	case *hujson.Object:
		for i := range composite.Members {
			m := &composite.Members[i]
			c.items = append(c.items, item{m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset, m.Value.EndOffset, &m.Value})
		}
	case *hujson.Array:
		for i := range composite.Elements {
			e := &composite.Elements[i]
			c.items = append(c.items, item{strconv.Itoa(i), e.StartOffset, e.EndOffset, e})
		}
	default:
		return c, false
	}
	return c, true
}

// locate returns the innermost container on a path, and the index of the next item in it.
// The index is -1 if there is none. rest is the path behind that item.
func locate(src []byte, path []string) (c container, index int, rest []string) {
	root, err := parseJSON(src)
	if err != nil {
		return c, -1, nil
	}
	c, _ = newContainer(src, &root, true)
	for {
		index = slices.IndexFunc(c.items, func(i item) bool { return i.name == path[0] })
		if index < 0 || len(path) == 1 {
			return c, index, path[1:]
		}
		inner, ok := newContainer(src, c.items[index].value, false)
		if !ok {
			return c, index, path[1:]
		}
		c, path = inner, path[1:]
	}
}

func (e jsonEditor) put(src []byte, path []string, value []byte) ([]byte, error) {
	src = orEmpty(src)
	c, index, rest := locate(src, path)
	if index >= 0 {
		found := c.items[index].value
		return splice(src, found.StartOffset, found.EndOffset, c.render(value)), nil
	}
	for _, key := range slices.Backward(rest) {
		value = slices.Concat([]byte("{"), quoted(key), []byte(": "), value, []byte("}"))
	}
	return c.append(string(quoted(path[len(path)-len(rest)-1])) + ": " + c.render(value)), nil
}

func (e jsonEditor) add(src []byte, path []string, element []byte) ([]byte, error) {
	src = orEmpty(src)
	c, index, rest := locate(src, path)
	if index < 0 || len(rest) > 0 {
		return e.put(src, path, slices.Concat([]byte("["), element, []byte("]")))
	}
	list, ok := newContainer(src, c.items[index].value, false)
	if !ok {
		return nil, errKind(path)
	}
	return list.append(list.render(element)), nil
}

func (e jsonEditor) cut(src []byte, path []string) ([]byte, error) {
	c, index, _ := locate(src, path)
	return c.cut(index), nil
}

// append returns the text with a last item more. A trailing comma stays one.
func (c container) append(text string) []byte {
	end := c.end - 1
	src, comma := c.withComma()
	last := len(bytes.TrimRight(c.src[:end], " \t\r\n")) + comma // behind the last item, or a comment
	separator, closing := " ", ""
	switch {
	case c.isTall():
		separator = lineEnd(c.src) + c.itemIndent()
	case c.root || len(c.items) == 0:
		separator, closing = lineEnd(c.src)+c.itemIndent(), lineEnd(c.src)+c.indent()
	}
	if c.hasTrailingComma() {
		text += ","
	}
	if closing == "" {
		end = last - comma
	}
	return splice(src, last, end+comma, separator+text+closing)
}

// withComma returns the text with a comma behind the last item, and its length if it is new.
func (c container) withComma() (src []byte, length int) {
	if len(c.items) == 0 || c.hasTrailingComma() {
		return c.src, 0
	}
	at := c.items[len(c.items)-1].end
	return splice(c.src, at, at, ","), 1
}

// cut returns the text without an item: the reverse of append for the last one.
func (c container) cut(index int) []byte {
	i := c.items[index]
	start, end := len(bytes.TrimRight(c.src[:i.start], " \t\r\n")), i.end
	comma := c.comma(index)
	if comma >= 0 {
		return splice(c.src, start, comma+1, "")
	}
	src := splice(c.src, start, end, "")
	if index > 0 {
		before := c.comma(index - 1)
		src = splice(src, before, before+1, "")
	}
	if index == 0 && len(c.items) == 1 && len(bytes.TrimSpace(src[c.start+1:start])) == 0 {
		src = splice(src, start, c.end-1-(end-start), "") // {} as it was
	}
	return src
}

// comma returns the place of the comma behind an item; -1: there is none.
func (c container) comma(index int) int {
	at := c.items[index].end + len(c.items[index].value.AfterExtra)
	if c.src[at] != ',' {
		return -1
	}
	return at
}

func (c container) hasTrailingComma() bool {
	return len(c.items) > 0 && c.comma(len(c.items)-1) >= 0
}

// isTall reports whether the brackets are on different lines.
func (c container) isTall() bool {
	return bytes.ContainsRune(c.src[c.start:c.end], '\n') && c.closesOwnLine()
}

// closesOwnLine reports whether only white space is before the closing bracket on its line.
func (c container) closesOwnLine() bool {
	line := c.src[bytes.LastIndexByte(c.src[:c.end-1], '\n')+1 : c.end-1]
	return len(bytes.TrimSpace(line)) == 0
}

// indent returns the white space before the line of the bracket that begins the container.
func (c container) indent() string {
	line := c.src[bytes.LastIndexByte(c.src[:c.start], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// itemIndent returns the white space before a new item on a line of its own.
func (c container) itemIndent() string {
	for _, i := range slices.Backward(c.items) {
		line := c.src[bytes.LastIndexByte(c.src[:i.start], '\n')+1 : i.start]
		if len(bytes.TrimSpace(line)) == 0 && bytes.ContainsRune(c.src[c.start:i.start], '\n') {
			return string(line)
		}
	}
	return c.indent() + c.unit()
}

// unit returns one step of indentation, as the file has it.
func (c container) unit() string {
	for line := range strings.Lines(string(c.src)) {
		text := strings.TrimLeft(line, " \t")
		if len(text) < len(line) && strings.HasPrefix(text, `"`) {
			return line[:len(line)-len(text)]
		}
	}
	return "  "
}

// render returns a value as it looks in this container: on several lines, unless the
// container is on one.
func (c container) render(value []byte) string {
	if !c.isTall() && !c.root && len(c.items) > 0 {
		return string(value)
	}
	var out bytes.Buffer
	if json.Indent(&out, value, c.itemIndent(), c.unit()) != nil {
		return string(value)
	}
	return strings.ReplaceAll(out.String(), "\n", lineEnd(c.src))
}

func orEmpty(src []byte) []byte {
	if len(bytes.TrimSpace(src)) == 0 {
		return []byte("{}\n")
	}
	return src
}

func quoted(text string) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return nil
	}
	return bytes.TrimSpace(out.Bytes())
}
