package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExamplesOfThePages runs the examples of pages in docs. A fence "markdown PATH"
// is a file of the workspace. A fence "console" has commands behind "$ ", each with its
// output; "…" stands for any text, and dates and times may differ.
func TestExamplesOfThePages(t *testing.T) {
	for _, page := range []string{"ageing.md"} {
		t.Run(page, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join("../../docs", page))
			if err != nil {
				t.Fatal(err)
			}
			dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
			commands := 0
			for _, fence := range regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$").FindAllStringSubmatch(string(src), -1) {
				kind, path, _ := strings.Cut(fence[1], " ")
				switch kind {
				case "markdown":
					writeFile(t, filepath.Join(dir, path), fence[2])
				case "console":
					for _, example := range strings.Split("\n"+fence[2], "\n$ ")[1:] {
						command, want, _ := strings.Cut(example, "\n")
						commands++
						checkExample(t, dir, state, command, want)
					}
				}
			}
			if commands == 0 {
				t.Error("the page has no examples")
			}
		})
	}
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkExample runs one command in the workspace and compares its output.
func checkExample(t *testing.T, dir, state, command, want string) {
	t.Helper()
	args := strings.Fields(command)
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

// outputPattern returns the expression that an output has to match.
func outputPattern(want string) string {
	pattern := regexp.QuoteMeta(strings.TrimSpace(want))
	pattern = strings.ReplaceAll(pattern, "…", "(?s:.*)")
	pattern = regexp.MustCompile(`\d{4}-\d\d-\d\d( \d\d:\d\d)?`).ReplaceAllString(pattern, `\d{4}-\d\d-\d\d( \d\d:\d\d)?`)
	return "^" + regexp.MustCompile(` +`).ReplaceAllString(pattern, ` +`) + "$"
}
