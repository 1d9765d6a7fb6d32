package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// HeadTexts returns the texts in a file's front matter that a person may read
// there. These are its values, keys and comments, and each of its lines without a
// key.
func HeadTexts(src []byte, m Parsed) (texts []string) {
	head := src[len(byteOrderMark(src)):min(max(m.BodyStart, 0), len(src))]
	for line := range strings.SplitSeq(string(head), "\n") {
		texts = append(texts, line)
		if _, comment, found := strings.Cut(line, "#"); found {
			texts = append(texts, comment)
		}
		if at := strings.IndexAny(line, ":="); at >= 0 {
			texts = append(texts, line[at+1:])
		}
	}
	if t := fields.Decode(m.Format, split(src).raw(src)); t.Err == nil && t.Root != nil {
		texts = appendScalars(texts, t.Root)
	}
	return texts
}

func appendScalars(texts []string, n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return append(texts, n.Value)
	}
	for _, child := range n.Content {
		texts = appendScalars(texts, child)
	}
	return texts
}
