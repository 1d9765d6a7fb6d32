package main

import (
	_ "embed" // help.md
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory/cmd/memory/packaging"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
)

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:               "memory",
		Version:           version, // memory --version
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		RunE:              func(c *cobra.Command, _ []string) error { return a.overview(c.Context()) },
	}
	root.SetVersionTemplate("memory {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringVar(&a.stateDirFlag, "state-dir", "", "the folder of the database, the socket and the lock (MEMORY_STATE_DIR)")
	flags.StringVar(&a.configFlag, "config", "", "the configuration file (MEMORY_CONFIG)")
	flags.StringVarP(&a.workspaceFlag, "workspace", "w", "", "the workspace, by its name or its folder (MEMORY_WORKSPACE)")
	flags.BoolVar(&a.json, "json", false, "print the answer as JSON")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError(c, "%s", err) })
	root.AddGroup(&cobra.Group{ID: "ask", Title: "Ask:"}, &cobra.Group{ID: "write", Title: "Write:"},
		&cobra.Group{ID: "decide", Title: "Decide:"}, &cobra.Group{ID: "run", Title: "Run:"})
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("ask", a.recallCommand(), a.searchCommand(), a.browseCommand(), a.listCommand(), a.showCommand(), a.openCommand(), a.entityCommand(), a.graphCommand(), a.profileCommand(), a.scenesCommand(), a.explainCommand(), a.whyNotCommand(),
		a.lastCommand(), a.receiptsCommand(), a.mcpCommand(), a.uiCommand())
	add("write", a.storeCommand(), a.captureCommand(), a.extractCommand(), a.setContextCommand(), a.clearContextCommand())
	add("decide", append(a.decisionCommands(), a.reviewCommand(), a.feedbackCommand(), a.auditCommand(), a.verifyCommand())...)
	add("run", a.serveCommand(), a.indexCommand(), a.statusCommand(), a.doctorCommand(), a.statsCommand(), a.decayCommand(), a.gradeCommand(), a.hookCommand(), a.workspaceCommand(), a.modelCommand(),
		a.configCommand(), a.tokenCommand(), a.reloadCommand(), a.evalCommand(), a.serviceCommand(), a.exportCommand(), a.importCommand(), a.snapshotCommand(), a.migrateCommand(), a.setupCommand(), a.openclawCommand(), a.teamCommand(), a.mergeFileCommand(), a.versionCommand())
	add("run", packaging.Commands(version, buildOrigin, addHelp)...)
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		client := clients.Named(c.Flags().Arg(0))
		if c.CommandPath() == "memory setup" && client.Name != "" && hostsetup.WritePage(a.out, client) == nil {
			return
		}
		addHelp(root)
		help(c, args)
	})
	root.SetHelpCommandGroupID("run")
	root.SetCompletionCommandGroupID("run")
	refuseUnknownHelp(root)
	root.InitDefaultCompletionCmd()
	a.refuseUnknownSubcommands(root)
	return root
}

// refuseUnknownSubcommands makes an unknown word after a group of commands an error, and
// every argument of a command that has no Args. A group alone prints its help, which is no JSON.
func (a *app) refuseUnknownSubcommands(group *cobra.Command) {
	for _, c := range group.Commands() {
		a.refuseUnknownSubcommands(c)
		if c.Args == nil {
			c.Args = argumentCount(0, 0, "")
		}
		if c.Runnable() || !c.HasSubCommands() {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError(c, "unknown command %q", c.Name()+" "+args[0])
			}
			return a.helpOf(c)
		}
	}
}

// helpOf prints the help of a command that needs another word. With --json, that is an error.
func (a *app) helpOf(c *cobra.Command) error {
	if !a.json {
		return c.Help()
	}
	return usageError(c, "another word is missing")
}

// refuseUnknownHelp makes help about an unknown command an error.
func refuseUnknownHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		help := c.Run
		c.Run, c.Args = nil, cobra.ArbitraryArgs
		c.RunE = func(c *cobra.Command, args []string) error {
			if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
				return usageError(root, "unknown command %q", strings.Join(args, " "))
			}
			help(c, args)
			return nil
		}
	}
}

// helpPage has the help of every command, but of those that the list of clients makes.
//
//go:embed help.md
var helpPage string

// addHelp gives a command and those below it their help. Of a section, the first paragraph
// is the summary, and the lines that begin with four blanks are examples. A hook prints no
// help, and does not wait for it.
func addHelp(root *cobra.Command) {
	sections := map[string]string{}
	for section := range strings.SplitSeq(helpPage, "\n## ") {
		name, text, _ := strings.Cut(section, "\n\n")
		sections[name] = strings.TrimSpace(text)
	}
	placeholders := strings.NewReplacer("{selection}", sections["{selection}"], "{clients}", hostsetup.ClientList())
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
