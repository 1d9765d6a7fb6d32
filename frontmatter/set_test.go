package frontmatter_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

const (
	staging = memory.ID("9c01aa7e-44f1-8000-8000-000000000000")
	tabs    = memory.ID("3f8a91c2-b7d0-8000-8000-000000000000")
	fridays = memory.ID("b2d81c0e-9a37-8000-8000-000000000000")
	other   = memory.ID("aa01aa7e-44f1-8000-8000-000000000000")
)

var (
	pin    = memory.Declared{Pinned: ptr(true)}
	forget = memory.Declared{Forgotten: ptr(true), ForgottenAt: day(2026, 11, 20)}
	warm   = memory.Declared{Tier: memory.TierWarm, Since: day(2026, 11, 2), SinceDay: true}
)

func TestSetWritesEntries(t *testing.T) {
	const (
		password      = "  - {id: \"9c01aa7e44f1\", quote: \"The staging password rotates on\", forgotten: 2026-11-20}\n"
		passwordQuote = "The staging password rotates on"
	)
	tests := []struct {
		name, in string
		changes  []frontmatter.Change
		want     string
	}{
		{"the first entry", "# T\n", []frontmatter.Change{{ID: tabs, Quote: "Prefers tabs over spaces in Go", Declared: pin}},
			"---\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"Prefers tabs over spaces in Go\", pinned: true}\n---\n# T\n"},
		{"several entries, ordered by id", "---\ntier: warm\nmemories: # d\n" + password + "---\nText\n",
			[]frontmatter.Change{{ID: fridays, Quote: "Deploys", Declared: warm}, {ID: tabs, Quote: "Prefers", Declared: pin}},
			"---\ntier: warm\nmemories: # d\n  - {id: \"3f8a91c2b7d0\", quote: \"Prefers\", pinned: true}\n" + password +
				"  - {id: \"b2d81c0e9a37\", quote: \"Deploys\", tier: warm, since: 2026-11-02}\n---\nText\n"},
		{"every key", "", []frontmatter.Change{{ID: tabs, Quote: `a "b" \ c: #d`, Declared: memory.Declared{
			Tier: memory.TierArchive, Since: time.Date(2026, 11, 2, 9, 30, 0, 5, berlin), Type: memory.TypeProject,
			Category: memory.CategoryRisk, Scope: "a, b", Importance: ptr(0.25), ImportanceLabel: memory.ImportanceIgnore,
			Trust: memory.TrustUntrusted, Source: memory.SourceTool, SourceRef: "https://x/y", Created: day(2026, 1, 2),
			Expires: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC), Tags: []string{"x", "y z"}, Pinned: ptr(false),
			Forgotten: ptr(true), Private: ptr(true)}}},
			"---\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"a \\\"b\\\" \\\\ c: #d\", private: true, source: tool, trust: untrusted, pinned: false, forgotten: true, " +
				"tier: archive, since: 2026-11-02T08:30:00Z, category: risk, memory_type: project, importance: 0.25, importance_label: ignore, " +
				"source_ref: \"https://x/y\", scope: \"a, b\", created: 2026-01-02, expires: 2027-01-02T03:04:05Z, tags: [\"x\", \"y z\"]}\n---\n"},
		{"one key more", "---\nmemories:\n" + password + "---\n",
			[]frontmatter.Change{{ID: staging, Declared: memory.Declared{Forgotten: ptr(true), ForgottenAt: day(2026, 11, 20), Pinned: ptr(true)}}},
			"---\nmemories:\n" + strings.Replace(password, "forgotten", "pinned: true, forgotten", 1) + "---\n"},
		{"another quote", "---\nmemories:\n" + password + "---\n",
			[]frontmatter.Change{{ID: staging, Quote: "The production password", Declared: forget}},
			"---\nmemories:\n" + strings.Replace(password, passwordQuote, "The production password", 1) + "---\n"},
		{"the last entry removed", "---\nmemories:\n" + password + "---\nText", []frontmatter.Change{{ID: staging}}, "Text"},
		{"the last entry removed, a comment left", "---\n# mine\nmemories:\n" + password + "---\nText", []frontmatter.Change{{ID: staging}}, "---\n# mine\n---\nText"},
		{"a comment on the list's line stays", "---\nmemories: # d\n" + password + "---\nText", []frontmatter.Change{{ID: staging}}, "---\nmemories: # d\n---\nText"},
		{"text that would become front matter", "---\nmemories:\n" + password + "---\n---\ntier: hot\n---\nText",
			[]frontmatter.Change{{ID: staging}}, "---\nmemories: []\n---\n---\ntier: hot\n---\nText"},
		{"a key of another program in the entry", "---\nmemories:\n  - { id: \"9c01aa7e44f1\", why: 'it''s, {odd}', quote: \"x\", pinned: true } # c }\n---\n",
			[]frontmatter.Change{{ID: staging}},
			"---\nmemories:\n  - {id: \"9c01aa7e44f1\", why: 'it''s, {odd}', quote: \"x\"} # c }\n---\n"},
		{"an entry removed with other programs' keys", "---\nmemories:\n  - {id: \"9c01aa7e44f1\", why: \"mine\", quote: \"x\", pinned: true}\n" +
			"  - {id: \"aa01aa7e44f1\", quote: \"y\"}\n---\n", []frontmatter.Change{{ID: staging, Remove: true}},
			"---\nmemories:\n  - {id: \"aa01aa7e44f1\", quote: \"y\"}\n---\n"},
		{"duplicate entries", "---\nmemories:\n" + password + "  # c\n" + password + "---\n", []frontmatter.Change{{ID: staging, Declared: pin}},
			"---\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"" + passwordQuote + "\", pinned: true}\n  # c\n---\n"},
		{"an entry without an id, found by its quote", "---\nmemories:\n  - {quote: \"x\", pinned: true}\n---\n",
			[]frontmatter.Change{{ID: staging, Quote: "x y", Previous: &memory.Entry{Quote: "x"}, Declared: forget}},
			"---\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"x y\", forgotten: 2026-11-20}\n---\n"},
		{"the file's line end", "---\r\ntier: hot\r\n---\r\nText\n", []frontmatter.Change{{ID: tabs, Quote: "x", Declared: pin}},
			"---\r\ntier: hot\r\nmemories:\r\n  - {id: \"3f8a91c2b7d0\", quote: \"x\", pinned: true}\r\n---\r\nText\n"},
		{"byte order mark", "\ufeffText", []frontmatter.Change{{ID: tabs, Quote: "x", Declared: pin}},
			"\ufeff---\nmemories:\n  - {id: \"3f8a91c2b7d0\", quote: \"x\", pinned: true}\n---\nText"},
		{"the list's indentation", "---\nmemories:\n- {id: \"aa01aa7e44f1\", quote: \"y\"}\n---\n", []frontmatter.Change{{ID: tabs, Quote: "x", Declared: pin}},
			"---\nmemories:\n- {id: \"3f8a91c2b7d0\", quote: \"x\", pinned: true}\n- {id: \"aa01aa7e44f1\", quote: \"y\"}\n---\n"},
		{"an empty list", "---\nmemories: [] # d\na: 1\n---\n", []frontmatter.Change{{ID: tabs, Quote: "x", Declared: pin}},
			"---\nmemories: # d\n  - {id: \"3f8a91c2b7d0\", quote: \"x\", pinned: true}\na: 1\n---\n"},
		{"a list between brackets", "---\nmemories: [{id: \"9c01aa7e44f1\", quote: \"x\", pinned: true},\n   {id: \"aa01aa7e44f1\", quote: 'y, z'}] # d\na: 1\n---\n",
			[]frontmatter.Change{{ID: staging, Declared: forget}},
			"---\nmemories: # d\n  - {id: \"9c01aa7e44f1\", quote: \"x\", forgotten: 2026-11-20}\n  - {id: \"aa01aa7e44f1\", quote: 'y, z'}\na: 1\n---\n"},
		{"an entry over several lines", "---\nmemories:\n  - {\n      id: \"9c01aa7e44f1\",\n      quote: \"x\n        y\",\n      pinned: true,\n    }\n---\n",
			[]frontmatter.Change{{ID: staging, Declared: forget}},
			"---\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"x y\", forgotten: 2026-11-20}\n---\n"},
		{"block style", "---\nmemories:\n- forgotten: 2026-11-20\n  id: 9c01aa7e44f1\n  why: [a, 'b: c']\n  quote: >-\n    x,\n    y\n\n---\n",
			[]frontmatter.Change{{ID: staging, Declared: memory.Declared{Tier: memory.TierCold, Forgotten: ptr(true)}}},
			"---\nmemories:\n- {forgotten: true, id: 9c01aa7e44f1, why: [a, 'b: c'], quote: \"x, y\", tier: cold}\n\n---\n"},
		{"block style, the dash on its own line", "---\nmemories:\n  -\n    pinned: true\n    id: 9c01aa7e44f1\n    quote: x\n---\n",
			[]frontmatter.Change{{ID: staging, Declared: forget}},
			"---\nmemories:\n  - {id: 9c01aa7e44f1, quote: x, forgotten: 2026-11-20}\n---\n"},
		{"block style, an entry removed", "---\nmemories:\n- id: 9c01aa7e44f1\n  pinned: true\n  quote: x\n- id: aa01aa7e44f1\n  quote: y\n---\n",
			[]frontmatter.Change{{ID: staging}}, "---\nmemories:\n- id: aa01aa7e44f1\n  quote: y\n---\n"},
		{"no change", "---\nmemories: [{id: '9c01aa7e44f1', quote: x, forgotten: 2026-11-20T00:00+01:00}]\n---\n",
			[]frontmatter.Change{{ID: staging, Quote: "x", Declared: forget}, {ID: tabs}},
			"---\nmemories: [{id: '9c01aa7e44f1', quote: x, forgotten: 2026-11-20T00:00+01:00}]\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := frontmatter.Set([]byte(tt.in), berlin, tt.changes)
			if err != nil || string(got) != tt.want {
				t.Fatalf("got  %q, %v\nwant %q", got, err, tt.want)
			}
			again, err := frontmatter.Set(got, berlin, withoutPrevious(tt.changes))
			if err != nil || string(again) != tt.want {
				t.Errorf("applied again: %q, %v", again, err)
			}
		})
	}
}

