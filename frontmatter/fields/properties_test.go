package fields_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/frontmatter/fields"
)

func TestPropertiesOfOtherProgramsAreText(t *testing.T) {
	tests := []struct{ name, raw, text, aliases string }{
		{"a date", "birthday: 1983-09-17\n", "birthday: 1983-09-17", ""},
		{"between keys of ours", "tier: warm\nstatus: open\nprivate: true\ndue: 2026-12-01\n", "status: open\ndue: 2026-12-01", ""},
		{"lists", "attendees:\n  - Anna\n  - \"[[Ben]]\"\ntopics: [a, b]\n", "attendees: Anna, [[Ben]]\ntopics: a, b", ""},
		{"a list without indentation", "attendees:\n- Anna\nroom: 4\n", "attendees: Anna\nroom: 4", ""},
		{"a long text", "summary: >\n  one\n  two\n", "summary: one two", ""},
		{"other names", "aliases: [Annie, Anna-Maria]\nalias: Nan\n", "", "Annie Anna-Maria Nan"},
		{"machinery", "publish: true\nposition: {x: 1}\nbanner:\nsaved: null\nnested: [[a]]\n", "", ""},
		{"with CRLF", "status: open\r\nroom: 4\r\n", "status: open\nroom: 4", ""},
		{"only ours", "tier: warm\ntags: [a]\nmemories:\n  - {quote: \"status: open\", pinned: true}\n", "", ""},
		{"a misspelled key that protects", "privte: true\nusr: lena\n", "", ""},
		{"broken", "status: open\nfoo: [x\n", "", ""},
		{"flow style", "{status: open}\n", "", ""},
		{"an anchor", "a: &x open\nb: *x\n", "", ""},
	}
	for _, tt := range tests {
		src := []byte("---\n" + tt.raw + "---\n")
		p := fields.FindProperties(append(src, "- body\n"...), len(src))
		if p.Text != tt.text || strings.Join(p.Aliases, " ") != tt.aliases {
			t.Errorf("%s: %q, aliases %q", tt.name, p.Text, p.Aliases)
		}
	}
	for _, head := range []string{"", "+++\nstatus = \"open\"\n+++\n", "{\"status\": \"open\"}\n", "status: open\n", "---\nstatus: open\r---\n"} {
		if p := fields.FindProperties([]byte(head), len(head)); p.Text != "" {
			t.Errorf("%q: %q", head, p.Text)
		}
	}
}

// TestRemovedPropertiesLeaveEveryOtherByte checks what destroy leaves of front matter.
func TestRemovedPropertiesLeaveEveryOtherByte(t *testing.T) {
	tests := []struct{ name, head, want string }{
		{"between keys of ours", "---\ntier: warm # mine\nstatus: open\n# note\nprivate: true\nattendees:\n  - Anna\n\nmemories:\n  - {quote: \"x\", pinned: true}\n---\n",
			"---\ntier: warm # mine\n# note\nprivate: true\n\nmemories:\n  - {quote: \"x\", pinned: true}\n---\n"},
		{"beside machinery and aliases", "---\naliases: [x]\nstatus: open\npublish: true\n---\n", "---\naliases: [x]\npublish: true\n---\n"},
		{"nothing left", "---\nstatus: open\n---\n", ""},
		{"nothing left behind a byte order mark", "\xef\xbb\xbf---\nstatus: open\n---\n", "\xef\xbb\xbf"},
		{"a comment left", "---\n# mine\nstatus: open\n---\n", "---\n# mine\n---\n"},
		{"with CRLF", "---\r\ntier: warm\r\nstatus: open\r\n---\r\n", "---\r\ntier: warm\r\n---\r\n"},
		{"none", "---\ntier: warm\n---\n", "---\ntier: warm\n---\n"},
		{"no front matter", "", ""},
	}
	for _, tt := range tests {
		if got := string(fields.WithoutProperties([]byte(tt.head))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte("---\nstatus: open\na:\n - b\n\n# c\n---\n"))
	f.Add([]byte("---\n\"a b\": |\n\n  x\n? q\n: r\n---\n"))
	f.Fuzz(func(t *testing.T, head []byte) {
		p, end := fields.FindProperties(head, len(head)), 0
		for _, l := range p.Lines {
			if l.Start < end || l.End <= l.Start || l.End > len(head) || head[l.Start-1] != '\n' || head[l.End-1] != '\n' {
				t.Fatalf("%q: lines %v", head, p.Lines)
			}
			end = l.End
		}
		if left := fields.WithoutProperties(head); len(p.Lines) > 0 && bytes.Equal(left, head) {
			t.Fatalf("%q: nothing is removed", head)
		}
	})
}
