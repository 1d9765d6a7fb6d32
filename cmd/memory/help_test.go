package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
