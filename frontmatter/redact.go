package frontmatter

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Span is a stretch of a file's bytes, [Start, End).
type Span struct{ Start, End int }

// Redact gives the file as an agent may see it: without the blocks at hidden,
// which are spans of src behind m.Body, and without our own lines about single
// memories, for those quote what was forgotten. The rest of the front matter
// stays, unless our lines cannot be told from it: then it goes as a whole.
func Redact(src []byte, m Parsed, hidden []Span) []byte {
	head, body := redactFrontMatter(src, m), min(max(m.BodyStart, 0), len(src))
	out := bytes.Clone(src[:len(byteOrderMark(src))])
	out = append(out, head...)
	for _, s := range wholeLines(src, body, hidden) {
		out = append(out, src[body:s.Start]...)
		body = s.End
	}
	return append(out, src[body:]...)
}

// redactFrontMatter is the front matter that may be seen, delimiters included.
func redactFrontMatter(src []byte, m Parsed) []byte {
	head := src[len(byteOrderMark(src)):min(max(m.BodyStart, 0), len(src))]
	if m.Format == FormatNone || m.Broken || m.HasConflict {
		return nil
	}
	c := split(src)
	t := decode(m.Format, c.raw(src))
	if t.err != nil || t.multiple || m.BodyStart != c.bodyStart {
		return nil
	}
	if t.root == nil || len(memoriesKeys(t.root)) == 0 {
		return head
	}
	if m.Format != FormatYAML || t.root.Style&yaml.FlowStyle != 0 || hasYAMLOnlyBreaks(c.raw(src)) {
		return nil
	}
	raw := removeMemoriesKey(t.root, c.raw(src))
	if left := decode(m.Format, raw); left.err != nil || left.root != nil && len(memoriesKeys(left.root)) > 0 {
		return nil
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	return slices.Concat(src[len(byteOrderMark(src)):c.start], raw, src[c.end:c.bodyStart])
}

// memoriesKeys are where our list stands among a mapping's keys.
func memoriesKeys(root *yaml.Node) (at []int) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == memoriesKey {
			at = append(at, i)
		}
	}
	return at
}

func removeMemoriesKey(root *yaml.Node, raw []byte) []byte {
	lines := splitLines(raw)
	for _, i := range slices.Backward(memoriesKeys(root)) {
		from, to := keyLineRange(root, i, lines, isIndentedContent(root.Column-1))
		lines = slices.Delete(lines, from, to)
	}
	return bytes.Join(lines, nil)
}

// wholeLines puts spans in order and joins them, and widens each over what
// would be left of its lines: list markers before it, the line end behind it.
func wholeLines(src []byte, body int, spans []Span) []Span {
	var out []Span
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	for _, s := range spans {
		s.Start, s.End = max(s.Start, body), min(s.End, len(src))
		if s.Start >= s.End {
			continue
		}
		s = widenToLine(src, body, s)
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

func widenToLine(src []byte, body int, s Span) Span {
	begin := max(bytes.LastIndexByte(src[:s.Start], '\n')+1, body)
	if len(bytes.Trim(src[begin:s.Start], " \t-*+>.)[]0123456789")) > 0 {
		return s
	}
	s.Start = begin
	if src[s.End-1] == '\n' {
		return s
	}
	if rest := lineAt(src, s.End); trimEnd(rest) == "" {
		s.End += len(rest)
	}
	return s
}

// RemoveBlocks gives the file without the blocks at gone, which are spans of src
// behind m.Body: their own lines are cut out, every other byte stays. gap stands
// in the place of each, where what is above and below must not grow together.
func RemoveBlocks(src []byte, m Parsed, gone []Span, gap string) []byte {
	at := min(max(m.BodyStart, 0), len(src))
	out := slices.Clone(src[:at])
	for _, s := range wholeLines(src, at, gone) {
		out = append(out, src[at:s.Start]...)
		if gap != "" && len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, lineEnd(src)...)
		}
		out = append(out, gap...)
		at = s.End
	}
	return append(out, src[at:]...)
}
