package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/workspace"
)

func TestNoteFormatNamesTheNoteOfADay(t *testing.T) {
	day := time.Date(2026, 3, 7, 22, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ folder, format, want string }{
		{"", "", "2026-03-07"},
		{"Journal", "", "Journal/2026-03-07"},
		{"/My days/", "DD.MM.YYYY", "My days/07.03.2026"},
		{"Journal", "YYYY/MM-MMMM/YYYY-MM-DD dddd", "Journal/2026/03-March/2026-03-07 Saturday"},
		{"Tagebuch Größe", "[Tag] D-M-YY (ddd)", "Tagebuch Größe/Tag 7-3-26 (Sat)"},
		{"日記", "YYYY年MM月DD日", "日記/2026年03月07日"},
		{"", "MMM D, YYYY", "Mar 7, 2026"},
		{"", "YYYY-DDDD", "2026-066"},
	} {
		f, err := workspace.ParseNoteFormat(tt.folder, tt.format)
		if err != nil {
			t.Errorf("%s, %s: %v", tt.folder, tt.format, err)
			continue
		}
		w, err := workspace.Open(t.TempDir(), workspace.Options{Globs: []workspace.Glob{{Pattern: "**/*.md"}}, Notes: f})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.DailyNote(day); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.folder, tt.format, got, tt.want)
		}
		for _, suffix := range []string{".md", "-2.md"} {
			if at, ok := f.DateOf(tt.want+suffix, time.UTC); !ok || at.Format(time.DateOnly) != "2026-03-07" {
				t.Errorf("%s%s has the day %v, %v", tt.want, suffix, at, ok)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Reading a name gives the day that was written, in every format.
func TestNoteFormatReadsWhatItWrites(t *testing.T) {
	zone := time.FixedZone("", 9*3600)
	property.Check(t, func(t *rapid.T) {
		parts := append(rapid.SliceOfN(rapid.SampledFrom([]string{"dddd", "ddd", "[day]", "é", "YYYY"}), 0, 3).Draw(t, "more"),
			"YYYY", rapid.SampledFrom([]string{"MM", "M", "MMM", "MMMM"}).Draw(t, "month"), rapid.SampledFrom([]string{"DD", "D"}).Draw(t, "day of month"))
		between := rapid.SampledFrom([]string{"-", " ", "_", "/", "."}).Draw(t, "between")
		f, err := workspace.ParseNoteFormat(rapid.SampledFrom([]string{"", "Journal", "a/b"}).Draw(t, "folder"), strings.Join(rapid.Permutation(parts).Draw(t, "parts"), between))
		if err != nil {
			t.Fatal(err)
		}
		day := time.Date(rapid.IntRange(1970, 2099).Draw(t, "year"), 1, rapid.IntRange(1, 366).Draw(t, "day"), 0, 0, 0, 0, zone)
		w, err := workspace.Open(os.TempDir(), workspace.Options{Globs: []workspace.Glob{{Pattern: "**/*.md"}}, Notes: f})
		if err != nil {
			t.Fatal(err)
		}
		name := w.DailyNote(day)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if at, ok := f.DateOf(name+".md", zone); !ok || !at.Equal(day) {
			t.Fatalf("%s has the day %v, %v, want %v", name, at, ok, day)
		}
	})
}

func TestNoteFormatThatCannotBeUsedIsRefused(t *testing.T) {
	for _, tt := range []struct{ folder, format, want string }{
		{"", "YYYY-MM-Do", `the token "o"`}, {"", "YYYY-MM", "does not name one day"}, {"", "GGGG-[W]WW", `the token "GGGG"`}, {"", "[15] YYYY-MM-DD", "part of the date"},
		{"", "YYYY-MM-DD HH", `the token "HH"`}, {"", "[YYYY", "bracket"}, {"", "dddd", "does not name one day"},
		{".journal", "", "hidden folder"}, {"../out", "", "outside"}, {"", "../YYYY-MM-DD", "outside"}, {"", "YYYYY-MM-DD", "YYYYY"},
	} {
		if _, err := workspace.ParseNoteFormat(tt.folder, tt.format); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: %v, want %q", tt.folder, tt.format, err, tt.want)
		}
	}
}

func TestDailyNotesAreFoundInTheSettingsOfObsidian(t *testing.T) {
	day := time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC)
	const core, plugin = ".obsidian/daily-notes.json", ".obsidian/plugins/periodic-notes/data.json"
	for name, tt := range map[string]struct {
		files       map[string]string
		want, error string
	}{
		"none":                   {nil, "memory/2026-03-07", ""},
		"the defaults":           {map[string]string{core: `{}`}, "2026-03-07", ""},
		"folder and format":      {map[string]string{core: `{"folder": "Journal", "format": "YYYY/MM/DD", "template": "t"}`}, "Journal/2026/03/07", ""},
		"the plugin":             {map[string]string{core: `{}`, plugin: `{"daily": {"folder": "Days", "format": "", "enabled": true}}`}, "Days/2026-03-07", ""},
		"the plugin is off":      {map[string]string{core: `{}`, plugin: `{"daily": {"folder": "Days", "enabled": false}}`}, "2026-03-07", ""},
		"broken":                 {map[string]string{core: `{"folder": 5`}, "memory/2026-03-07", ""},
		"an unknown token":       {map[string]string{core: `{"format": "YYYY-MM-Do"}`}, "memory/2026-03-07", "the token"},
		"not among the memories": {map[string]string{core: `{"folder": "templates.d"}`, ".memoryignore": "templates.d/\n"}, "memory/2026-03-07", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tt.files {
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			notes, err := workspace.ObsidianNotes(dir)
			if (err == nil) != (tt.error == "") || err != nil && !strings.Contains(err.Error(), tt.error) {
				t.Fatal(err)
			}
			w, err := workspace.Open(dir, workspace.Options{Globs: []workspace.Glob{{Pattern: "**/*.md"}}, Notes: notes})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if got := w.DailyNote(day); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
