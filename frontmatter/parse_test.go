package frontmatter_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// berlin has summer time, so that a wrong time zone shows.
var berlin = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		zone = time.FixedZone("CET", 3600)
	}
	return zone
}()

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, berlin)
}

func ptr[T any](v T) *T { return &v }

// body returns the text after the front matter.
func body(src string, m frontmatter.Parsed) string { return src[m.BodyStart:] }

func faults(m frontmatter.Parsed) (out []string) {
	for _, f := range m.Faults {
		out = append(out, fmt.Sprintf("%d: %s", f.Line, f.Message))
	}
	return out
}

func TestParseFindsTheBody(t *testing.T) {
	tests := []struct {
		name, in, body string
		format         fields.Format
	}{
		{"an empty file", "", "", ""},
		{"no front matter", "# Title\n", "# Title\n", ""},
		{"yaml", "---\ntier: hot\n---\n# Title\n", "# Title\n", "yaml"},
		{"crlf", "---\r\ntier: hot\r\n---\r\nText\r\n", "Text\r\n", "yaml"},
		{"byte order mark", "\ufeff---\ntier: hot\n---\nText\n", "Text\n", "yaml"},
		{"byte order mark alone", "\ufeffText\n", "Text\n", ""},
		{"no final newline", "---\ntier: hot\n---", "", "yaml"},
		{"blanks behind the delimiters", "--- \ntier: hot\n---\t\nText\n", "Text\n", "yaml"},
		{"closed by dots", "---\ntier: hot\n...\nText\n", "Text\n", "yaml"},
		{"dots then dashes", "---\ntier: hot\n...\nText\n---\nMore\n", "Text\n---\nMore\n", "yaml"},
		{"rules in the body", "---\ntier: hot\n---\na\n\n---\n\nb\n", "a\n\n---\n\nb\n", "yaml"},
		{"indented dashes in a block scalar", "---\nnote: |\n  a\n  ---\n  b\ntier: hot\n---\nText\n", "Text\n", "yaml"},
		{"only a comment", "---\n# mine\n---\nText\n", "Text\n", "yaml"},
		{"other programs' keys", "---\ntitle: A\n---\nText\n", "Text\n", "yaml"},
		{"blank line before our key", "---\n\ntier: hot\n\n---\nText\n", "Text\n", "yaml"},
		{"empty", "---\n---\nText\n", "Text\n", "yaml"},
		{"begins with a rule", "---\n\nSome prose.\n\n---\nMore\n", "---\n\nSome prose.\n\n---\nMore\n", ""},
		{"prose that looks like a key", "---\n\nNote: this is prose\n\n---\n", "---\n\nNote: this is prose\n\n---\n", ""},
		{"prose that is not YAML", "---\nHe said: this: that\n---\n", "---\nHe said: this: that\n---\n", ""},
		{"a list between rules", "---\n- a\n- b\n---\n", "---\n- a\n- b\n---\n", ""},
		{"a heading between rules", "---\n\n# Title\n\n---\nText\n", "---\n\n# Title\n\n---\nText\n", ""},
		{"a rule only", "---\n", "---\n", ""},
		{"a rule, then text", "---\nText\n", "---\nText\n", ""},
		{"not in the first line", "\n---\ntier: hot\n---\nText\n", "\n---\ntier: hot\n---\nText\n", ""},
		{"indented opener", " ---\ntier: hot\n---\nText\n", " ---\ntier: hot\n---\nText\n", ""},
		{"below a blank line, without our keys", "\n---\ntitle: A\n---\nText\n", "\n---\ntitle: A\n---\nText\n", ""},
		{"below text", "Text\n\n---\ntier: hot\n---\n", "Text\n\n---\ntier: hot\n---\n", ""},
		{"a rule and a long text", "---\nProse\n" + strings.Repeat("x\n", 1<<19) + "---\n", "---\nProse\n" + strings.Repeat("x\n", 1<<19) + "---\n", ""},
		{"toml", "+++\ntier = \"hot\"\n+++\nText\n", "Text\n", "toml"},
		{"JSON is text", "{\n  \"tier\": \"hot\"\n}\n\nText\n", "{\n  \"tier\": \"hot\"\n}\n\nText\n", ""},
		{"begins with a brace", "{ not json }\n\nText\n", "{ not json }\n\nText\n", ""},
		{"braces that are not json", "{\n  x\n}\n\nText\n", "{\n  x\n}\n\nText\n", ""},
		{"broken yaml", "---\ntier: [hot\n---\nText\n", "Text\n", "yaml"},
		{"broken toml", "+++\ntier = \n+++\nText\n", "Text\n", "toml"},
		{"no closing line", "---\ntier: hot\nmemories:\n  - {quote: \"x\"}\n\nText\n", "\nText\n", "yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && len(tt.in) > 1<<20 {
				t.Skip("large: takes long with the race detector")
			}
			m := frontmatter.Parse([]byte(tt.in), berlin)
			if got := body(tt.in, m); got != tt.body || m.Format != tt.format {
				t.Errorf("body %q (%q), want %q (%q)\nfaults %q", got, m.Format, tt.body, tt.format, faults(m))
			}
			if tt.format != "" && !m.Broken && strings.Contains(tt.in, "tier") && m.FileDefaults.Tier != memory.TierHot {
				t.Errorf("tier is %q, want HOT", m.FileDefaults.Tier)
			}
		})
	}
}

