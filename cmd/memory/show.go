package main

import (
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) showCommand() *cobra.Command {
	var r memory.ShowRequest
	c := &cobra.Command{
		Use:               "show ID",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: firstArgument(a.completeID),
		RunE: func(c *cobra.Command, args []string) error {
			r.ID = args[0]
			return callBackend(c, a, readsIndex, api.Backend.Show, &r, &r.Workspace, display.Memory)
		},
	}
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}
