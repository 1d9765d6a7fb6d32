package frontmatter

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// unwritable says why single lines of this front matter cannot be changed with
// everything else sure to stay; empty where they can.
func (r *reading) unwritable(raw []byte) string {
	switch {
	case r.Format != FormatYAML:
		return "its front matter is " + r.Format.title()
	case r.cut.dots:
		return "its front matter is closed by ... instead of ---"
	case strangeBreaks(raw):
		return "its front matter has line breaks that only YAML knows"
	case r.root == nil:
		return ""
	case r.root.Style&yaml.FlowStyle != 0:
		return "its front matter is written between braces"
	case marked(r.root):
		return "its front matter has an anchor or a tag as a whole"
	}
	_, reason := layoutOf(r.root, raw)
	return reason
}

// strangeBreaks says that YAML counts other lines than a text editor does.
func strangeBreaks(raw []byte) bool {
	for _, b := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(raw, []byte(b)) {
			return true
		}
	}
	return bytes.Count(raw, []byte("\r")) != bytes.Count(raw, []byte("\r\n"))
}

// marked says that a value has an anchor, is an alias, or names its type.
func marked(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0
}