func TestParseReadsFileDefaults(t *testing.T) {
	const yaml = `---
title: "Unknown keys are nobody's business"
nested: {tier: cold}
tier: Warm
memory_type: PROJECT
category: decision
scope: work
importance: 0.8
importance_label: must-remember
trust: untrusted
source: https://example.org/a
created: 2026-07-01
expires: 2027-01-31 18:00
private: yes
tags: ["#deploy", staging, 42, deploy]
---
`
	want := memory.Declared{Tier: memory.TierWarm, Type: memory.TypeProject, Category: memory.CategoryDecision,
		Scope: "work", Importance: ptr(0.8), ImportanceLabel: memory.ImportanceMustRemember,
		Trust: memory.TrustUntrusted, SourceRef: "https://example.org/a",
		Created: day(2026, 7, 1), Expires: time.Date(2027, 1, 31, 18, 0, 0, 0, berlin),
		Private: ptr(true), Tags: []string{"deploy", "staging", "42"}}
	const toml = `+++
title = "x"
tier = "warm"
memory_type = "project"
category = "decision"
scope = "work"
importance = 0.8
importance_label = "must_remember"
trust = "untrusted"
source = "https://example.org/a"
created = 2026-07-01
expires = 2027-01-31T18:00:00
private = true
tags = ["deploy", "staging", 42]
[nested]
tier = "cold"
+++
`
	for name, src := range map[string]string{"yaml": yaml, "toml": toml} {
		t.Run(name, func(t *testing.T) {
			m := frontmatter.Parse([]byte(src), berlin)
			if len(m.Faults) > 0 {
				t.Errorf("faults %q", faults(m))
			}
			if !sameDeclared(m.FileDefaults, want) {
				t.Errorf("got  %+v\nwant %+v", m.FileDefaults, want)
			}
		})
	}
}

// sameDeclared compares times as instants.
func sameDeclared(a, b memory.Declared) bool {
	for _, d := range []*memory.Declared{&a, &b} {
		for _, at := range []*time.Time{&d.Since, &d.ForgottenAt, &d.Created, &d.Expires} {
			if !at.IsZero() {
				*at = at.UTC()
			}
		}
	}
	return reflect.DeepEqual(a, b)
}

func TestParseReadsEntries(t *testing.T) {
	want := []memory.Entry{
		{IDPrefix: "3f8a91c2b7d0", Quote: "Prefers tabs, over spaces", Line: 3, Declared: memory.Declared{Pinned: ptr(true)}},
		{IDPrefix: "9c01aa7e44f1", Quote: "The staging password", Line: 4,
			Declared: memory.Declared{Forgotten: ptr(true), ForgottenAt: day(2026, 11, 20)}},
		{IDPrefix: "123456789012", Quote: "42", Line: 5, Declared: memory.Declared{Tier: memory.TierWarm,
			Since: day(2026, 11, 2), SinceDay: true, Type: memory.TypeProject, Importance: ptr(1.0)}},
	}
	tests := map[string]string{
		"flow": `---
memories:   # decided
  - {id: "3f8a91c2b7d0", quote: "Prefers tabs, over spaces", pinned: true}
  - {id: "9C01AA7E-44F1", quote: 'The staging password', forgotten: 2026-11-20}
  - {since: 2026-11-02, id: 123456789012, quote: 42, tier: warm, type: project, importance: 1, note: "theirs"}
---
`,
		"block": `---
memories:
- id: 3f8a91c2b7d0
  pinned: true
  quote: Prefers tabs, over spaces
- forgotten: "2026-11-20"
  id: 9c01aa7e-44f1
  quote: >-
    The staging
    password

-
  id: 123456789012
  quote: 42
  tier: WARM
  type: project
  importance: "1"
  since: 2026-11-02
---
`,
		"one line": `---
memories: [{id: "3f8a91c2b7d0", quote: "Prefers tabs, over spaces", pinned: true}, {id: "9c01aa7e44f1", quote: "The staging password", forgotten: 2026-11-20}, {id: "123456789012", quote: "42", tier: warm, since: 2026-11-02, memory_type: project, importance: 1.0}]
---
`,
		"toml": `+++
[[memories]]
id = "3f8a91c2b7d0"
quote = "Prefers tabs, over spaces"
pinned = true
[[memories]]
id = "9c01aa7e44f1"
quote = "The staging password"
forgotten = 2026-11-20
[[memories]]
id = 123456789012
quote = 42
tier = "warm"
since = 2026-11-02
memory_type = "project"
importance = 1
+++
`,
	}
	lines := map[string][]int{"flow": {3, 4, 5}, "block": {3, 6, 13}, "one line": {2, 2, 2}, "toml": {2, 6, 10}}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			m := frontmatter.Parse([]byte(src), berlin)
			if len(m.Faults) > 0 || len(m.Entries) != len(want) {
				t.Fatalf("faults %q, entries %+v", faults(m), m.Entries)
			}
			for i, got := range m.Entries {
				if got.IDPrefix != want[i].IDPrefix || got.Quote != want[i].Quote || !sameDeclared(got.Declared, want[i].Declared) {
					t.Errorf("got  %+v\nwant %+v", got, want[i])
				}
				if got.Line != lines[name][i] {
					t.Errorf("%s is on line %d, want %d", got.IDPrefix, got.Line, lines[name][i])
				}
			}
		})
	}
}

