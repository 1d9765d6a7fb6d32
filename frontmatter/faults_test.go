package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/frontmatter"
)

// TestFaultHasItsLineAndTheRestIsRead checks that a fault does not stop parsing.
func TestFaultHasItsLineAndTheRestIsRead(t *testing.T) {
	tests := []struct {
		name, in string
		line     int
		message  string
		broken   bool
	}{
		{"unknown tier", "---\ntitle: x\ntier: gold\nscope: work\n---\n", 3, "tier: unknown tier", false},
		{"importance out of range", "---\nscope: work\nimportance: 11\n---\n", 3, `importance: "11" is not a number from 0 to 1`, false},
		{"not a date", "---\nscope: work\nexpires: soon\n---\n", 3, `expires: "soon" is not a date`, false},
		{"a date that does not exist", "---\nscope: work\ncreated: 2026-02-30\n---\n", 3, "is not a date", false},
		{"list instead of a word", "---\nscope: work\ntier: [hot]\n---\n", 3, "tier: must be a single value", false},
		{"a repeated key", "---\nscope: work\nscope: home\n---\n", 3, "scope occurs twice", false},
		{"entries that are text", "---\nscope: work\nmemories: all\n---\n", 3, "memories must be a list", false},
		{"an entry that is text", "---\nscope: work\nmemories:\n  - {quote: x}\n  - all\n---\n", 5, "entry ignored", false},
		{"an entry without id and quote", "---\nscope: work\nmemories:\n  - {pinned: true}\n---\n", 4, "neither an id nor a quote", false},
		{"an id without a quote", "---\nscope: work\nmemories:\n  - {id: \"3f8a91c2b7d0\", pinned: true}\n---\n", 4, "has no quote", false},
		{"an invalid id", "---\nscope: work\nmemories:\n  - {id: \"xyz\", quote: \"x\", pinned: true}\n---\n", 4, `"xyz" is not a memory id`, false},
		{"comma in a bare quote", "---\nscope: work\nmemories:\n  - {quote: tabs, not spaces, pinned: true}\n---\n", 4, "between quotation marks", false},
		{"several documents", "---\nscope: work\n--- # two\nscope: home\n---\n", 2, "several YAML documents", false},
		{"a tab", "---\nscope: work\n\ttier: hot\n---\n", 3, "tab", true},
		{"unclosed bracket", "---\nscope: work\ntier: [hot\ntitle: x\n---\n", 3, "did not find expected", true},
		{"unclosed quote", "---\nscope: work\ntitle: \"x\n---\n", 3, "end of stream", true},
		{"bad nesting", "---\nscope: work\n title: x: y\n---\n", 3, "mapping values", true},
		{"unknown anchor", "---\nscope: work\ntitle: *x\n---\n", 3, "unknown anchor", true},
		{"NUL", "---\nscope: work\ntitle: a\x00b\n---\n", 3, "control characters", true},
		{"invalid UTF-8", "---\nscope: work\ntitle: a\xffb\n---\n", 3, "UTF-8", true},
		{"nested too deeply", "---\nscope: " + strings.Repeat("[", 20000) + "\n---\n", 2, "depth", true},
		{"too large", "---\nscope: work\ntitle: " + strings.Repeat("x", 3<<20) + "\n---\n", 2, "larger than 2 MiB", true},
		{"no closing line", "---\nscope: work\n\n---x\n", 1, "no closing line", true},
		{"broken toml", "+++\nscope = \"work\"\ntier = \n+++\n", 3, "not valid TOML", true},
		{"unknown tier in toml", "+++\nscope = \"work\"\ntier = \"gold\"\n+++\n", 3, "unknown tier", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && len(tt.in) > 1<<20 {
				t.Skip("large: takes long with the race detector")
			}
			m := frontmatter.Parse([]byte(tt.in+"Body\n"), berlin)
			if len(m.Faults) != 1 || m.Faults[0].Line != tt.line || !strings.Contains(m.Faults[0].Message, tt.message) {
				t.Fatalf("faults %q, want one on line %d with %q", faults(m), tt.line, tt.message)
			}
			if m.Broken != tt.broken || m.Broken && m.ReadOnlyReason == "" {
				t.Errorf("broken is %v (%q), want %v", m.Broken, m.ReadOnlyReason, tt.broken)
			}
			if !m.Broken && m.FileDefaults.Scope != "work" {
				t.Errorf("scope is %q: the rest was not read", m.FileDefaults.Scope)
			}
			if rest := body(tt.in+"Body\n", m); !strings.HasSuffix(rest, "Body\n") || strings.Contains(rest, "scope") {
				t.Errorf("the body is %q", rest)
			}
		})
	}
}

