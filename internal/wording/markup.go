package wording

import (
	"html"
	"strings"

	"github.com/memory-tiered/memory/internal/markdown"
)

// withoutMarkup returns a text without marks of places, check boxes, the languages of code, tags,
// comments and the targets of links. Entities and escapes become their characters. Other marks
// stay: they are neither letters nor digits.
func withoutMarkup(text string) string {
	if !strings.ContainsAny(text, "&<[]\\\n") && !strings.Contains(text, "~~~") {
		return withoutPlaceMarks(text)
	}
	var lines strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		if markdown.FenceOf(strings.TrimSpace(line)) != "" {
			line = "\n"
		}
		lines.WriteString(withoutPlaceMarks(line))
	}
	s := stripper{in: lines.String()}
	return s.strip()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// maxOrdinalDigits is how many digits the number of a list item has at most. A longer
// one is more likely a year at the beginning of a wrapped line.
const maxOrdinalDigits = 3

// withoutMarkers removes quote marks, bullets, numbers of list items and check boxes
// from the beginning of a line.
func withoutMarkers(line string) string {
	for {
		line = strings.TrimLeft(line, " \t>")
		n := 0
		for n < len(line) && n <= maxOrdinalDigits && isDigit(line[n]) {
			n++
		}
		switch {
		case n > 0 && n <= maxOrdinalDigits && n < len(line) && (line[n] == '.' || line[n] == ')') && isBlankAt(line, n+1):
			line = line[n+1:]
		case line != "" && strings.IndexByte("-*+", line[0]) >= 0 && isBlankAt(line, 1):
			line = line[1:]
		case len(line) > 2 && line[0] == '[' && strings.IndexByte(" xX", line[1]) >= 0 && line[2] == ']' && isBlankAt(line, 3):
			line = line[3:]
		default:
			return line
		}
	}
}

func isBlankAt(line string, i int) bool {
	return i == len(line) || line[i] == ' ' || line[i] == '\t' || line[i] == '\n'
}

// stripper removes the markup inside lines. Each search ends at the next mark, or is
// not repeated if it finds nothing, so that the time is linear.
type stripper struct {
	in                string
	out               []byte
	noParen, noDashes bool // nothing closes a link target or a comment from here on
}

func (s *stripper) strip() string {
	s.out = make([]byte, 0, len(s.in))
	for i := 0; i < len(s.in); {
		next := strings.IndexAny(s.in[i:], "&<[]\\")
		if next < 0 {
			s.out = append(s.out, s.in[i:]...)
			break
		}
		s.out = append(s.out, s.in[i:i+next]...)
		i += next
		end := s.markup(i)
		if end == i {
			end++
			s.out = append(s.out, s.in[i])
		}
		i = end
	}
	return string(s.out)
}

// markup writes what remains of the markup at a position, and returns its end. Without
// markup there, it returns the position.
func (s *stripper) markup(i int) (end int) {
	switch s.in[i] {
	case '&':
		return s.entity(i)
	case '<':
		return s.tag(i)
	case '[':
		return s.label(i)
	case ']':
		return s.target(i)
	}
	if i+1 < len(s.in) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s.in[i+1]) >= 0 {
		s.out = append(s.out, s.in[i+1])
		return i + 2
	}
	return i + 1
}

// maxEntity is the longest name of an entity, with its marks.
const maxEntity = 34

func (s *stripper) entity(i int) int {
	n := strings.IndexByte(s.in[i:min(len(s.in), i+maxEntity)], ';')
	if n < 0 {
		return i
	}
	name := s.in[i : i+n+1]
	text := html.UnescapeString(name)
	if text == name {
		return i
	}
	s.out = append(s.out, text...)
	return i + n + 1
}

func (s *stripper) tag(i int) int {
	rest := s.in[i+1:]
	if strings.HasPrefix(rest, "!--") && !s.noDashes {
		if n := strings.Index(rest, "-->"); n >= 0 {
			return i + 1 + n + len("-->")
		}
		s.noDashes = true
	}
	name := strings.TrimPrefix(rest, "/")
	if name == "" || !isLetter(name[0]) {
		return i
	}
	n := strings.IndexAny(rest, "<>")
	if n < 0 || rest[n] == '<' {
		return i
	}
	if at := strings.IndexAny(rest[:n], ":@ \t\n"); at >= 0 && (rest[at] == ':' || rest[at] == '@') {
		return i // an address between angle brackets
	}
	return i + 1 + n + 1
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// label handles [[target|text]] and the mark of a footnote. The text of an ordinary
// link stays.
func (s *stripper) label(i int) int {
	rest := s.in[i+1:]
	switch {
	case strings.HasPrefix(rest, "["):
		n := strings.IndexAny(rest[1:], "[]\n")
		if n < 0 || !strings.HasPrefix(rest[1+n:], "]]") {
			return i
		}
		text := rest[1 : 1+n]
		s.out = append(s.out, text[strings.LastIndexByte(text, '|')+1:]...)
		return i + 1 + 1 + n + 2
	case strings.HasPrefix(rest, "^"):
		if n := strings.IndexAny(rest, "[] \n"); n >= 0 && rest[n] == ']' {
			return i + 1 + n + 1
		}
	}
	return i
}

// target removes the target behind the text of a link.
func (s *stripper) target(i int) int {
	rest := s.in[i+1:]
	switch {
	case strings.HasPrefix(rest, "(") && !s.noParen:
		if n := closingParen(rest); n >= 0 {
			return i + 1 + n + 1
		}
		s.noParen = true
	case strings.HasPrefix(rest, "["):
		if n := strings.IndexAny(rest[1:], "[]"); n >= 0 && rest[1+n] == ']' {
			return i + 1 + 1 + n + 1
		}
	}
	return i
}

// closingParen returns the position of the parenthesis that closes the first one, or -1.
func closingParen(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
