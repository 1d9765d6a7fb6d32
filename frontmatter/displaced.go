package frontmatter

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
	"github.com/memory-tiered/memory/frontmatter/syntax"
)

const (
	// maxPreamble limits the bytes above a displaced opening line. A licence or
	// a note of an editor fits.
	maxPreamble = 64 << 10
	// maxOpeners limits the lines --- that may be the opening line. A person
	// doubles it once or twice.
	maxOpeners = 8
)

// emptyComment keeps the text below it from being front matter. The program writes
// one where it removes the text above.
const emptyComment = "<!-- -->"

// findDisplaced finds front matter that does not begin at the first byte of a
// file. Blank lines, invisible characters, HTML comments or further lines --- are
// above it, or blanks before it. It counts only if it has one of our keys, because
// a line --- anywhere else is a thematic break.
func findDisplaced(src []byte) bounds {
	at, tries := len(byteOrderMark(src)), 0
	for end := min(len(src), at+maxPreamble); at < end; {
		line := lineAt(src, at)
		opener := strings.TrimFunc(string(line), isInvisible)
		switch {
		case opener == "":
			at += len(line)
			continue
		case strings.HasPrefix(opener, "<!--"):
			n := bytes.Index(src[at:], []byte("-->"))
			if n < 0 || strings.HasPrefix(opener, emptyComment) {
				return bounds{}
			}
			at += n + len("-->")
			continue
		case strings.HasPrefix(opener, "%YAML ") || strings.HasPrefix(opener, "%TAG "):
			at += len(line)
			continue
		}
		if c := displacedAt(src, at, opener); c.format != syntax.None && hasOurKey(c.raw(src), syntax.Decode(c.format, c.raw(src))) {
			c.displaced = true
			c.openerLine = syntax.LineOf(src, at)
			c.firstLine += c.openerLine - 1
			return c
		}
		if tries++; opener != "---" || tries == maxOpeners {
			return bounds{}
		}
		at += len(line)
	}
	return bounds{}
}

// isInvisible reports whether a person does not see a character: white space, a
// character without a width, or a byte order mark.
func isInvisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// displacedAt returns the front matter whose opening line is at an offset.
func displacedAt(src []byte, at int, opener string) bounds {
	f, ok := openers[opener]
	switch {
	case strings.HasPrefix(opener, "{"):
		return splitJSON(src, at+bytes.IndexByte(src[at:], '{'))
	case !ok:
		return bounds{}
	}
	c := bounds{format: f.format, firstLine: 2, start: at + len(lineAt(src, at))}
	closer, end := findCloser(src, c.start, f, false)
	if closer == "" {
		return findUnclosed(src, c.start, c)
	}
	c.bodyStart = end
	c.end = bytes.LastIndexByte(src[:end-1], '\n') + 1
	return c
}

// ourKeys are the keys that make a block at the head of a file displaced front
// matter. Common words such as tags and source are not among them.
var ourKeys = []string{fields.MemoriesKey, "forgotten", "pinned", "private", "trust", "tier", "scope", "memory_type",
	"importance", "importance_label", "expires"}

// hasOurKey reports whether a text has one of our keys at its top level, perhaps
// misspelled if it protects. A text that cannot be decoded counts if it probably
// hides a memory.
func hasOurKey(raw []byte, t syntax.Tree) bool {
	if t.Err != nil || t.Root == nil || t.Root.Kind != yaml.MappingNode {
		isSure := func(m protecting.Mark) bool { return t.Err != nil || m.Sure && m.Loose }
		return slices.ContainsFunc(protecting.InHead(raw, false), isSure) || declaresForgotten(raw)
	}
	return hasOurs(t.Root)
}

// hasOurs reports whether a mapping has one of our keys, or perhaps a misspelled one that
// protects.
func hasOurs(root *yaml.Node) bool {
	if root.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := strings.TrimSpace(root.Content[i].Value)
		if slices.Contains(ourKeys, strings.ToLower(key)) || memory.SuggestKey(key, []string{fields.MemoriesKey}) != "" || protecting.IsPair(key, root.Content[i+1].Value) {
			return true
		}
	}
	return false
}

// comment matches a comment.
var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// reportDisplaced marks displaced front matter as broken. Its declarations apply,
// and a line that is removed from it restores nothing.
func (r *parser) reportDisplaced(src []byte) {
	r.markBroken(r.bounds.openerLine, "front matter must begin with the first character of the file: delete what is above or before it; "+
		"until then what it hides stays hidden, and the program cannot write to it")
	r.ReadOnlyReason = "its front matter does not begin on the first line"
	for _, c := range comment.FindAllIndex(src[:r.bounds.start], -1) {
		if k := protecting.InComment(string(src[c[0]+len("<!--") : c[1]-len("-->")])); k != nil && !declares(r.FileDefaults, k.Withheld) {
			r.withhold(k, syntax.LineOf(src, c[0]), "is in a comment above the front matter")
		}
	}
}