// withoutPrevious returns the changes without Previous, as the entries have ids
// now.
func withoutPrevious(changes []frontmatter.Change) (out []frontmatter.Change) {
	for _, c := range changes {
		c.Previous = nil
		out = append(out, c)
	}
	return out
}

func TestSetRefusesUnsafeFrontMatter(t *testing.T) {
	tests := []struct{ name, message string }{
		{"toml", "is TOML"},
		{"dots", "closed by ..."},
		{"broken", "is broken"},
		{"no closing line", "is broken"},
		{"tabs", "is broken"},
		{"between braces", "between braces"},
		{"several documents", "several YAML documents"},
		{"list twice", "two lists"},
		{"anchored list", "anchors"},
		{"anchored entry", "anchors"},
		{"alias in an entry", "anchors"},
		{"aliases in aliases", "anchors"},
		{"tagged", "tags"},
		{"no list", "not a list"},
		{"conflict", "conflict markers"},
		{"conflict below", "conflict markers"},
		{"strange breaks", "line breaks"},
		{"lone returns", "line breaks"},
		{"explicit keys", "unusual YAML form"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := sampleFiles()[tt.name]
			got, err := frontmatter.Set([]byte(src), nil, []frontmatter.Change{{ID: tabs, Quote: "x", Declared: pin}})
			if got != nil || !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), tt.message) {
				t.Fatalf("got %q, %v; want a conflict with %q", got, err, tt.message)
			}
			var e *memory.Error
			if !errors.As(err, &e) || e.Hint == "" {
				t.Errorf("no hint: %v", err)
			}
			if m := frontmatter.Parse([]byte(src), nil); !strings.Contains(m.ReadOnlyReason, tt.message) {
				t.Errorf("Unwritable is %q", m.ReadOnlyReason)
			}
		})
	}
}

