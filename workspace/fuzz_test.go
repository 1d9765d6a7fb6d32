package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// FuzzObsidianNotes: with any settings, the notes of different days have different names in
// the workspace, whose days are found again.
func FuzzObsidianNotes(f *testing.F) {
	for _, seed := range [][2]string{{"", `{"folder":"daily","format":"YYYY/MM/YYYY-MM-DD"}`}, {`{"daily":{"enabled":true,"folder":"d","format":"[Note] DDDD YY"}}`, ""},
		{`{"daily":{"enabled":false}}`, `{}`}, {"", `{"folder":"../x"}`}, {"", `{"format":"dddd"}`}, {"", `{"format":"[a"}`}, {"", `{"format":"YYYY.MM.DD"}`},
		{"", `{"folder":".hidden"}`}, {"[]", "null"}, {"", `{"format":"D M YYYY","folder":"/"}`}, {`{"daily":7}`, `{"folder":7}`}, {"", `{"format":"YYYYMMDD[Z07]"}`}, {"", `{"format":"YYYY-DDDD MMMM"}`}} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	dir := f.TempDir()
	plugin, core := filepath.Join(dir, ".obsidian/plugins/periodic-notes/data.json"), filepath.Join(dir, ".obsidian/daily-notes.json")
	if err := os.MkdirAll(filepath.Dir(plugin), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, pluginSettings, coreSettings []byte) {
		for file, settings := range map[string][]byte{plugin: pluginSettings, core: coreSettings} {
			if err := os.WriteFile(file, settings, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		format, err := workspace.ObsidianNotes(dir)
		if err != nil || format == nil {
			return
		}
		w := open(t, t.TempDir(), workspace.Options{Notes: format, Globs: []workspace.Glob{{Pattern: "**/*.md"}}})
		for n := range 40 {
			day := time.Date(2024, 2, 20, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 37*n)
			name := w.DailyNote(day) + ".md"
			if found, ok := format.DateOf(name, time.UTC); !ok || !found.Equal(day) || !filepath.IsLocal(name) {
				t.Fatalf("%s and %s: the note of %s is %q, whose day is %s", pluginSettings, coreSettings, day, name, found)
			}
		}
	})
}
