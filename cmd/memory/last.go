package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) lastCommand() *cobra.Command {
	var r memory.LastRequest
	c := &cobra.Command{
		Use:   "last",
		Short: "show what an agent was given last, and what nearly was",
		Long: `last shows the memories that were put before a model last, and the near misses:
what was found and left out, with the reason and its numbers. The question itself
is not kept. What was forgotten since is named by its id alone.`,
		Example: "  memory last\n  memory last --session s-42 --json\n  memory last --receipt 0b1f6f0e",
		Args:    arguments(0, 0, ""),
	}
	c.Flags().StringVar(&r.Session, "session", "", "the last of this conversation")
	c.Flags().StringVar(&r.Receipt, "receipt", "", "this answer instead of the last: the `id` of its receipt, or its beginning")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.with(c.Context(), reads, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := s.Last(c.Context(), r)
			if err != nil {
				return err
			}
			return a.answer(answer, func(w io.Writer) error { return a.printLast(w, answer) })
		})
	}
	return c
}

func (a *app) printLast(w io.Writer, answer memory.LastAnswer) error {
	if err := printReceipt(w, answer.Receipt); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		told  []memory.ReceiptMemory
	}{{"given:", answer.Injected}, {"near misses:", answer.NearMisses}} {
		if len(part.told) > 0 {
			fmt.Fprintln(w, part.title)
		}
		for _, t := range part.told {
			if err := a.printTold(w, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) printTold(w io.Writer, t memory.ReceiptMemory) error {
	tier, text := "", "["+strings.ToUpper(t.Withheld)+"]"
	if t.Memory != nil {
		tier, text = string(t.Memory.Tier), line(t.Memory.Text, max(20, a.width-28))
	}
	_, err := fmt.Fprintf(w, "  %3.0f%%  %s  %-7s %s\n", 100*t.Similarity, t.ID.Short(), tier, text)
	if err == nil && t.Reason != "" {
		_, err = fmt.Fprintf(w, "        %s\n", strings.TrimSuffix(t.Reason+": "+t.Detail, ": "))
	}
	return err
}

func printReceipt(w io.Writer, r memory.Receipt) error {
	said := fmt.Sprintf("%d given of %d found, %d tokens", len(r.Injected), found(r), r.Tokens)
	if r.Kind == memory.ReceiptSearch {
		said = fmt.Sprintf("%d given", len(r.Injected))
	}
	if r.Skipped != nil {
		said += " (" + *r.Skipped + ")"
	}
	if r.Session != "" {
		said += ", session " + line(r.Session, 40)
	}
	_, err := fmt.Fprintf(w, "%s  %s  %-7s %s\n", r.ID[:min(8, len(r.ID))], local(r.At), r.Kind, said)
	return err
}

func found(r memory.Receipt) (n int) {
	for _, of := range r.Candidates {
		n += of
	}
	return n
}

// receiptLimit is how many receipts a person is shown where nobody said: a
// screen.
const receiptLimit = 20

func (a *app) receiptsCommand() *cobra.Command {
	var r memory.ReceiptsRequest
	c := &cobra.Command{
		Use:   "receipts",
		Short: "list what recalls gave, in ids and figures",
		Long: `receipts lists the recalls of agents, newest first: when, in which session, how many
memories were found and given. With --json all that is kept of each: ids, scores,
counts by tier, lanes, near misses. No text is ever kept, neither of a memory nor
of what was asked. memory last --receipt shows one with its memories.`,
		Example: "  memory receipts\n  memory receipts --session s-42 --json",
		Args:    arguments(0, 0, ""),
	}
	flags := c.Flags()
	flags.StringVar(&r.ID, "id", "", "only this one: its id, or the beginning")
	flags.StringVar(&r.Session, "session", "", "only of this conversation")
	flags.StringVar(&r.Kind, "kind", "", "only this `kind`: recall, search, capture")
	flags.IntVar(&r.Limit, "limit", receiptLimit, "at most so many; 0: no limit")
	words(c, "kind", []string{memory.ReceiptRecall, memory.ReceiptSearch, memory.ReceiptCapture})
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.with(c.Context(), reads, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := s.Receipts(c.Context(), r)
			if err != nil {
				return err
			}
			return a.answer(answer, func(w io.Writer) error {
				for _, r := range answer.Receipts {
					if err := printReceipt(w, r); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	return c
}