func TestParseReportsAtMost50Faults(t *testing.T) {
	src := "---\nscope: work\nmemories:\n" + strings.Repeat("  - {}\n", 1000) + "---\n" +
		"<<<<<<< HEAD\n=======\n>>>>>>> other\n"
	m := frontmatter.Parse([]byte(src), nil)
	if n := len(m.Faults); n != 52 || !strings.Contains(m.Faults[50].Message, "and 950 more") || m.Faults[51].Line != 1005 {
		t.Errorf("%d faults, the last %q", n, faults(m)[n-2:])
	}
}

func TestParseIgnoresValuesOfOtherPrograms(t *testing.T) {
	m := frontmatter.Parse([]byte("---\ntype: post\ncategory: Blog\npinned: maybe\nlayout:\n\ntier:\n---\n"), nil)
	if len(m.Faults) > 0 {
		t.Errorf("faults %q", faults(m))
	}
}

// TestInvalidForgottenEntryStillHidesTheMemory checks that no mistake in the file shows a forgotten memory.
func TestInvalidForgottenEntryStillHidesTheMemory(t *testing.T) {
	tests := []struct{ name, in string }{
		{"unreadable date", "---\nmemories:\n  - {quote: \"x\", forgotten: 2026-13-45}\n---\n"},
		{"unreadable word", "---\nmemories:\n  - {quote: \"x\", forgotten: jes}\n---\n"},
		{"a list", "---\nmemories:\n  - {quote: \"x\", forgotten: [1]}\n---\n"},
		{"a repeated key", "---\nmemories:\n  - {quote: \"x\", forgotten: true, forgotten: false}\n---\n"},
		{"two lists", "---\nmemories:\n  - {quote: \"y\"}\nmemories:\n  - {quote: \"x\", forgotten: true}\n---\n"},
		{"invalid after the entry", "---\nmemories:\n  - {quote: \"x\", forgotten: true}\ntitle: [\n---\n"},
		{"invalid before the entry", "---\ntitle: a: b\nmemories:\n  - {quote: \"x\", forgotten: true} # why\r\n---\n"},
		{"no closing line", "---\nmemories:\n  - {quote: \"x\", forgotten: true}\n\nText\n"},
		{"in a conflict", "---\nmemories:\n<<<<<<< HEAD\n  - {quote: \"x\", forgotten: true}\n=======\n  - {quote: \"y\"}\n>>>>>>> b\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := frontmatter.Parse([]byte(tt.in), nil)
			forgotten := false
			for _, e := range m.Entries {
				forgotten = forgotten || e.Quote == "x" && e.Declared.Forgotten != nil && *e.Declared.Forgotten
			}
			if !forgotten {
				t.Errorf("not forgotten: %+v, faults %q", m.Entries, faults(m))
			}
			if len(m.Faults) == 0 {
				t.Error("no fault reports the mistake")
			}
		})
	}
	if m := frontmatter.Parse([]byte("---\nprivate: jes\n---\n"), nil); m.FileDefaults.Private == nil || !*m.FileDefaults.Private || len(m.Faults) != 1 {
		t.Errorf("private is %v, faults %q", m.FileDefaults.Private, faults(m))
	}
}

