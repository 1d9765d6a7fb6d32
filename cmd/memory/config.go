package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
)

func (a *app) configCommand() *cobra.Command {
	var docs bool
	c := &cobra.Command{
		Use:   "config",
		Short: "show the settings and the source of each; get, set or unset one",
		Example: `  memory config
  memory config get injection.maxItems
  memory config set injection.maxItems 5
  memory config unset injection.maxItems`,
		Args: argumentCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if docs {
				_, err := io.WriteString(a.out, config.Markdown())
				return err
			}
			cfg, _, err := a.load()
			if err != nil {
				return err
			}
			settings := cfg.Settings()
			return a.printAnswer(map[string]any{"file": cfg.File, "settings": settings}, func(w io.Writer) error {
				return printSettings(w, settings)
			})
		},
	}
	c.Flags().BoolVar(&docs, "docs", false, "print the reference page of all settings, in Markdown")
	c.AddCommand(a.configGet(), a.configSet(), a.configUnset())
	return c
}

func printSettings(w io.Writer, settings []config.Setting) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range settings {
		value := strings.TrimSpace(fmt.Sprint(s.Value) + " " + s.Unit)
		fmt.Fprintf(table, "%s\t%s\t%s\n", s.Key, value, s.Source)
	}
	return table.Flush()
}

func (a *app) configGet() *cobra.Command {
	return &cobra.Command{
		Use:               "get KEY",
		Short:             "print the value of one setting",
		Example:           "  memory config get injection.maxItems\n  memory config get injection.maxItems --json",
		Args:              argumentCount(1, 1, "a key"),
		ValidArgsFunction: completeKey,
		RunE: func(_ *cobra.Command, args []string) error {
			cfg, _, err := a.load()
			if err != nil {
				return err
			}
			for _, s := range cfg.Settings() {
				if s.Key == args[0] {
					return a.printAnswer(s, func(w io.Writer) error {
						_, err := fmt.Fprintln(w, s.Value)
						return err
					})
				}
			}
			if _, isKey := config.KeyNamed(args[0]); isKey {
				return memory.Invalid("key", "%q is not set", args[0]).WithHint("memory config set %s VALUE sets it", args[0])
			}
			return config.UnknownKey(args[0])
		},
	}
}

func (a *app) configSet() *cobra.Command {
	return &cobra.Command{
		Use:               "set KEY VALUE",
		Short:             "change one setting in the configuration file",
		Example:           "  memory config set injection.maxItems 5\n  memory config set workspaces.main.timezone Europe/Berlin",
		Args:              argumentCount(2, 2, "a key and its value"),
		ValidArgsFunction: completeKey,
		RunE: func(c *cobra.Command, args []string) error {
			return a.editSetting(c.Context(), args[0], func(cfg *config.Loaded) error {
				if name, ok := workspaceOfPath(args[0]); ok {
					if err := registry.CheckFolderIsFree(cfg, name, config.ExpandHome(args[1], a.environ)); err != nil {
						return err
					}
				}
				return config.Set(cfg.File, args[0], args[1])
			})
		},
	}
}

// negativeAsValue moves the negative number of "config set KEY -1" behind "--", because
// flags begin with a hyphen too.
func negativeAsValue(args []string) []string {
	set := slices.Index(args, "config") + 1
	at := slices.IndexFunc(args, func(arg string) bool {
		_, err := strconv.ParseFloat(arg, 64)
		return err == nil && strings.HasPrefix(arg, "-")
	})
	if set == 0 || at < set+2 || args[set] != "set" || slices.Contains(args, "--") {
		return args
	}
	return slices.Concat(args[:at], args[at+1:], []string{"--", args[at]})
}

func (a *app) configUnset() *cobra.Command {
	return &cobra.Command{
		Use:               "unset KEY",
		Short:             "remove one setting from the configuration file",
		Example:           "  memory config unset injection.maxItems",
		Args:              argumentCount(1, 1, "a key"),
		ValidArgsFunction: completeKey,
		RunE: func(c *cobra.Command, args []string) error {
			return a.editSetting(c.Context(), args[0], func(cfg *config.Loaded) error { return config.Unset(cfg.File, args[0]) })
		},
	}
}

// editSetting edits the configuration file, makes a running service use it, and shows
// the setting that then applies: an environment variable may override the file. An
// edit whose result is not valid is taken back.
func (a *app) editSetting(ctx context.Context, key string, edit func(*config.Loaded) error) error {
	file, stateDir, err := a.configFile()
	if err != nil {
		return err
	}
	cfg, invalidBefore := a.loadValid()
	if cfg == nil {
		cfg = &config.Loaded{File: file} // the edit may be what makes the file valid
	}
	before, readErr := config.ReadFile(file)
	if err := edit(cfg); err != nil {
		return err
	}
	if cfg, err = a.loadValid(); err != nil && invalidBefore == nil {
		return errors.Join(err, putBack(file, before, readErr))
	} else if cfg == nil {
		return err
	}
	use := a.reloadFor(ctx, key, cfg, stateDir)
	fmt.Fprint(a.err, use.note())
	for _, s := range cfg.Settings() {
		if s.Key == key {
			return a.printAnswer(editedSetting{s, use}, func(w io.Writer) error { return printSettings(w, []config.Setting{s}) })
		}
	}
	return a.printAnswer(map[string]string{"key": key, "service": string(use.State)}, func(io.Writer) error { return nil })
}

// loadValid loads the configuration, and checks that a service could start with it. It
// returns nil if the file cannot be read.
func (a *app) loadValid() (*config.Loaded, error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return nil, err
	}
	_, err = a.engineOptions(cfg, stateDir, nil)
	return cfg, err
}

// workspaceOfPath returns the name of the workspace whose folder a key sets.
func workspaceOfPath(key string) (string, bool) {
	rest, ok := strings.CutPrefix(key, "workspaces.")
	name, isPath := strings.CutSuffix(rest, ".path")
	return name, ok && isPath
}

func completeKey(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, k := range config.Keys() {
			names = append(names, k.Name+"\t"+k.Doc)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
