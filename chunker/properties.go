package chunker

import (
	"bytes"
	"path"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// propertiesID is the id of the memory with properties. So it stays the same memory
// whatever is edited in it. No block id of a text has a blank.
const propertiesID = "front matter"

// addProperties adds the memory with the properties in front matter.
func (l *Layout) addProperties(src []byte, bodyStart int) {
	p := fields.FindProperties(src, bodyStart)
	l.Aliases = p.Aliases
	if p.Text == "" {
		return
	}
	span := p.Span(src)
	b := &memory.Block{Kind: memory.KindProperties, Text: p.Text, BlockID: propertiesID, Fingerprint: Fingerprint(p.Text), Start: span.Start, End: span.End,
		LineStart: 1 + bytes.Count(src[:span.Start], []byte("\n")), LineEnd: 1 + bytes.Count(src[:span.End], []byte("\n"))}
	for _, m := range wikilinkTarget().FindAllStringSubmatch(p.Text, -1) {
		b.Links = appendMark(b.Links, strings.TrimSpace(m[1]))
	}
	l.Properties = b
}

// PropertiesOf returns the memory with properties of the file at a path, or nil. Its
// heading is the title of the file: its first heading, if that is the only one of its
// level, else its name.
func (l Layout) PropertiesOf(file string) *memory.Block {
	if l.Properties == nil {
		return nil
	}
	b, title, sections := *l.Properties, "", 0
	for _, s := range l.Skipped {
		if s.Kind == SkippedHeading && len(s.Heading) == 0 {
			if sections++; sections == 1 {
				title = s.Text
			}
		}
	}
	if sections != 1 || title == "" {
		title = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	b.Heading = []string{title}
	return &b
}
