package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) recallCommand() *cobra.Command {
	var r memory.RecallRequest
	var maxItems, maxTokens int
	var noRecord bool
	c := &cobra.Command{
		Use:   "recall PROMPT",
		Short: "print exactly the block that an agent would get for a prompt",
		Long: `recall prints the block of memories that would be put before a model together with
PROMPT, or nothing if no memory is relevant. "-" reads the prompt from standard
input. The printed memories count as used, unless you pass --no-record.`,
		Example: `  memory recall "Which port does the staging database use?"
  memory recall --max-items 5 --no-record "deploy the website"
  git diff | memory recall -`,
		Args: argumentCount(1, -1, "the prompt"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if r.Prompt, err = a.textArgument(c, args); err != nil {
				return err
			}
			if c.Flags().Changed("max-items") {
				r.MaxItems = &maxItems
			}
			if c.Flags().Changed("max-tokens") {
				r.MaxTokens = &maxTokens
			}
			record := !noRecord
			r.Record = &record
			return a.withSession(c.Context(), readsIndex, func(s *session) error { return a.recall(c, s, r) })
		},
	}
	flags := c.Flags()
	flags.IntVar(&maxItems, "max-items", 0, "at most this many memories (default: injection.maxItems)")
	flags.IntVar(&maxTokens, "max-tokens", 0, "at most this many tokens of 4 bytes (default: injection.maxTokens)")
	flags.BoolVar(&noRecord, "no-record", false, "do not count the memories as used")
	flags.StringVar(&r.Session, "session", "", "the conversation of the prompt; a memory counts as used once per conversation and day")
	flags.StringVar((*string)(&r.Scope), "scope", "", "only this scope (global and unscoped memories match any)")
	flags.StringSliceVar(&r.InPrompt, "in-prompt", nil, "files that the host puts before the model completely; their memories are left out")
	flags.StringVar(&r.Agent, "agent", "", "the asking `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, memory.OwnerIdentity, "the `user` of the prompt, a channel id or an identity: the block has the user's own memories and everybody's")
	flags.StringVar(&r.AsOf, "as-of", "", "answer as at this `time` (RFC 3339 or a date); records nothing")
	return c
}

func (a *app) recall(c *cobra.Command, s *session, r memory.RecallRequest) error {
	r.Workspace = s.Workspace
	answer, err := s.Recall(c.Context(), r)
	if err != nil {
		return err
	}
	err = a.printAnswer(answer, func(w io.Writer) error {
		if answer.Context != "" {
			_, err := fmt.Fprintln(w, answer.Context)
			return err
		}
		if answer.Skipped != nil && *answer.Skipped == memory.SkippedTokens {
			return nil
		}
		_, err := fmt.Fprintln(a.err, "No relevant memories found")
		return err
	})
	if err != nil {
		return err
	}
	if answer.Skipped != nil && *answer.Skipped == memory.SkippedTokens {
		fmt.Fprintln(a.err, "note: memories were found, and none of them fits into the block: raise --max-tokens (injection.maxTokens)")
	}
	a.noteLeftOut(answer.LeftOutByDate)
	a.noteIndexing(answer.Indexing)
	if answer.Stale {
		a.noteStale()
	}
	return s.Delivered(c.Context(), s.Workspace, answer.Receipt)
}

// noteIndexing reports that an answer lacks what is not indexed yet.
func (a *app) noteIndexing(p *memory.Progress) {
	if p != nil {
		fmt.Fprintf(a.err, "note: the files are still being indexed, so memories may be missing from the answer; %s\n", indexingText(*p))
	}
}

// indexingText reports how far indexing is.
func indexingText(p memory.Progress) string {
	switch {
	case p.Total == 0:
		return "indexing: it has just begun"
	case p.Stage == "index":
		return fmt.Sprintf("indexing: %d of %d memories done", p.Done, p.Total)
	}
	return fmt.Sprintf("reading: %d of %d files done", p.Done, p.Total)
}

// noteStale reports that an answer may lack the newest edits.
func (a *app) noteStale() {
	fmt.Fprintln(a.err, "note: the index could not be updated first, so the answer may lack the newest edits")
}
