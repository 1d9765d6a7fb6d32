package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) lastCommand() *cobra.Command {
	var r memory.LastRequest
	c := &cobra.Command{
		Use:   "last",
		Short: "show the last memories that an agent received, and the near misses",
		Long: `last shows the memories that were last put before a model, and the near misses:
memories that were found but left out, with the reason and its numbers. The question
itself is not kept. A memory that was forgotten since then is shown only by its id.`,
		Example: "  memory last\n  memory last --session s-42 --json\n  memory last --receipt 0b1f6f0e",
		Args:    argumentCount(0, 0, ""),
	}
	c.Flags().StringVar(&r.Session, "session", "", "the last answer in this conversation")
	c.Flags().StringVar(&r.Receipt, "receipt", "", "another answer than the last: the `id` of its receipt, or a prefix of it")
	a.userFlag(c, &r.Sender, "", "the last answer to this `user`, a channel id or an identity")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return askIndex(c.Context(), a, readsIndex, func(s *session) (memory.LastAnswer, error) {
			r.Workspace = s.Workspace
			return s.Last(c.Context(), r)
		}, a.printLast)
	}
	return c
}

func (a *app) printLast(w io.Writer, answer memory.LastAnswer) error {
	if err := printReceipt(w, answer.Receipt); err != nil {
		return err
	}
	for _, part := range []struct {
		title    string
		memories []memory.ReceiptMemory
	}{{"given:", answer.Injected}, {"near misses:", answer.NearMisses}} {
		if len(part.memories) > 0 {
			fmt.Fprintln(w, part.title)
		}
		for _, m := range part.memories {
			if err := a.printReceiptMemory(w, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) printReceiptMemory(w io.Writer, m memory.ReceiptMemory) error {
	tier, text := "", "["+strings.ToUpper(m.Withheld)+"]"
	if m.Memory != nil {
		tier, text = string(m.Memory.Tier), display.MemoryLine(m.Memory.Text, max(20, a.width-28))
	}
	_, err := fmt.Fprintf(w, "  %3.0f%%  %s  %-7s %s\n", 100*m.Similarity, m.ID.Short(), tier, text)
	if err == nil && m.Reason != "" {
		_, err = fmt.Fprintf(w, "        %s\n", strings.TrimSuffix(m.Reason+": "+m.Detail, ": "))
	}
	return err
}
