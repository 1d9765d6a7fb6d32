package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// filterFlags adds the flags that select memories by their properties.
func filterFlags(c *cobra.Command, f *memory.Filter) {
	flags := c.Flags()
	flags.Var(textFlag[memory.Tier]{&f.Tier, memory.ParseTier, "tier"}, "tier", "only this tier: hot, warm, cold, archive")
	flags.Var(textFlag[memory.Type]{&f.Type, memory.ParseType, "type"}, "type", "only this memory type: procedural, factual, project, episodic")
	flags.Var(textFlag[memory.Category]{&f.Category, memory.ParseCategory, "category"}, "category", "only this category")
	flags.StringVar((*string)(&f.Scope), "scope", "", "only this scope (global and unscoped memories match any)")
	flags.StringVar(&f.Tag, "tag", "", "only memories with this tag")
	flags.StringVar(&f.Entity, "entity", "", "only memories about this `name`: the target of a [[link]], or a #tag")
	flags.StringVar(&f.Path, "path", "", "only memories in files that match this `glob`; ** matches across folders")
	flags.StringVar(&f.Since, "since", "", "only memories created on this `date` or later (2026-11-20, today, yesterday, RFC 3339)")
	flags.StringVar(&f.Until, "until", "", "only memories created on this `date` or earlier (the same forms)")
	flags.BoolVar(&f.Expired, "expired", false, "only memories whose expiry date has passed")
	flags.Float64Var(&f.Unused, "unused", 0, "only memories that were not created, edited or used for this many `days`")
	completeWords(c, "tier", memory.Tiers)
	completeWords(c, "type", memory.Types)
	completeWords(c, "category", memory.Categories)
}

// limitFlag adds the flag --limit. The function that it returns tells a limit of 0
// from a limit that was not given.
func limitFlag(c *cobra.Command, defaultLimit int, help string) func() *int {
	limit := c.Flags().Int("limit", defaultLimit, help)
	return func() *int {
		if c.Flags().Changed("limit") {
			return limit
		}
		return nil
	}
}

// noteLeftOut reports how many memories a request's dates exclude.
func (a *app) noteLeftOut(n int) {
	if n > 0 {
		fmt.Fprintf(a.err, "note: %d left out because of their date\n", n)
	}
}