func TestParseFindsConflictMarkers(t *testing.T) {
	const marks = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
	tests := []struct {
		name, in string
		line     int // 0: none
	}{
		{"in the body", "---\ntier: hot\n---\n\n" + marks, 5},
		{"in the front matter", "---\ntier: hot\n" + marks + "---\nText\n", 3},
		{"windows", strings.ReplaceAll(marks, "\n", "\r\n"), 1},
		{"three-way", "<<<<<<< HEAD\na\n||||||| base\nc\n=======\nb\n>>>>>>> other\n", 1},
		{"a conflict around code", "<<<<<<< HEAD\n```\na\n=======\n```\nb\n>>>>>>> other\n```\n", 1},
		{"an example in a fenced block", "Text\n\n```\n" + marks + "```\n", 0},
		{"a heading's underline", "Title\n=======\n", 0},
		{"wrong order", ">>>>>>> other\n=======\n<<<<<<< HEAD\n", 0},
		{"not at the margin", " <<<<<<< HEAD\n =======\n >>>>>>> other\n", 0},
		{"markers that are too long", "<<<<<<<< HEAD\n========\n>>>>>>>> other\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := frontmatter.Parse([]byte(tt.in), nil)
			if m.HasConflict != (tt.line > 0) || m.HasConflict && m.ReadOnlyReason == "" {
				t.Fatalf("conflict is %v (%q)", m.HasConflict, m.ReadOnlyReason)
			}
			if tt.line > 0 && (len(m.Faults) != 1 || m.Faults[0].Line != tt.line) {
				t.Errorf("faults %q, want one on line %d", faults(m), tt.line)
			}
		})
	}
}

func TestParseDecisionsReadsEntriesWithPaths(t *testing.T) {
	m := frontmatter.ParseDecisions([]byte(`# kept by memory
memories:
  - {path: "memory/a.md", id: "3f8a91c2b7d0", quote: "Prefers tabs", pinned: true}
  - {path: "MEMORY.md", id: "9c01aa7e44f1", quote: "The staging", forgotten: 2026-11-20}
tier: hot
`), berlin)
	if len(m.Faults) > 0 || len(m.Entries) != 2 || m.Broken || m.ReadOnlyReason != "" {
		t.Fatalf("got %+v", m)
	}
	e := m.Entries[1]
	if e.Path != "MEMORY.md" || e.Line != 4 || !e.Declared.ForgottenAt.Equal(day(2026, 11, 20)) {
		t.Errorf("got %+v", e)
	}
	for _, src := range []string{"", "\n", "memories:\n", "memories: []\n", "# nothing yet\n", "\ufeff---\nmemories:\n"} {
		if m := frontmatter.ParseDecisions([]byte(src), nil); len(m.Faults) > 0 || len(m.Entries) > 0 || m.Broken {
			t.Errorf("%q: got %+v", src, m)
		}
	}
	for _, src := range []string{"- a\n", "text\n", "memories: [\n"} {
		if m := frontmatter.ParseDecisions([]byte(src), nil); len(m.Faults) != 1 || !m.Broken {
			t.Errorf("%q: got %+v, want it broken", src, m)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range sampleFiles() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m := frontmatter.Parse(src, berlin)
		if m.BodyStart < 0 || m.BodyStart > len(src) {
			t.Fatalf("the body begins at %d of %d", m.BodyStart, len(src))
		}
		lines := strings.Count(string(src), "\n") + 1
		for _, fault := range m.Faults {
			if fault.Line < 0 || fault.Line > lines {
				t.Fatalf("fault %+v in a file of %d lines", fault, lines)
			}
		}
		if m.Broken && m.ReadOnlyReason == "" {
			t.Fatal("front matter is broken and not read-only")
		}
		checkRedacted(t, src, m)
		frontmatter.ParseDecisions(src, berlin)
	})
}

func checkRedacted(t *testing.T, src []byte, m frontmatter.Parsed) {
	t.Helper()
	visible := frontmatter.Redact(src, m, []frontmatter.Span{{Start: m.BodyStart, End: len(src)}})
	left := frontmatter.Parse(visible, berlin)
	if len(left.Entries) > 0 {
		t.Fatalf("%q: the redacted file has entries: %q", src, visible)
	}
	if len(visible) > len(src) {
		t.Fatalf("%q: the redacted file is longer: %q", src, visible)
	}
}
