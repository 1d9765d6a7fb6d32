package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory/internal/must"
)

const hostileText = "wine \x1b[31mred\x07 \u009b2J\u202ecellar\u200b\r"

// No command prints a control character of an argument, a text, a heading or a file name.
func TestNoCommandPrintsControlCharacters(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	state, dir := newStateAndNotes(t)
	for name, text := range map[string]string{
		"a.md":                     "# Wine " + hostileText + "\n\n- " + hostileText + " is the first line\n- Wine " + hostileText + " and more\n",
		"b\x1b[31m\u202e\r.md":     "- Wine stands in a file with a bad name\n- Wine " + hostileText + " and more\n",
		"bad\x1b[31m.md":           "---\ntags: [\n---\n- Wine behind broken front matter\n",
		"private\x1b[31m.md":       "---\nprivate: maybe\n---\n- Wine in a private file\n",
		"c \u200b\u2066wine\u2069": "no memory\n",
	} {
		must.Do(t, os.MkdirAll(filepath.Join(dir, "memory"), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(dir, "memory", name), []byte(text), 0o644))
	}
	id := strings.Fields(runCommand(t, state, dir, "search", "wine in a file with a bad name").stdout.String())[1]
	t.Chdir(t.TempDir()) // export writes a file with the name of its argument
	ran := 0
	for _, c := range leafCommands((&app{env: os.Getenv}).root()) {
		path := strings.Fields(c.CommandPath())[1:]
		if changesTheMachine(path[0]) {
			continue
		}
		for _, args := range [][]string{{}, {id}, {"wine"}, {hostileText}, {hostileText, hostileText}, {"--query", "wine", "--preview"}, {"--path", hostileText, "--preview", "--all"}, {"--" + hostileText}} {
			ran++
			run := runCommand(t, state, dir, slices.Concat(path, args)...)
			if at := strings.IndexFunc(run.stdout.String()+run.stderr.String(), controlsTerminal); at >= 0 {
				t.Errorf("memory %q %q: %q", path, args, (run.stdout.String() + run.stderr.String())[max(0, at-40):])
			}
		}
	}
	if ran < 300 {
		t.Errorf("only %d command lines", ran)
	}
}

func controlsTerminal(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// changesTheMachine reports whether a command starts a service or waits for a browser, edits files of others, or writes
// or runs models. Scripts for shells go to the real standard output.
func changesTheMachine(name string) bool {
	return slices.Contains([]string{"serve", "ui", "service", "setup", "openclaw", "model", "completion"}, name)
}

func leafCommands(c *cobra.Command) (leaves []*cobra.Command) {
	if c.Runnable() && c.HasParent() {
		leaves = append(leaves, c)
	}
	for _, child := range c.Commands() {
		leaves = append(leaves, leafCommands(child)...)
	}
	return leaves
}

// A text keeps its escapes where the program gives it a colour.
func TestColourOfTheProgramDoesNotHelpTextsOfOthers(t *testing.T) {
	a := &app{terminal: true, colours: "<key>", env: func(string) string { return "" }}
	if got := a.colour("a\x1b[31m.md", color.FgGreen); strings.Count(got, "\x1b") != 1 || !strings.HasPrefix(got, "<key>[32m") {
		t.Errorf("%q", got)
	}
}
