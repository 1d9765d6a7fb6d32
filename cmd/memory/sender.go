package main

import (
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// userFlag adds the flag --user. Its value is completed with the names of the
// identities.
func (a *app) userFlag(c *cobra.Command, s *memory.Sender, byDefault, help string) {
	c.Flags().StringVar(&s.User, "user", byDefault, help)
	_ = c.RegisterFlagCompletionFunc("user", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		cfg, _, err := a.load()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return slices.Sorted(maps.Keys(cfg.Identities)), cobra.ShellCompDirectiveNoFileComp
	})
}

// readerHelp is the help of --user for commands that show memories.
const readerHelp = "answer as for this `user`, a channel id or an identity: with the user's own memories and everybody's"