func TestParseMergesDuplicateEntries(t *testing.T) {
	tests := []struct {
		name, lines, want string
		fault             bool
	}{
		{"equal entries", `{id: "aaaa", quote: "x", pinned: true}|{id: "aaaa", quote: "x", pinned: true}`, "pinned", false},
		{"different keys", `{id: "aaaa", quote: "x", pinned: true}|{id: "aaaa", quote: "x", forgotten: true}`, "pinned forgotten", false},
		{"remembered and forgotten", `{id: "aaaa", quote: "x", forgotten: false}|{id: "aaaa", quote: "x", forgotten: 2026-11-20}`, "forgotten", true},
		{"forgotten twice", `{id: "aaaa", quote: "x", forgotten: 2026-11-21}|{id: "aaaa", quote: "x", forgotten: 2026-11-20}`, "forgotten", false},
		{"pinned and not pinned", `{id: "aaaa", quote: "x", pinned: true}|{id: "aaaa", quote: "x", pinned: false}`, "pinned", true},
		{"the later tier", `{id: "aaaa", quote: "x", tier: cold, since: 2026-11-02}|{id: "aaaa", quote: "x", tier: hot, since: 2026-11-03}`, "HOT", true},
		{"the colder tier", `{id: "aaaa", quote: "x", tier: hot}|{id: "aaaa", quote: "x", tier: archive}`, "ARCHIVE", true},
		{"no ids", `{quote: "x", pinned: true}|{quote: "x", pinned: true}`, "pinned", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, lines := range [][]string{strings.Split(tt.lines, "|"), reversed(strings.Split(tt.lines, "|"))} {
				src := "---\nmemories:\n  - " + strings.Join(lines, "\n  - ") + "\n---\n"
				m := frontmatter.Parse([]byte(src), berlin)
				if len(m.Entries) != 1 || describe(m.Entries[0].Declared) != tt.want {
					t.Fatalf("got %+v, want one entry with %q", m.Entries, tt.want)
				}
				if (len(m.Faults) > 0) != tt.fault {
					t.Errorf("faults %q", faults(m))
				}
				if at := m.Entries[0].Declared.ForgottenAt; !at.IsZero() && !at.Equal(day(2026, 11, 20)) {
					t.Errorf("forgotten at %v", at)
				}
			}
		})
	}
}

func reversed(s []string) []string { return []string{s[1], s[0]} }

func describe(d memory.Declared) string {
	var out []string
	if d.Pinned != nil && *d.Pinned {
		out = append(out, "pinned")
	}
	if d.Forgotten != nil && *d.Forgotten {
		out = append(out, "forgotten")
	}
	if d.Tier != "" {
		out = append(out, string(d.Tier))
	}
	return strings.Join(out, " ")
}

// TestOnlyLimitsForgettingToOneMemory checks the key only in any order of keys.
// Of two entries both must have it.
func TestOnlyLimitsForgettingToOneMemory(t *testing.T) {
	tests := []struct {
		name, lines     string
		forgotten, only bool
	}{
		{"after", `{id: "9c01aa7e44f1", quote: "a b", forgotten: true, only: true}`, true, true},
		{"before", `{id: "9c01aa7e44f1", quote: "a b", only: yes, forgotten: 2026-11-20}`, true, true},
		{"without", `{id: "9c01aa7e44f1", quote: "a b", forgotten: true}`, true, false},
		{"alone", `{id: "9c01aa7e44f1", quote: "a b", only: true}`, false, true},
		{"one of two", `{id: "9c01aa7e44f1", quote: "a b", forgotten: true}` + "\n  - " +
			`{id: "9c01aa7e44f1", quote: "a b", forgotten: true, only: true}`, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := frontmatter.Parse([]byte("---\nmemories:\n  - "+tt.lines+"\n---\n- a b\n"), time.UTC)
			if len(m.Entries) != 1 {
				t.Fatalf("%+v", m)
			}
			d := m.Entries[0].Declared
			if got := d.Forgotten != nil && *d.Forgotten; got != tt.forgotten || d.Only != tt.only {
				t.Errorf("forgotten %v, only %v", got, d.Only)
			}
		})
	}
}
