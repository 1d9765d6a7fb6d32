package frontmatter

import (
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

// Description is what the clients of agents write about a file of their own memory.
type Description struct {
	Text     string    // what the file is about, on one line
	Modified time.Time // when it was last written; zero: unknown
}

// Describe reads the description of a file from its front matter, and when it was modified.
// The keys are description and modified, which may be below metadata.
func Describe(src []byte, m Parsed) (d Description) {
	t := fields.Decode(m.Format, split(src).raw(src))
	if t.Err != nil || t.Root == nil {
		return Description{}
	}
	for _, group := range []*yaml.Node{t.Root, valueOf(t.Root, "metadata")} {
		if n := valueOf(group, "description"); n != nil && d.Text == "" {
			d.Text = fields.FoldSpaces(n.Value)
		}
		if n := valueOf(group, "modified"); n != nil && d.Modified.IsZero() {
			d.Modified = parseModified(n.Value)
		}
	}
	return d
}

// valueOf returns the value of a key, or nil.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	if i := slices.IndexFunc(n.Content, func(k *yaml.Node) bool { return k.Value == key }); i >= 0 && i%2 == 0 {
		return n.Content[i+1]
	}
	return nil
}

// parseModified reads a time or a date. It returns the zero time for anything else.
func parseModified(text string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}
