package main

import (
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) showCommand() *cobra.Command {
	var r memory.ShowRequest
	c := question(a, "show ID", a.idArgument(&r.ID), api.Backend.Show, &r, &r.Workspace, display.Memory)
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}
