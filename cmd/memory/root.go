package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "memory",
		Short: "the memory that AI agents deserve: Markdown in, recall out",
		Long: `memory watches MEMORY.md and memory/**/*.md in an agent's workspace, keeps an
index of the memories in them, and answers searches and recalls.

Markdown is the source of truth: edit it by hand, with git, with any tool. The
index can be thrown away at any time. Every command works with the service
running (memory serve) or without it.`,
		Example: `  memory serve -w ~/notes
  memory search "what did we decide about the database"
  memory recall "Which port does staging use?"`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.stateDirFlag, "state-dir", "", "folder of the database, socket and lock (MEMORY_STATE_DIR)")
	flags.StringVar(&a.configFlag, "config", "", "configuration file (MEMORY_CONFIG)")
	flags.StringVarP(&a.workspaceFlag, "workspace", "w", "", "a workspace's name, or its folder (MEMORY_WORKSPACE)")
	flags.BoolVar(&a.json, "json", false, "answer with JSON")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return misused(c, "%s", err) })
	root.AddGroup(&cobra.Group{ID: "ask", Title: "Ask:"}, &cobra.Group{ID: "say", Title: "Say:"},
		&cobra.Group{ID: "decide", Title: "Decide:"}, &cobra.Group{ID: "run", Title: "Run:"})
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("ask", a.recallCommand(), a.searchCommand(), a.listCommand(), a.showCommand(), a.openCommand(), a.explainCommand(), a.whyNotCommand(),
		a.lastCommand(), a.receiptsCommand())
	add("say", a.storeCommand(), a.setContextCommand(), a.clearContextCommand())
	add("decide", append(a.decisionCommands(), a.auditCommand(), a.verifyCommand())...)
	add("run", a.serveCommand(), a.indexCommand(), a.statusCommand(), a.statsCommand(), a.workspaceCommand(), a.modelCommand(),
		a.configCommand(), a.evalCommand(), a.versionCommand())
	root.SetHelpCommandGroupID("run")
	root.SetCompletionCommandGroupID("run")
	return root
}

// misused is a command line that cannot work.
func misused(c *cobra.Command, format string, args ...any) error {
	return memory.Invalid("", format, args...).WithHint("%s --help shows how it is used", c.CommandPath())
}

// arguments checks how many arguments a command was given, in words.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misused(c, "%s is missing", what)
		case most >= 0 && len(args) > most:
			return misused(c, "unexpected argument %q", args[most])
		}
		return nil
	}
}

// text is what a command was given to work on: its arguments in one line, or
// standard input where that is "-".
func (a *app) text(c *cobra.Command, args []string) (string, error) {
	if len(args) == 1 && args[0] == "-" {
		return readAll(c.InOrStdin())
	}
	return strings.Join(args, " "), nil
}

// words completes a flag with the words that it knows.
func words[W ~string](c *cobra.Command, flag string, known []W) {
	var names []string
	for _, w := range known {
		names = append(names, strings.ToLower(string(w)))
	}
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("%s has no flag %s: %v", c.Name(), flag, err)) // a mistake in the command table
	}
}

// flagText reads a flag into anything that reads itself from text.
type flagText[W ~string] struct {
	to    *W
	parse func(string) (W, error)
	name  string
}

func (f flagText[W]) String() string { return strings.ToLower(string(*f.to)) }
func (f flagText[W]) Type() string   { return f.name }
func (f flagText[W]) Set(s string) error {
	w, err := f.parse(s)
	if detail := (*memory.Error)(nil); errors.As(err, &detail) {
		return fmt.Errorf("%w (%s)", err, detail.Hint) // a flag's error reaches people as text alone
	}
	if err == nil {
		*f.to = w
	}
	return err
}
