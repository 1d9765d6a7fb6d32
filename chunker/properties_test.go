package chunker_test

import (
	"reflect"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

func TestPropertiesAreOneMemoryOfTheFile(t *testing.T) {
	tests := []struct{ name, src, title, text string }{
		{"the title is the name of the file", "---\nbirthday: 1983-09-17\n---\n- a\n", "Anna", "birthday: 1983-09-17"},
		{"the title is the only heading", "---\nbirthday: 1983-09-17\n---\n# Anna Meyer\n\n## Work\n\n- a\n", "Anna Meyer", "birthday: 1983-09-17"},
		{"two headings are no title", "---\nbirthday: 1983-09-17\n---\n# Work\n\n- a\n\n# Home\n\n- b\n", "Anna", "birthday: 1983-09-17"},
	}
	for _, tt := range tests {
		src := []byte(tt.src)
		l := chunker.Parse(src, frontmatter.Parse(src, nil).BodyStart)
		b := l.PropertiesOf("memory/people/Anna.md")
		if b == nil || b.Text != tt.text || b.Kind != memory.KindProperties || !reflect.DeepEqual(b.Heading, []string{tt.title}) ||
			b.LineStart != 2 || b.LineEnd != 2 || string(src[b.Start:b.End]) != tt.text {
			t.Errorf("%s: %+v", tt.name, b)
		}
		for _, b := range l.Blocks {
			if b.Kind == memory.KindProperties {
				t.Errorf("%s: the body has %+v", tt.name, b)
			}
		}
	}
	for _, src := range []string{"- a\n", "---\ntier: warm\n---\n- a\n", "---\n\nA talk: long\n\n---\n"} {
		if b := chunker.Parse([]byte(src), frontmatter.Parse([]byte(src), nil).BodyStart).PropertiesOf("MEMORY.md"); b != nil {
			t.Errorf("%q: %+v", src, b)
		}
	}
}
