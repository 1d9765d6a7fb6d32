package chunker

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/memory-tiered/memory"
)

var (
	comment = regexp.MustCompile(`(?s)<!--(.*?)-->`)
	// trailing is one tag or block id at a line's end, on a word of its own.
	trailing = regexp.MustCompile(`(?:^|[ \t])(#[\p{L}\p{N}_/-]+|\^[A-Za-z0-9-]+)[ \t]*$`)
	tag      = regexp.MustCompile(`(?:^|[\s(])#([\p{L}\p{N}_/-]+)`)
	link     = regexp.MustCompile(`\[\[([^\[\]\n|#^]+)[^\[\]\n]*\]\]`)
)

// annotate splits raw into the text and what is said about it. comments are
// comment lines that stand behind the block.
func annotate(b *memory.Block, raw string, comments []string) {
	if b.Kind == memory.KindCode || b.Kind == memory.KindHTML {
		b.Text = strings.Trim(raw, "\n")
	} else {
		raw, comments = takeComments(raw, comments)
		raw = takeTrailing(b, raw)
		mask := codeMask(raw)
		for _, m := range tag.FindAllStringSubmatchIndex(raw, -1) {
			if !mask[m[2]] {
				addTag(b, raw[m[2]:m[3]])
			}
		}
		for _, m := range link.FindAllStringSubmatchIndex(raw, -1) {
			if target := strings.TrimSpace(raw[m[2]:m[3]]); !mask[m[2]] && target != "" && !slices.Contains(b.Links, target) {
				b.Links = append(b.Links, target)
			}
		}
		b.Text = unescape(raw)
	}
	for _, c := range comments {
		for _, m := range comment.FindAllStringSubmatch(c, -1) {
			declare(b, m[1])
		}
	}
}

// takeComments takes comments out of a text, those in code and escaped ones
// excepted.
func takeComments(raw string, comments []string) (string, []string) {
	mask := codeMask(raw)
	var out strings.Builder
	at := 0
	for _, m := range comment.FindAllStringIndex(raw, -1) {
		if m[0] < at || mask[m[0]] || (m[0] > 0 && raw[m[0]-1] == '\\') {
			continue
		}
		before := raw[at:m[0]]
		if m[1] == len(raw) || raw[m[1]] == '\n' || raw[m[1]] == ' ' {
			before = strings.TrimRight(before, " \t")
		}
		out.WriteString(before)
		comments = append(comments, raw[m[0]:m[1]])
		at = m[1]
	}
	out.WriteString(raw[at:])
	return strings.TrimSpace(out.String()), comments
}

// takeTrailing takes tags and a block id off the ends of the first and the last
// line, unless nothing would be left.
func takeTrailing(b *memory.Block, raw string) string {
	lines := strings.Split(raw, "\n")
	defer func() { slices.Reverse(b.Annotations.Tags) }() // they were taken from the end
	for _, i := range []int{0, len(lines) - 1} {
		for {
			l := strings.TrimRight(lines[i], " \t")
			m := trailing.FindStringSubmatchIndex(l)
			if m == nil || strings.TrimSpace(l[:m[0]]) == "" || codeMask(raw)[min(len(raw)-1, max(0, strings.Index(raw, l)+m[2]))] {
				break
			}
			mark := l[m[2]:m[3]]
			if mark[0] == '^' {
				b.BlockID = mark[1:]
			} else if !addTag(b, mark[1:]) {
				break
			}
			lines[i] = strings.TrimRight(l[:m[0]], " \t")
		}
	}
	return strings.Join(lines, "\n")
}

// addTag notes a tag; a number is none.
func addTag(b *memory.Block, name string) bool {
	if strings.Trim(name, "0123456789/-_") == "" {
		return false
	}
	if !slices.Contains(b.Annotations.Tags, name) {
		b.Annotations.Tags = append(b.Annotations.Tags, name)
	}
	return true
}

// declare reads a comment: "key: value" pairs separated by semicolons. What it
// does not know is somebody else's.
func declare(b *memory.Block, body string) {
	for _, pair := range strings.Split(body, ";") {
		key, value, _ := strings.Cut(pair, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		d := &b.Annotations
		switch key {
		case "private":
			private := value == "" || value == "true" || value == "yes"
			d.Private = &private
		case "importance":
			if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 && n <= 10 {
				n /= 10 // written from 1 to 10
				d.Importance = &n
			}
		case "trigger", "triggers":
			for _, t := range strings.Split(value, ",") {
				if t = strings.TrimSpace(t); t != "" && !slices.Contains(b.Triggers, t) {
					b.Triggers = append(b.Triggers, t)
				}
			}
		case "project":
			d.Scope = memory.Scope(value)
		case "source":
			if s, err := memory.ParseSource(value); err == nil {
				d.Source = s
			} else {
				d.SourceRef = value
			}
		case "trust":
			if t, err := memory.ParseTrustTier(value); err == nil {
				d.Trust = t
			}
		}
	}
}

// codeMask says of each byte whether it stands in a fenced block or between
// backticks, where nothing is an annotation.
func codeMask(s string) []bool {
	mask := make([]bool, len(s)+1)
	fence := ""
	for start := 0; start < len(s); {
		end := start + strings.IndexByte(s[start:], '\n')
		if end < start {
			end = len(s)
		}
		l := strings.TrimLeft(s[start:end], " \t>")
		opened := fence != ""
		switch mark := fenceMark(l); {
		case !opened && mark != "":
			fence = mark
		case opened && strings.HasPrefix(l, fence) && strings.Trim(l, fence[:1]+" \t") == "":
			fence = ""
		}
		if opened || fence != "" {
			for i := start; i < end; i++ {
				mask[i] = true
			}
		} else {
			maskSpans(s[start:end], mask[start:end])
		}
		start = end + 1
	}
	return mask
}

func fenceMark(l string) string {
	for _, c := range []string{"`", "~"} {
		n := len(l) - len(strings.TrimLeft(l, c))
		if n >= 3 && !(c == "`" && strings.Contains(l[n:], "`")) {
			return l[:n]
		}
	}
	return ""
}

// maskSpans marks code between equally long runs of backticks in a line.
func maskSpans(l string, mask []bool) {
	for i := 0; i < len(l); {
		if l[i] != '`' {
			i++
			continue
		}
		n := len(l[i:]) - len(strings.TrimLeft(l[i:], "`"))
		close := closing(l[i+n:], n)
		if close < 0 {
			i += n
			continue
		}
		end := i + n + close + n
		for ; i < end; i++ {
			mask[i] = true
		}
	}
}

// closing finds a run of exactly n backticks.
func closing(l string, n int) int {
	for i := 0; i < len(l); {
		if l[i] != '`' {
			i++
			continue
		}
		run := len(l[i:]) - len(strings.TrimLeft(l[i:], "`"))
		if run == n {
			return i
		}
		i += run
	}
	return -1
}
