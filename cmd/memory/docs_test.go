package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// TestExamplesOfThePages runs the examples of pages in docs. A fence "markdown PATH"
// is a file of the workspace. A fence "console" has commands behind "$ ", each with its
// output; "…" stands for any text, and dates and times may differ.
func TestExamplesOfThePages(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each command")
	}
	for _, page := range []string{"ageing.md", "extending.md", "review.md", "users.md", "grading.md"} {
		t.Run(page, func(t *testing.T) {
			src := must.Get(os.ReadFile(filepath.Join("../../docs", page)))(t)
			dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
			commands := 0
			for _, fence := range regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$").FindAllStringSubmatch(string(src), -1) {
				kind, path, _ := strings.Cut(fence[1], " ")
				switch kind {
				case "markdown":
					writeFile(t, filepath.Join(dir, path), fence[2])
				case "console":
					commands += checkExamples(t, dir, state, fence[2])
				}
			}
			if commands == 0 {
				t.Error("the page has no examples")
			}
		})
	}
}

// checkExamples runs the commands of a console and returns their number.
func checkExamples(t *testing.T, dir, state, console string) int {
	t.Helper()
	examples := strings.Split("\n"+console, "\n$ ")[1:]
	for _, example := range examples {
		command, want, _ := strings.Cut(example, "\n")
		checkExample(t, dir, state, command, want)
	}
	return len(examples)
}

// TestStoreDoesWhatItsPageShows runs the console that stores similar texts.
func TestStoreDoesWhatItsPageShows(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each command")
	}
	src := must.Get(os.ReadFile("../../docs/same-texts.md"))(t)
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "")
	checkExamples(t, dir, state, codeBlock(t, string(src), "console"))
}

// TestSeeingCaptureDoesWhatThePageShows runs the console that lists, forgets and turns off.
func TestSeeingCaptureDoesWhatThePageShows(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each command")
	}
	src := must.Get(os.ReadFile("../../docs/capture.md"))(t)
	_, section, found := strings.Cut(string(src), "\n## See it, change it, turn it off\n")
	if !found {
		t.Fatal("the page has no section about what was captured")
	}
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "")
	writeFile(t, filepath.Join(dir, "talk.jsonl"), codeBlock(t, string(src), "jsonl"))
	if n := checkExamples(t, dir, state, codeBlock(t, section, "console")); n < 2 {
		t.Errorf("%d examples", n)
	}
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
}

// checkExample runs one command in the workspace and compares its output.
func checkExample(t *testing.T, dir, state, command, want string) {
	t.Helper()
	args := argumentsOf(command)
	program, err := os.Executable()
	if err != nil || args[0] != "memory" {
		t.Fatalf("%q is not an example of memory (%v)", command, err)
	}
	c := exec.Command(program, args[1:]...)
	c.Args[0] = "memory"
	c.Dir = dir
	c.Env = append(os.Environ(), "MEMORY_WORKSPACE="+dir, "MEMORY_STATE_DIR="+state, "TZ=UTC")
	var out, notes bytes.Buffer
	c.Stdout, c.Stderr = &out, &notes
	if err := c.Run(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, notes.String())
	}
	if !regexp.MustCompile(outputPattern(want)).MatchString(strings.TrimSpace(out.String())) {
		t.Errorf("%s prints\n%s\nthe page has\n%s", command, out.String(), want)
	}
}

// argumentsOf splits a command line at spaces outside double quotes.
func argumentsOf(command string) (args []string) {
	for _, word := range regexp.MustCompile(`"[^"]*"|[^ ]+`).FindAllString(command, -1) {
		args = append(args, strings.Trim(word, `"`))
	}
	return args
}

// outputPattern returns the expression that an output has to match.
func outputPattern(want string) string {
	pattern := regexp.QuoteMeta(strings.TrimSpace(want))
	pattern = strings.ReplaceAll(pattern, "…", "(?s:.*)")
	pattern = regexp.MustCompile(`\d{4}-\d\d-\d\d( \d\d:\d\d)?`).ReplaceAllString(pattern, `\d{4}-\d\d-\d\d( \d\d:\d\d)?`)
	return "^" + regexp.MustCompile(` +`).ReplaceAllString(pattern, ` +`) + "$"
}
