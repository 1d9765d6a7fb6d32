package main

import (
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// filterFlags gives a command the flags that narrow what it is about.
func filterFlags(c *cobra.Command, f *memory.Filter) {
	flags := c.Flags()
	flags.Var(flagText[memory.Tier]{&f.Tier, memory.ParseTier, "tier"}, "tier", "only this tier: hot, warm, cold, archive")
	flags.Var(flagText[memory.Type]{&f.Type, memory.ParseType, "type"}, "type", "only this memory type: procedural, factual, project, episodic")
	flags.Var(flagText[memory.Category]{&f.Category, memory.ParseCategory, "category"}, "category", "only this category")
	flags.StringVar((*string)(&f.Scope), "scope", "", "only this scope (global and unscoped memories match any)")
	flags.StringVar(&f.Tag, "tag", "", "only memories with this tag")
	flags.StringVar(&f.Path, "path", "", "only files that match this `glob`; ** crosses folders")
	flags.StringVar(&f.Since, "since", "", "created on this `date` or later")
	flags.StringVar(&f.Until, "until", "", "created on this `date` or earlier")
	words(c, "tier", memory.Tiers)
	words(c, "type", memory.Types)
	words(c, "category", memory.Categories)
}

// limitFlag reads --limit so that "not said" and 0 differ.
func limitFlag(c *cobra.Command, otherwise int, help string) func() *int {
	limit := c.Flags().Int("limit", otherwise, help)
	return func() *int {
		if c.Flags().Changed("limit") {
			return limit
		}
		return nil
	}
}
