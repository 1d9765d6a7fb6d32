package frontmatter

import (
	"bytes"
	"slices"
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
}

func (c bounds) raw(src []byte) []byte { return src[c.start:c.end] }

// closers maps each line that opens front matter to those that close it.
var closers = map[string][]string{"---": {"---", "..."}, "+++": {"+++"}}

// closing returns the line that closes front matter of this format.
func (c bounds) closing() string {
	if c.format == fields.TOML {
		return "+++"
	}
	return "---"
}

var bomBytes = []byte("\xef\xbb\xbf")

func byteOrderMark(src []byte) []byte {
	if bytes.HasPrefix(src, bomBytes) {
		return src[:len(bomBytes)]
	}
	return nil
}

// split finds front matter by its delimiters. They are not indented. The library gets the text up
// to the first closing line, because it knows neither byte order marks nor closing dots.
func split(src []byte) bounds {
	bom := len(byteOrderMark(src))
	first := lineAt(src, bom)
	opener := trimEnd(first)
	ends := closers[opener]
	if ends == nil {
		return bounds{}
	}
	c := bounds{format: fields.YAML, start: bom + len(first), firstLine: 2}
	if opener == "+++" {
		c.format = fields.TOML
	}
	for at := c.start; at < len(src); {
		line := lineAt(src, at)
		at += len(line)
		closer := trimEnd(line)
		if !slices.Contains(ends, closer) {
			continue
		}
		length, rest, err := cut(src[bom:at], opener, closer)
		if err != nil {
			return bounds{}
		}
		c.end, c.bodyStart, c.closedByDots = c.start+length, at-rest, closer == "..."
		return c
	}
	return findUnclosed(src, c)
}

// cut returns the length of the text between two delimiters, and of what follows them.
func cut(head []byte, opener, closer string) (length, rest int, err error) {
	format := frontmatter.NewFormat(opener, closer, func(text []byte, length any) error {
		*length.(*int) = len(text)
		return nil
	})
	body, err := frontmatter.MustParse(strings.NewReader(unindented.Replace(string(head))), &length, format)
	return length, len(body), err
}

// unindented puts a letter in place of the first blank of a line: to the library, an indented line
// could be a delimiter.
var unindented = strings.NewReplacer("\n ", "\nx", "\n\t", "\nx")

// findUnclosed handles front matter that has one of our keys and no closing
// line. The lines that look like YAML are not part of the body, because they may
// quote a forgotten memory. In TOML only a mark that protects counts.
func findUnclosed(src []byte, c bounds) bounds {
	at := c.start
	c.unclosed = true
	if c.format == fields.YAML {
		for at < len(src) {
			line := lineAt(src, at)
			if !yamlLine().Match(line) {
				break
			}
			at += len(line)
		}
		c.end, c.bodyStart = at, at
		if fileKey().Match(c.raw(src)) {
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
// breaks. Nothing between them is empty front matter. A blank line after the first ---
// makes it a break, unless one of our keys follows. A text that is not a mapping makes it a break too.
func isFrontMatter(c bounds, raw []byte, t fields.Tree) bool {
	blankFirst := trimEnd(lineAt(raw, 0)) == ""
	switch {
	case c.format != fields.YAML || len(raw) == 0:
		return true
	case (t.Err != nil || t.Root != nil && t.Root.Kind != yaml.MappingNode) && looksProtecting(raw):
		return true
	case t.Err != nil:
		return fileKey().Match(raw) || !blankFirst && startsWithKey().Match(raw)
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
		if fileKey().MatchString(root.Content[i].Value + ":") {
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
