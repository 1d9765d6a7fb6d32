package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory/internal/clients"
)

// TestEveryCommandHasHelp looks for commands without help, and for help of no command.
func TestEveryCommandHasHelp(t *testing.T) {
	a := &app{env: os.Getenv}
	commands := map[string]bool{}
	var look func(*cobra.Command)
	look = func(c *cobra.Command) {
		commands[c.CommandPath()] = true
		if c.Short == "" || c.Example == "" && !strings.HasPrefix(c.CommandPath(), "memory completion") && c.Name() != "help" {
			t.Errorf("%s lacks help", c.CommandPath())
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	root := a.root()
	addHelp(root)
	look(root)
	for _, line := range strings.Split(helpPage, "\n") {
		if path, isHeading := strings.CutPrefix(line, "## memory"); isHeading && !commands["memory"+path] {
			t.Errorf("there is no command memory%s", path)
		}
	}
}

// A command that needs another word answers --json with one document, as every error is one.
func TestCommandThatNeedsAWordAnswersInJSON(t *testing.T) {
	groups := 0
	var look func(*cobra.Command)
	look = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			look(below)
		}
		if c.Args == nil || c.Args(c, []string{"word", "another", "third"}) != nil || !c.HasSubCommands() && c.Name() != "setup" || !c.HasParent() {
			return // it takes no words of its own
		}
		groups++
		var out, errs bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" }}
		code := a.run(t.Context(), append(strings.Fields(c.CommandPath())[1:], "--json"))
		var document struct {
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal(out.Bytes(), &document); err != nil || code != 2 || document.Error.Code != "invalid" || !strings.Contains(document.Error.Message, "word is missing") {
			t.Errorf("%s --json: %d, %s", c.CommandPath(), code, out.Bytes())
		}
	}
	look((&app{env: os.Getenv}).root())
	if groups < 5 {
		t.Errorf("only %d groups of commands were tried", groups)
	}
}

// Each client has a page: what it does, what that costs, how to see it and how to turn it off. A
// client that nobody tried says so.
func TestHelpOfAClientIsItsPage(t *testing.T) {
	for _, c := range clients.All() {
		var out, errs bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" }}
		code := a.run(t.Context(), []string{"setup", c.Name, "--help"})
		wants := []string{"# " + c.Title + "\n", "setup " + c.Name + " remove", "No model is called", "memory last", "autoRecall false", "autoCapture false", c.Files[0].Path}
		for _, event := range c.Events {
			wants = append(wants, "| `"+event.Key+"` | ")
		}
		if !c.Tried {
			wants = append(wants, "This was not tried with the real "+c.Title)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the page of %s (%d) lacks %q:\n%s", c.Name, code, want, out.String())
			}
		}
	}
}
