package frontmatter

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// bounds is where front matter stands in a file.
type bounds struct {
	format       Format
	start, end   int // of what is between the delimiters
	bodyStart    int // behind the closing delimiter's line
	firstLine    int // the file's line that start is on
	closedByDots bool
	unclosed     bool
	bareJSON     bool // bare JSON, its own delimiter
}

func (c bounds) raw(src []byte) []byte { return src[c.start:c.end] }

// delimiters is a pair of delimiter lines.
type delimiters struct {
	format  Format
	closers []string
}

// openers has every opening line that is known for front matter. The words after
// --- are the library's own dialect.
var openers = map[string]delimiters{
	"---":     {FormatYAML, []string{"---", "..."}},
	"---yaml": {FormatYAML, []string{"---"}},
	"+++":     {FormatTOML, []string{"+++"}},
	"---toml": {FormatTOML, []string{"---"}},
	";;;":     {FormatJSON, []string{";;;"}},
	"---json": {FormatJSON, []string{"---"}},
	"{":       {FormatJSON, []string{"}"}},
}

var bomBytes = []byte("\xef\xbb\xbf")

func byteOrderMark(src []byte) []byte {
	if bytes.HasPrefix(src, bomBytes) {
		return src[:len(bomBytes)]
	}
	return nil
}

// split finds front matter by its delimiters alone. The library is shown no
// more than the opening line to the first closing one, for it knows no byte
// order mark, skips blank lines before the opening one, and takes any line that
// is a delimiter after trimming for one, also inside a block scalar.
func split(src []byte) bounds {
	bom := len(byteOrderMark(src))
	first := lineAt(src, bom)
	opener := trimEnd(first)
	f, ok := openers[opener]
	if !ok {
		return bounds{}
	}
	c := bounds{format: f.format, firstLine: 2, bareJSON: opener == "{"}
	if c.bareJSON {
		c.firstLine = 1
	}
	closer, end := findCloser(src, bom+len(first), f, c.bareJSON)
	if closer == "" {
		return findUnclosed(src, bom+len(first), c)
	}
	c.closedByDots = closer == "..."
	head := src[bom:end]
	raw, rest, err := extractRaw(maskIndentedClosers(head, closer), opener, closer, c.bareJSON)
	if err != nil || len(raw) > len(head) {
		return bounds{}
	}
	c.start = bom + len(first)
	if c.bareJSON {
		c.start = bom
	}
	c.end = c.start + len(raw)
	c.bodyStart = bom + len(head) - len(rest)
	return c
}

// extractRaw lets the library do the splitting and hands back what it would have
// decoded.
func extractRaw(head []byte, opener, closer string, braces bool) (raw, rest []byte, err error) {
	format := frontmatter.NewFormat(opener, closer, func(data []byte, v any) error {
		*v.(*[]byte) = data
		return nil
	})
	format.UnmarshalDelims, format.RequiresNewLine = braces, braces
	rest, err = frontmatter.MustParse(bytes.NewReader(head), &raw, format)
	return raw, rest, err
}

// findCloser gives the first closing line at the margin, from offset at on, and
// the offset behind it.
func findCloser(src []byte, at int, f delimiters, braces bool) (closer string, end int) {
	for at < len(src) {
		line := lineAt(src, at)
		at += len(line)
		text := trimEnd(line)
		for _, c := range f.closers {
			if text != c {
				continue
			}
			if !braces {
				return c, at
			}
			if next := lineAt(src, at); trimEnd(next) == "" {
				return c, at + len(next)
			}
		}
	}
	return "", 0
}

// maskIndentedClosers spoils, length for length, the lines that the library would take
// for the closing one though they do not stand at the margin.
func maskIndentedClosers(head []byte, closer string) []byte {
	out := head
	for at := 0; at < len(head); {
		line := lineAt(head, at)
		if string(bytes.TrimSpace(line)) == closer && trimEnd(line) != closer {
			if &out[0] == &head[0] {
				out = bytes.Clone(head)
			}
			copy(out[at:], bytes.ReplaceAll(line, []byte(closer), []byte(strings.Repeat("x", len(closer)))))
		}
		at += len(line)
	}
	return out
}

// findUnclosed is a file that opens YAML front matter with one of our own keys and
// never closes it: what looks like YAML is kept out of the body, as a forgotten
// memory's quote may stand there.
func findUnclosed(src []byte, at int, c bounds) bounds {
	if c.format != FormatYAML {
		return bounds{}
	}
	c.start, c.unclosed = at, true
	for at < len(src) {
		line := lineAt(src, at)
		if !yamlLine.Match(line) {
			break
		}
		at += len(line)
	}
	c.end, c.bodyStart = at, at
	if !fileKey.Match(c.raw(src)) {
		return bounds{}
	}
	return c
}

var (
	// yamlLine is a line that can only go on with a block mapping.
	yamlLine = regexp.MustCompile(`^([ \t]+[^ \t\r\n]|- |["']?[\w.-]+["']?:([ \t]|\r?\n|$))`)
	// startsWithKey is a document that begins with a key, whatever went wrong later.
	startsWithKey = regexp.MustCompile(`^(?:[ \t]*(?:#.*)?\r?\n)*["']?[\w.-]+["']?:([ \t\r\n]|$)`)
	// fileKey is a key of ours at the margin.
	fileKey = regexp.MustCompile(`(?m)^["']?(` + strings.Join(fileKeys(), "|") + `)["']?:([ \t\r\n]|$)`)
)

// isFrontMatter tells declarations from prose between two thematic breaks. A
// blank line right after the first --- makes it a break, unless a key of ours
// follows; so does what is no mapping.
func isFrontMatter(c bounds, raw []byte, t decoded) bool {
	blankFirst := trimEnd(lineAt(raw, 0)) == ""
	switch {
	case c.format == FormatJSON && c.bareJSON:
		return t.err == nil
	case c.format != FormatYAML:
		return true
	case t.err != nil:
		return fileKey.Match(raw) || !blankFirst && startsWithKey.Match(raw)
	case t.root == nil:
		return !blankFirst && bytes.ContainsRune(raw, '#')
	case t.root.Kind != yaml.MappingNode:
		return false
	case len(t.root.Content) == 0:
		return !blankFirst
	}
	return !blankFirst || hasFileKey(t.root)
}

func hasFileKey(root *yaml.Node) bool {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if fileKey.MatchString(root.Content[i].Value + ":") {
			return true
		}
	}
	return false
}

// lineAt is the line that begins at offset at, its end included.
func lineAt(src []byte, at int) []byte {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return src[at : at+i+1]
	}
	return src[at:]
}

func trimEnd(line []byte) string { return string(bytes.TrimRight(line, " \t\r\n")) }
