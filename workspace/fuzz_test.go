package workspace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/workspace"
)

// FuzzIgnore: what is in an ignored folder is ignored. The kind of line ends and comments do
// not matter. A later line decides, and a fault names a line.
func FuzzIgnore(f *testing.F) {
	for _, seed := range []string{"private/\n*.tmp\n", "a/**\n!a/b", "\ufeff# mine\r\n/top\r\n", "[bad", "**/x/", `\#a`, "a\\ \nb  ", "!", "/", "**", "memory/**/*", "!/", "[!a]", "a//b"} {
		f.Add(seed, "private/a/b.md")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		parent, _, _ := strings.Cut(name, "/")
		got, faults := workspace.Ignored(text, false, name)
		if folder, _ := workspace.Ignored(text, true, parent); parent != name && folder[0] && !got[0] {
			t.Fatalf("%q ignores the folder %q and not %q", text, parent, name)
		}
		for _, fault := range faults {
			if fault.Line < 1 || fault.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: fault %+v", text, fault)
			}
		}
		same := []string{"# a comment\n\n" + strings.TrimPrefix(text, "\ufeff"), text + "\n\n# a comment"}
		if !strings.Contains(text, "\r") {
			same = append(same, strings.ReplaceAll(text, "\n", "\r\n"))
		}
		for _, other := range same {
			if again, _ := workspace.Ignored(other, false, name); !slices.Equal(again, got) {
				t.Fatalf("%q ignores %q: %v, and %q: %v", text, name, got, other, again)
			}
		}
		if all, _ := workspace.Ignored(text+"\n**", false, name); !all[0] {
			t.Fatalf("%q and then ** does not ignore %q", text, name)
		}
	})
}
