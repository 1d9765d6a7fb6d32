package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// codeBlock returns the first block of a page with this language.
func codeBlock(t *testing.T, page, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "```"+language+"\n")
	block, _, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("the page has no block of %s", language)
	}
	return block + "\n"
}

// The examples of docs/capture.md show what the program does.
func TestCaptureDoesWhatItsPageShows(t *testing.T) {
	src := must.Get(os.ReadFile("../../docs/capture.md"))(t)
	page, dir, state := string(src), t.TempDir(), filepath.Join(t.TempDir(), "state")
	talk := filepath.Join(t.TempDir(), "talk.jsonl")
	must.Do(t, os.WriteFile(talk, []byte(codeBlock(t, page, "jsonl")), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), nil, 0o600))
	_, want, _ := strings.Cut(codeBlock(t, page, "console"), "talk.jsonl\n")
	if got := runProgram(t, dir, state, "capture", "--preview", talk); !strings.HasSuffix(got, want) {
		t.Errorf("the preview prints\n%s\nand the page shows\n%s", got, want)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "memory/captured/*")); err != nil || len(files) > 0 {
		t.Errorf("the preview wrote %v, %v", files, err)
	}
	runProgram(t, dir, state, "capture", talk)
	files, err := filepath.Glob(filepath.Join(dir, "memory/captured/*.md"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	written := must.Get(os.ReadFile(files[0]))(t)
	shown := regexp.MustCompile(`sha256:[0-9a-f]+`).ReplaceAllString(string(written), "sha256:…")
	if want := codeBlock(t, page, "markdown"); shown != want {
		t.Errorf("the file is\n%s\nand the page shows\n%s", shown, want)
	}
	if out := runProgram(t, dir, state, "capture", talk); !strings.Contains(out, "0 kept, 0 left out") {
		t.Errorf("the second time: %s", out)
	}
	for _, setting := range regexp.MustCompile("`memory (config set [^`]*)`").FindAllStringSubmatch(page, -1) {
		args := strings.SplitN(setting[1], " ", 4)
		runProgram(t, dir, state, append(args[:3:3], strings.Trim(args[3], `"`))...)
	}
	if out := runProgram(t, dir, state, "capture", "--session", "another", talk); !strings.Contains(out, "disabled") {
		t.Errorf("turned off: %s", out)
	}
}

func TestCaptureLeavesOutWhatTheNextMessageTakesBack(t *testing.T) {
	dir, state, talk := t.TempDir(), filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "talk.jsonl")
	lines := `{"role":"user","content":"I prefer tea over coffee."}` + "\n" + `{"role":"assistant","content":"Noted."}` + "\n" + `{"role":"user","content":"Forget that, please."}` + "\n"
	for path, text := range map[string]string{talk: lines, filepath.Join(dir, "MEMORY.md"): ""} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	if got := runProgram(t, dir, state, "capture", "--preview", talk); strings.Contains(got, "would keep") {
		t.Errorf("the preview prints\n%s", got)
	}
}

func TestCaptureSaysPlainlyWhatIsWrongWithAFile(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"an array", `[{"role":"user","content":"Remember that the crane is in hall two."}]`, "talk.jsonl:1: a message is a JSON array"},
		{"a number as role", `{"role":1,"content":"Remember that the crane is in hall two."}`, "talk.jsonl:1: the field role of a message is a JSON number"},
		{"a byte order mark", "\ufeff" + `{"role":"user","content":"Remember that the crane is in hall two."}`, "would keep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, state, talk := t.TempDir(), filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "talk.jsonl")
			must.Do(t, os.WriteFile(talk, []byte(tt.text), 0o600))
			got := runProgram(t, dir, state, "capture", "--preview", talk)
			if !strings.Contains(got, tt.want) || strings.Contains(got, "Go ") {
				t.Errorf("it prints %q, want %q", got, tt.want)
			}
		})
	}
}
