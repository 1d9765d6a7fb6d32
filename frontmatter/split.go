package frontmatter

import (
	"bytes"
	"strings"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// bounds is the position of front matter in a file.
type bounds struct {
	format       fields.Format
	start, end   int // of the text between the delimiters
	bodyStart    int // after the closing delimiter's line
	firstLine    int // line number of start
	closedByDots bool
	unclosed     bool
	bareJSON     bool // JSON without delimiters: its braces are the delimiters
}

func (c bounds) raw(src []byte) []byte { return src[c.start:c.end] }

// delimiters are the lines that close front matter with a certain opening line.
type delimiters struct {
	format  fields.Format
	closers []string
}

// openers maps every opening line of front matter to its format. The library
// defines the ones with a word after ---.
var openers = map[string]delimiters{
	"---":     {fields.YAML, []string{"---", "..."}},
	"---yaml": {fields.YAML, []string{"---"}},
	"+++":     {fields.TOML, []string{"+++"}},
	"---toml": {fields.TOML, []string{"---"}},
	";;;":     {fields.JSON, []string{";;;"}},
	"---json": {fields.JSON, []string{"---"}},
	"{":       {fields.JSON, []string{"}"}},
}

var bomBytes = []byte("\xef\xbb\xbf")

func byteOrderMark(src []byte) []byte {
	if bytes.HasPrefix(src, bomBytes) {
		return src[:len(bomBytes)]
	}
	return nil
}

// split finds front matter by its delimiters. The library gets only the text
// from the opening line to the first closing line. It does not handle a byte
// order mark and skips blank lines before the opening one. It also accepts an
// indented closing line, even inside a block scalar.
func split(src []byte) bounds {
	bom := len(byteOrderMark(src))
	first := lineAt(src, bom)
	opener := trimEnd(first)
	f, ok := openers[opener]
	if !ok && strings.HasPrefix(opener, "{") {
		return splitJSON(src, bom)
	}
	if !ok {
		return bounds{}
	}
	c := bounds{format: f.format, firstLine: 2, bareJSON: opener == "{"}
	if c.bareJSON {
		c.firstLine = 1
	}
	closer, end := findCloser(src, bom+len(first), f, c.bareJSON)
	if closer == "" && c.bareJSON {
		return splitJSON(src, bom)
	}
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

// extractRaw lets the library split the text and returns the part that it would
// decode.
func extractRaw(head []byte, opener, closer string, braces bool) (raw, rest []byte, err error) {
	format := frontmatter.NewFormat(opener, closer, func(data []byte, v any) error {
		*v.(*[]byte) = data
		return nil
	})
	format.UnmarshalDelims, format.RequiresNewLine = braces, braces
	rest, err = frontmatter.MustParse(bytes.NewReader(head), &raw, format)
	return raw, rest, err
}

// findCloser returns the first closing line that is not indented, from offset
// at on, and the offset after it.
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

// maskIndentedClosers overwrites indented lines that the library would take for
// the closing line. The length stays the same.
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

// findUnclosed handles front matter that has one of our keys and no closing
// line. The lines that look like YAML are not part of the body, because they may
// quote a forgotten memory. In other formats only private counts.
func findUnclosed(src []byte, at int, c bounds) bounds {
	c.start, c.unclosed = at, true
	if c.format == fields.YAML {
		for at < len(src) {
			line := lineAt(src, at)
			if !yamlLine.Match(line) {
				break
			}
			at += len(line)
		}
		c.end, c.bodyStart = at, at
		if fileKey.Match(c.raw(src)) {
			return c
		}
	}
	c.end = paragraphEnd(src, c.start)
	c.bodyStart = c.end
	if !looksProtecting(c.raw(src)) {
		return bounds{}
	}
	return c
}

// paragraphEnd returns the offset of the first blank line at or after an offset.
func paragraphEnd(src []byte, at int) int {
	for at < len(src) && trimEnd(lineAt(src, at)) != "" {
		at += len(lineAt(src, at))
	}
	return at
}

var (
	// yamlLine matches a line that can continue a block mapping.
	yamlLine = lazyregexp.New(`^([ \t]+[^ \t\r\n]|- |["']?[\w.-]+["']?:([ \t]|\r?\n|$))`)
	// startsWithKey matches a document that begins with a key, even if it is
	// invalid later.
	startsWithKey = lazyregexp.New(`^(?:[ \t]*(?:#.*)?\r?\n)*["']?[\w.-]+["']?:([ \t\r\n]|$)`)
	// fileKey matches one of our keys without indentation.
	fileKey = lazyregexp.New(`(?m)^["']?((?i:` + fields.MemoriesKey + `|private)|` + strings.Join(fields.KeysAt(fields.FileLevel), "|") + `)["']?:([ \t\r\n]|$)`)
)

// isFrontMatter distinguishes declarations from prose between two thematic
// breaks. A blank line after the first --- makes it a break, unless one of our
// keys follows. A text that is not a mapping makes it a break too.
func isFrontMatter(c bounds, raw []byte, t fields.Tree) bool {
	blankFirst := trimEnd(lineAt(raw, 0)) == ""
	switch {
	case c.format == fields.JSON && c.bareJSON:
		return t.Err == nil || looksProtecting(raw)
	case c.format != fields.YAML:
		return true
	case (t.Err != nil || t.Root != nil && t.Root.Kind != yaml.MappingNode) && looksProtecting(raw):
		return true
	case t.Err != nil:
		return fileKey.Match(raw) || !blankFirst && startsWithKey.Match(raw)
	case t.Root == nil:
		return !blankFirst && bytes.ContainsRune(raw, '#')
	case t.Root.Kind != yaml.MappingNode:
		return false
	case len(t.Root.Content) == 0:
		return !blankFirst
	}
	return !blankFirst || hasFileKey(t.Root)
}

func hasFileKey(root *yaml.Node) bool {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if fileKey.MatchString(root.Content[i].Value + ":") {
			return true
		}
	}
	return false
}

// lineAt returns the line that begins at an offset, with its line end.
func lineAt(src []byte, at int) []byte {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return src[at : at+i+1]
	}
	return src[at:]
}

func trimEnd(line []byte) string { return string(bytes.TrimRight(line, " \t\r\n")) }
