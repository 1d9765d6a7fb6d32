package frontmatter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// TestLimitsOfFrontMatter has a value at each limit and one beyond it.
func TestLimitsOfFrontMatter(t *testing.T) {
	numbered := func(format string, n int) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(parts, ", ")
	}
	yaml := func(text string) string { return "---\n" + text + "\n---\n" }
	entry := func(keys string) string { return yaml("memories:\n  - {" + keys + "}") }
	tests := []struct{ name, in, fault string }{
		{"a scope of 500 bytes", yaml("scope: " + strings.Repeat("x", 500)), ""},
		{"a scope of 501 bytes", yaml("scope: " + strings.Repeat("x", 501)), "is longer than 500 bytes"},
		{"200 tags", yaml("tags: [" + numbered("t%d", 200) + "]"), ""},
		{"201 tags", yaml("tags: [" + numbered("t%d", 201) + "]"), "may have at most 200 words of at most 500 bytes"},
		{"an entry with 64 keys", entry(`quote: "x", ` + numbered("k%d: 1", 63)), ""},
		{"an entry with 65 keys", entry(`quote: "x", ` + numbered("k%d: 1", 64)), "entry ignored"},
		{"an id of 4 digits", entry(`id: "3f8a", quote: "x"`), ""},
		{"an id of 3 digits", entry(`id: "3f8", quote: "x"`), `"3f8" is not a memory id (4 to 32 hexadecimal digits)`},
		{"a value of 40 characters in a fault", yaml("expires: " + strings.Repeat("x", 40)), `"` + strings.Repeat("x", 40) + `" is not a date`},
		{"a value of 41 characters in a fault", yaml("expires: " + strings.Repeat("x", 41)), `"` + strings.Repeat("x", 40) + `…" is not a date`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := frontmatter.Parse([]byte(tt.in), nil)
			switch {
			case m.Format == "":
				t.Error("no front matter")
			case tt.fault == "" && len(m.Faults) > 0:
				t.Errorf("faults %q, want none", faults(m))
			case tt.fault != "" && (len(m.Faults) != 1 || !strings.Contains(m.Faults[0].Message, tt.fault)):
				t.Errorf("faults %q, want one with %q", faults(m), tt.fault)
			}
		})
	}
}

func TestSetDoesNotTrustAnIDThatAPersonShortened(t *testing.T) {
	const short = "  - {id: \"3f8a91\", quote: \"Prefers spaces\", pinned: true}\n"
	got, err := frontmatter.Set([]byte("---\nmemories:\n"+short+"---\n"), nil,
		[]frontmatter.Change{{ID: tabs, Quote: "Prefers tabs", Declared: memory.Declared{Private: ptr(true)}}})
	want := "---\nmemories:\n" + short + "  - {id: \"3f8a91c2b7d0\", quote: \"Prefers tabs\", private: true}\n---\n"
	if err != nil || string(got) != want {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
}
