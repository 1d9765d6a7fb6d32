package json5

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// layout is how a source is written, so that an insertion looks like the rest.
type layout struct {
	src    []byte
	unit   string // one level of indentation
	eol    string
	quoted bool // keys are in double quotes
}

func layoutOf(src []byte, root *Value) layout {
	l := layout{src: src, unit: "  ", eol: "\n"}
	if bytes.Contains(src, []byte("\r\n")) {
		l.eol = "\r\n"
	}
	if len(root.Members) == 0 {
		return l
	}
	first := root.Members[0].Start
	l.quoted = src[first] == '"' || src[first] == '\''
	if indent := l.lineIndent(first); l.startsLine(first) && indent != "" {
		l.unit = indent
	}
	return l
}

// lineIndent returns the white space at the start of the line that contains a byte.
func (l layout) lineIndent(at int) string {
	line := l.src[bytes.LastIndexByte(l.src[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// startsLine reports whether only white space is before a byte in its line.
func (l layout) startsLine(at int) bool {
	before := bytes.TrimRight(l.src[:at], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// multiLine reports whether the items of a value have lines of their own. An empty
// value gets lines.
func (l layout) multiLine(v *Value) bool {
	items := v.items()
	return len(items) == 0 || l.startsLine(items[len(items)-1].start)
}

func (l layout) key(key string) string {
	identifier := key != ""
	for i, r := range key {
		identifier = identifier && isIdentifierPart(r, i == 0)
	}
	if l.quoted || !identifier {
		return quote(key)
	}
	return key
}

// insert adds an item behind the last one of an object or a list. prefix is the key of
// a member.
func (l layout) insert(v *Value, prefix string, value any) []byte {
	items := v.items()
	tail, comma := l.lastToken(v, items)
	text := ""
	if l.multiLine(v) || bytes.ContainsFunc(l.src[tail:v.End], isLineEnd) {
		closing := l.lineIndent(v.Start)
		indent := closing + l.unit
		if len(items) > 0 && l.startsLine(items[0].start) {
			indent = l.lineIndent(items[0].start)
		}
		text = l.eol + indent + prefix + l.render(value, indent, true)
		if comma {
			text += ","
		}
		if !bytes.ContainsFunc(l.src[tail:v.End-1], isLineEnd) {
			text += l.eol + closing
		}
	} else if text = " " + prefix + l.render(value, "", false); comma {
		text += ","
	}
	out := splice(l.src, tail, tail, text)
	if len(items) > 0 && !comma {
		last := items[len(items)-1].end
		out = splice(out, last, last, ",")
	}
	return out
}

// lastToken returns the end of the last token or comment inside a value, and whether
// a comma follows its last item.
func (l layout) lastToken(v *Value, items []span) (end int, comma bool) {
	end = v.Start + 1
	if len(items) > 0 {
		end = items[len(items)-1].end
		if at := commaAfter(l.src, end, v.End); at >= 0 {
			end, comma = at+1, true
		}
	}
	inside := l.src[end : v.End-1]
	return end + len(bytes.TrimRightFunc(inside, isSpace)), comma
}

// render returns the source of a value. indent is that of its first line.
func (l layout) render(value any, indent string, lines bool) string {
	var open, end string
	var items []string
	inner := indent + l.unit
	switch value := value.(type) {
	case map[string]any:
		open, end = "{", "}"
		for _, key := range slices.Sorted(maps.Keys(value)) {
			items = append(items, l.key(key)+": "+l.render(value[key], inner, lines))
		}
	case []any:
		open, end = "[", "]"
		lines = lines && len(value) > 1
		for _, element := range value {
			items = append(items, l.render(element, inner, lines))
		}
	case string:
		return quote(value)
	default:
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // the caller passes only what JSON can hold
		}
		return string(text)
	}
	switch {
	case len(items) == 0:
		return open + end
	case !lines && open == "{":
		return "{ " + strings.Join(items, ", ") + " }"
	case !lines:
		return "[" + strings.Join(items, ", ") + "]"
	}
	return open + l.eol + inner + strings.Join(items, ","+l.eol+inner) + l.eol + indent + end
}

// quote returns a JSON string, which is a JSON5 string too.
func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string never fails
	return strings.TrimSuffix(b.String(), "\n")
}

// equal compares values as Set takes them. Whole numbers may have any type.
func equal(a, b any) bool {
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return errA == nil && errB == nil && reflect.DeepEqual(textA, textB)
}