func TestSetRefusesInvalidChanges(t *testing.T) {
	tests := []struct {
		name    string
		changes []frontmatter.Change
		want    error
	}{
		{"no id", []frontmatter.Change{{Quote: "x", Declared: pin}}, memory.ErrInvalid},
		{"half an id", []frontmatter.Change{{ID: "3f8a91c2", Quote: "x", Declared: pin}}, memory.ErrInvalid},
		{"two changes of one memory", []frontmatter.Change{{ID: tabs, Quote: "x", Declared: pin}, {ID: tabs}}, memory.ErrInvalid},
		{"no quote", []frontmatter.Change{{ID: tabs, Declared: pin}}, memory.ErrInvalid},
		{"a comment inside the entry", []frontmatter.Change{{ID: staging, Declared: pin}}, memory.ErrConflict},
	}
	const src = "---\nmemories:\n  - {id: \"9c01aa7e44f1\", # why\n     quote: \"x\"}\n---\n"
	if _, err := frontmatter.Set([]byte("---\nmemories:\n- id: 9c01aa7e44f1\n  # why\n  quote: x\n---\n"), nil, tests[4].changes); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a comment between the keys: %v", err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := frontmatter.Set([]byte(src), nil, tt.changes); got != nil || !errors.Is(err, tt.want) {
				t.Errorf("got %q, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestSetDecisionsWritesEntriesWithPaths(t *testing.T) {
	const first = "memories:\n  - {id: \"9c01aa7e44f1\", path: \"MEMORY.md\", quote: \"The staging\", forgotten: 2026-11-20}\n"
	src, err := frontmatter.SetDecisions(nil, berlin, []frontmatter.Change{{ID: staging, Path: "MEMORY.md", Quote: "The staging", Declared: forget}})
	if err != nil || string(src) != first {
		t.Fatalf("got %q, %v", src, err)
	}
	moved, err := frontmatter.SetDecisions([]byte("# kept\n"+strings.TrimSpace(first)), berlin, []frontmatter.Change{
		{ID: staging, Path: "memory/a.md", Declared: forget}, {ID: tabs, Path: "b.md", Quote: "x", Declared: pin}})
	want := "# kept\nmemories:\n  - {id: \"3f8a91c2b7d0\", path: \"b.md\", quote: \"x\", pinned: true}\n" +
		"  - {id: \"9c01aa7e44f1\", path: \"memory/a.md\", quote: \"The staging\", forgotten: 2026-11-20}"
	if err != nil || string(moved) != want {
		t.Fatalf("got  %q, %v\nwant %q", moved, err, want)
	}
	none, err := frontmatter.SetDecisions(src, berlin, []frontmatter.Change{{ID: staging}})
	if err != nil || string(none) != "memories: []\n" || frontmatter.ParseDecisions(none, berlin).NoList {
		t.Errorf("got %q, %v", none, err)
	}
}

func TestSetWritesOnly(t *testing.T) {
	yes := true
	out, err := frontmatter.Set([]byte("- a b\n"), time.UTC, []frontmatter.Change{{ID: memory.NewID(memory.Fingerprint{1}, 0), Quote: "a b",
		Declared: memory.Declared{Forgotten: &yes, Only: true}}})
	if err != nil || !strings.Contains(string(out), `quote: "a b", forgotten: true, only: true}`) {
		t.Errorf("%s, %v", out, err)
	}
}

func TestHeadsOfOtherFormatsAreNotWritten(t *testing.T) {
	for _, src := range []string{"{\n\"title\": \"a\"\n}\n\nBody\n", ";;;\n\"title\": \"a\"\n;;;\nBody\n", "---json\n{\"title\": \"a\"}\n---\nBody\n"} {
		if after, err := frontmatter.Set([]byte(src), nil, []frontmatter.Change{{ID: tabs, Quote: "Body", Declared: pin}}); err == nil {
			t.Errorf("%q became %q", src, after)
		}
	}
}
