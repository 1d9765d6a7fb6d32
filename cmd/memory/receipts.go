package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// receiptLimit is the default of --limit: one screen.
const receiptLimit = 20

func (a *app) receiptsCommand() *cobra.Command {
	var r memory.ReceiptsRequest
	c := &cobra.Command{
		Use:   "receipts",
		Short: "list what earlier recalls returned, as ids and figures",
		Long: `receipts lists the recalls of agents, newest first: the time, the session, and how
many memories were found and given. --json prints everything that is kept of each:
ids, scores, counts by tier, lanes and near misses. No text of a memory or of a
question is ever kept. memory last --receipt shows one recall with its memories.`,
		Example: "  memory receipts\n  memory receipts --session s-42 --json",
		Args:    argumentCount(0, 0, ""),
	}
	flags := c.Flags()
	flags.StringVar(&r.ID, "id", "", "only the receipt with this id, or with this prefix")
	flags.StringVar(&r.Session, "session", "", "only receipts of this conversation")
	flags.StringVar(&r.Kind, "kind", "", "only this `kind`: recall, search, capture")
	flags.IntVar(&r.Limit, "limit", receiptLimit, "at most this many; 0: no limit")
	a.userFlag(c, &r.Sender, "", "only receipts of this `user`, a channel id or an identity")
	completeWords(c, "kind", []string{memory.ReceiptRecall, memory.ReceiptSearch, memory.ReceiptCapture})
	c.RunE = func(c *cobra.Command, _ []string) error {
		return askIndex(c.Context(), a, readsIndex, func(s *session) (memory.ReceiptsAnswer, error) {
			r.Workspace = s.Workspace
			return s.Receipts(c.Context(), r)
		}, printReceipts)
	}
	return c
}

func printReceipts(w io.Writer, answer memory.ReceiptsAnswer) error {
	for _, r := range answer.Receipts {
		if err := printReceipt(w, r); err != nil {
			return err
		}
	}
	return nil
}

func printReceipt(w io.Writer, r memory.Receipt) error {
	summary := fmt.Sprintf("%d given of %d found, %d tokens", len(r.Injected), candidateCount(r), r.Tokens)
	if r.Kind == memory.ReceiptSearch {
		summary = fmt.Sprintf("%d given", len(r.Injected))
	}
	if r.Kind == memory.ReceiptCapture && r.Extracted != nil && r.Stored != nil {
		summary = fmt.Sprintf("%d kept of %d found", *r.Stored, *r.Extracted)
	}
	if r.Skipped != nil {
		summary += " (" + *r.Skipped + ")"
	}
	if r.Session != "" {
		summary += ", session " + display.Line(r.Session, 40)
	}
	_, err := fmt.Fprintf(w, "%s  %s  %-7s %s\n", r.ID[:min(8, len(r.ID))], display.Time(r.At), r.Kind, summary)
	return err
}

func candidateCount(r memory.Receipt) (n int) {
	for _, count := range r.Candidates {
		n += count
	}
	return n
}
