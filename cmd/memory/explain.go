package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) explainCommand() *cobra.Command {
	var r memory.ExplainRequest
	c := question(a, "explain ID", a.idArgument(&r.ID), api.Backend.Explain, &r, &r.Workspace, display.Explanation)
	c.Flags().StringVarP(&r.Query, "query", "q", "", "the query for the similarity")
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}

func (a *app) whyNotCommand() *cobra.Command {
	var r memory.WhyNotRequest
	c := question(a, "why-not ID", a.idArgument(&r.ID), api.Backend.WhyNot, &r, &r.Workspace, a.printWhyNot)
	flags := c.Flags()
	flags.StringVarP(&r.Query, "query", "q", "", "the prompt")
	flags.StringVar((*string)(&r.Scope), "scope", "", "the scope of the recall")
	flags.StringSliceVar(&r.InPrompt, "in-prompt", nil, "a `file` that the host puts before the model completely")
	flags.StringVar(&r.AsOf, "as-of", "", "explain a recall at this `time` (RFC 3339 or a date)")
	flags.StringVar(&r.Receipt, "receipt", "", "explain an earlier recall: the `id` of its receipt, a prefix of it, or last")
	flags.StringVar(&r.Agent, "agent", "", "the asking `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, "", "the `user` of the prompt; default: the one to whom the memory belongs, or else the owner")
	return c
}

func (a *app) printWhyNot(w io.Writer, answer memory.WhyNotAnswer) {
	reason := cmp.Or(answer.Reason, "nothing")
	if answer.Injected {
		reason = "injected"
	}
	fmt.Fprintf(w, "%s: %s\n", reason, answer.Detail)
	if len(answer.Winners) > 0 {
		fmt.Fprintln(w, "injected:")
	}
	for _, h := range answer.Winners {
		a.printSimilarity(w, h.Similarity, h.ID, h.Tier, h.Text)
	}
}
