package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) whyNotCommand() *cobra.Command {
	var r memory.WhyNotRequest
	c := &cobra.Command{
		Use:   "why-not ID",
		Short: "show what keeps a memory from being put before a model",
		Long: `why-not names the first reason that keeps a memory out of a recall for --query, with
its numbers. It lists the memories that are injected instead. With --receipt it
explains an earlier recall (see memory last and memory receipts). It counts no use.`,
		Example:           "  memory why-not 3f8a91c2 --query \"How do we deploy?\"\n  memory why-not 3f8a --receipt last",
		Args:              argumentCount(1, 1, "the id"),
		ValidArgsFunction: a.completeID,
	}
	flags := c.Flags()
	flags.StringVarP(&r.Query, "query", "q", "", "the prompt")
	flags.StringVar((*string)(&r.Scope), "scope", "", "the scope of the recall")
	flags.StringSliceVar(&r.InPrompt, "in-prompt", nil, "a `file` that the host puts before the model completely")
	flags.StringVar(&r.AsOf, "as-of", "", "explain a recall at this `time` (RFC 3339 or a date)")
	flags.StringVar(&r.Receipt, "receipt", "", "explain an earlier recall: the `id` of its receipt, a prefix of it, or last")
	flags.StringVar(&r.Agent, "agent", "", "the asking `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, "", "the `user` of the prompt; default: the one to whom the memory belongs, or else the owner")
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			r.ID, r.Workspace = args[0], s.Workspace
			answer, err := s.WhyNot(c.Context(), r)
			if err != nil {
				return err
			}
			return a.printAnswer(answer, func(w io.Writer) error { return a.printWhyNot(w, answer) })
		})
	}
	return c
}

func (a *app) printWhyNot(w io.Writer, answer memory.WhyNotAnswer) error {
	reason := answer.Reason
	switch {
	case answer.Injected:
		reason = "injected"
	case reason == "":
		reason = "nothing"
	}
	fmt.Fprintf(w, "%s: %s\n", reason, answer.Detail)
	if len(answer.Winners) > 0 {
		fmt.Fprintln(w, "injected:")
	}
	for _, h := range answer.Winners {
		if _, err := fmt.Fprintf(w, "  %3.0f%%  %s  %-7s %s\n", 100*h.Similarity, h.ID.Short(), h.Tier, display.MemoryLine(h.Text, max(20, a.width-28))); err != nil {
			return err
		}
	}
	return nil
}
