package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) recallCommand() *cobra.Command {
	var r memory.RecallRequest
	var maxItems, maxTokens int
	var noRecord bool
	c := newCommand("recall PROMPT", a.textArguments("the prompt", &r.Prompt), func(c *cobra.Command) error {
		record := !noRecord
		r.MaxItems, r.MaxTokens, r.Record = optionalFlag(c, "max-items", &maxItems), optionalFlag(c, "max-tokens", &maxTokens), &record
		return a.askFrom(c.Context(), &r.Folder, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := s.Recall(c.Context(), r)
			if err := printed(a, a.printBlock)(answer, err); err != nil {
				return err
			}
			return s.Delivered(c.Context(), s.Workspace, answer.Receipt)
		})
	})
	flags := c.Flags()
	flags.IntVar(&maxItems, "max-items", 0, "at most this many memories (default: injection.maxItems)")
	flags.IntVar(&maxTokens, "max-tokens", 0, "at most this many tokens of 4 bytes (default: injection.maxTokens)")
	flags.BoolVar(&noRecord, "no-record", false, "do not count the memories as used")
	flags.StringVar(&r.Session, "session", "", "the conversation of the prompt; a memory counts as used once per conversation and day")
	flags.StringVar((*string)(&r.Scope), "scope", "", "only this scope (global and unscoped memories match any)")
	flags.StringSliceVar(&r.InPrompt, "in-prompt", nil, "files that the host puts before the model completely; their memories are left out")
	flags.StringVar(&r.Agent, "agent", "", "the asking `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, memory.OwnerIdentity, "the `user` of the prompt, a channel id or an identity: the block has the user's own memories and everybody's")
	flags.StringVar(&r.Folder, "folder", "", folderHelp)
	flags.StringVar(&r.AsOf, "as-of", "", "answer as at this `time` (RFC 3339 or a date); records nothing")
	return c
}

func (a *app) printBlock(w io.Writer, answer memory.RecallAnswer) {
	if answer.Context != "" {
		fmt.Fprintln(w, answer.Context)
	}
	switch {
	case answer.Skipped != nil && *answer.Skipped == memory.SkippedTokens:
		a.note("memories were found, and none of them fits into the block: raise --max-tokens (injection.maxTokens)")
	case answer.Context == "":
		fmt.Fprintln(a.err, "No relevant memories found")
	}
	a.noteGaps(answer.LeftOutByDate, answer.Indexing, answer.Stale)
}

func (a *app) lastCommand() *cobra.Command {
	var r memory.LastRequest
	c := question(a, "last", arguments{}, api.Backend.Last, &r, &r.Workspace, a.printLast)
	c.Flags().StringVar(&r.Session, "session", "", "the last answer in this conversation")
	c.Flags().StringVar(&r.Receipt, "receipt", "", "another answer than the last: the `id` of its receipt, or a prefix of it")
	a.userFlag(c, &r.Sender, "", "the last answer to this `user`, a channel id or an identity")
	return c
}

func (a *app) printLast(w io.Writer, answer memory.LastAnswer) {
	display.Receipt(w, answer.Receipt)
	a.printReceiptMemories(w, "given:", answer.Injected)
	a.printReceiptMemories(w, "near misses:", answer.NearMisses)
}

func (a *app) printReceiptMemories(w io.Writer, title string, memories []memory.ReceiptMemory) {
	if len(memories) > 0 {
		fmt.Fprintln(w, title)
	}
	for _, m := range memories {
		tier, text := memory.Tier(""), "["+strings.ToUpper(m.Withheld)+"]"
		if m.Memory != nil {
			tier, text = m.Memory.Tier, m.Memory.Text
		}
		a.printSimilarity(w, m.Similarity, m.ID, tier, text)
		if m.Reason != "" {
			fmt.Fprintf(w, "        %s\n", strings.TrimSuffix(m.Reason+": "+m.Detail, ": "))
		}
	}
}

// printSimilarity prints a memory of a block on one line.
func (a *app) printSimilarity(w io.Writer, similarity float64, id memory.ID, tier memory.Tier, text string) {
	fmt.Fprintf(w, "  %3.0f%%  %s  %-7s %s\n", 100*similarity, id.Short(), tier, display.MemoryLine(text, max(20, a.width-28)))
}

// receiptLimit is the default of --limit: one screen.
const receiptLimit = 20

func (a *app) receiptsCommand() *cobra.Command {
	var r memory.ReceiptsRequest
	c := question(a, "receipts", arguments{}, api.Backend.Receipts, &r, &r.Workspace, display.Receipts)
	flags := c.Flags()
	flags.StringVar(&r.ID, "id", "", "only the receipt with this id, or with this prefix")
	flags.StringVar(&r.Session, "session", "", "only receipts of this conversation")
	flags.StringVar(&r.Kind, "kind", "", "only this `kind`: "+strings.Join(memory.ReceiptKinds, ", "))
	flags.IntVar(&r.Limit, "limit", receiptLimit, "at most this many; 0: no limit")
	a.userFlag(c, &r.Sender, "", "only receipts of this `user`, a channel id or an identity")
	completeWords(c, "kind", memory.ReceiptKinds)
	return c
}
