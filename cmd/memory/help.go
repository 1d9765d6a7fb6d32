package main

import (
	_ "embed" // help.md
	"strings"

	"github.com/spf13/cobra"
)

// helpPage has the help of every command, but of those that the list of clients makes.
//
//go:embed help.md
var helpPage string

// addHelp gives a command and those below it their help. Of a section, the first paragraph
// is the summary, and the lines that begin with four blanks are examples.
func addHelp(root *cobra.Command, clients string) {
	sections := map[string]string{}
	for section := range strings.SplitSeq(helpPage, "\n## ") {
		name, text, _ := strings.Cut(section, "\n\n")
		sections[name] = strings.TrimSpace(text)
	}
	placeholders := strings.NewReplacer("{selection}", sections["{selection}"], "{clients}", clients)
	var add func(*cobra.Command)
	add = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			add(below)
		}
		if text, known := sections[c.CommandPath()]; known {
			text, example, _ := strings.Cut(text, "\n\n    ")
			c.Short, c.Long, _ = strings.Cut(placeholders.Replace(text), "\n\n")
			c.Example = "  " + strings.ReplaceAll(example, "\n    ", "\n  ")
		}
	}
	add(root)
}
