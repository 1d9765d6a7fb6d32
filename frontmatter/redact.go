package frontmatter

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// Span is a range of a file's bytes, [Start, End).
type Span struct{ Start, End int }

// Redact returns the file as an agent may see it. It removes the hidden blocks,
// which are spans of src after m.BodyStart, and the list of entries, which
// quotes forgotten texts. The rest of the front matter stays, but if the list
// cannot be separated from it, all of it is removed. Of a file that is withheld nothing stays.
func Redact(src []byte, m Parsed, hidden []Span) []byte {
	return redact(src, redactFrontMatter(src, m), m, hidden)
}

// RedactWithoutHead is [Redact] without the front matter.
func RedactWithoutHead(src []byte, m Parsed, hidden []Span) []byte {
	return redact(src, nil, m, hidden)
}

func redact(src, head []byte, m Parsed, hidden []Span) []byte {
	if m.Withheld {
		return nil
	}
	body := min(max(m.BodyStart, 0), len(src))
	out := bytes.Clone(src[:len(byteOrderMark(src))])
	out = append(out, head...)
	if hasProperties(hidden, body) {
		out = append(out[:len(byteOrderMark(src))], fields.WithoutProperties(head)...)
	}
	for _, s := range wholeLines(src, body, hidden) {
		out = append(out, src[body:s.Start]...)
		body = s.End
	}
	return append(out, src[body:]...)
}

// hasProperties reports whether one of some spans is before the body, where only the
// properties of other programs are a memory.
func hasProperties(spans []Span, body int) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.End <= body && s.Start < s.End })
}

// redactFrontMatter returns the visible part of the front matter with its
// delimiters.
func redactFrontMatter(src []byte, m Parsed) []byte {
	head := src[len(byteOrderMark(src)):min(max(m.BodyStart, 0), len(src))]
	if m.Format == fields.None || m.Broken || m.EntriesUnread || m.HasConflict {
		return nil
	}
	c := split(src)
	t := fields.Decode(m.Format, c.raw(src))
	if t.Err != nil || t.Multiple || m.BodyStart != c.bodyStart {
		return nil
	}
	if t.Root == nil || len(memoriesKeys(t.Root)) == 0 {
		return head
	}
	if m.Format != fields.YAML || t.Root.Style&yaml.FlowStyle != 0 || hasYAMLOnlyBreaks(c.raw(src)) {
		return nil
	}
	raw := removeMemoriesKey(t.Root, c.raw(src))
	if left := fields.Decode(m.Format, raw); left.Err != nil || left.Root != nil && len(memoriesKeys(left.Root)) > 0 {
		return nil
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	return slices.Concat(src[len(byteOrderMark(src)):c.start], raw, src[c.end:c.bodyStart])
}

// memoriesKeys returns the indices of the key of the list of entries in a
// mapping.
func memoriesKeys(root *yaml.Node) (at []int) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if isListKey(root.Content[i]) {
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

// wholeLines sorts and merges spans. It widens each to whole lines if only list
// markers or a line end would remain.
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

// widenToLine adds the list markers before a span and the line end behind it, if
// the line holds nothing else.
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

// RemoveBlocks returns the file without the blocks at gone, which are spans of
// src. Those before m.BodyStart are the properties in front matter. Every other byte stays. It writes gap in place of each
// block, where the text above and below must not become one block.
func RemoveBlocks(src []byte, m Parsed, gone []Span, gap string) []byte {
	at := min(max(m.BodyStart, 0), len(src))
	out := slices.Clone(RemainingHead(src, m, gone))
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

// RemainingHead returns what is before the body of a file after RemoveBlocks.
func RemainingHead(src []byte, m Parsed, gone []Span) []byte {
	head := src[:min(max(m.BodyStart, 0), len(src))]
	if hasProperties(gone, len(head)) {
		return fields.WithoutProperties(head)
	}
	return head
}

// RemovalGaps lists what may take the place of a block that RemoveBlocks removes, the
// shortest first. The line ends are those of the file.
func RemovalGaps(src []byte) []string {
	end := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		end = "\r\n"
	}
	return []string{"", end, "<!-- -->" + end, end + "<!-- -->" + end + end}
}
