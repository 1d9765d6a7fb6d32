package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// decisionCommands are the actions that are decided about memories.
func (a *app) decisionCommands() []*cobra.Command {
	return []*cobra.Command{
		a.decideCommand(memory.ActionForget, "take a memory out of everything",
			`forget takes a memory out of recall, search and every other answer, and with it
every copy of its text, wherever it stands or is written again. The text stays in
its file, with a line in the front matter that says so. restore brings it back.`,
			`  memory forget 3f8a91c2
  memory forget --query "the staging password" --yes
  memory forget --path 'memory/2024-*' --all --preview
  memory forget 3f8a91c2 --hard --confirm`),
		a.decideCommand(memory.ActionRestore, "bring a forgotten memory back",
			`restore undoes forget, for every copy of the text: id, tier and uses are what they
were. memory list --forgotten shows what there is to restore.`,
			`  memory restore 3f8a91c2
  memory restore --query "staging password" --yes`),
		a.decideCommand(memory.ActionPin, "keep a memory from fading",
			`pin holds a memory against ageing and gives it the first places in a recall. What
was COLD or in the ARCHIVE becomes WARM.`,
			`  memory pin 3f8a91c2
  memory pin --tag rule --all`),
		a.decideCommand(memory.ActionUnpin, "let a pinned memory fade again",
			`unpin takes the pin away. The tier stays as it is.`,
			`  memory unpin 3f8a91c2`),
		a.decideCommand(memory.ActionPromote, "move a memory one tier up",
			`promote moves a memory up by one tier (ARCHIVE, COLD, WARM, HOT), or to --to.`,
			`  memory promote 3f8a91c2
  memory promote --to hot 3f8a`),
		a.decideCommand(memory.ActionDemote, "move a memory one tier down",
			`demote moves a memory down by one tier (HOT, WARM, COLD, ARCHIVE), or to --to.`,
			`  memory demote 3f8a91c2
  memory demote --to archive 3f8a`),
		a.decideCommand(memory.ActionArchive, "keep a memory and inject it no more",
			`archive moves a memory to the ARCHIVE: it is kept, and found with --deep, but never
put before a model by itself. It stays there until it is promoted or pinned.`,
			`  memory archive 3f8a91c2
  memory archive --until 2025-12-31 --type episodic --all`),
		a.decideCommand(memory.ActionDestroy, "take a memory out of the files and everything else, for good",
			`destroy cuts the text's own lines, and every copy of it, out of the Markdown files,
and takes it out of the index, the write-ahead log, the vectors, the backup. Then
it looks through every file for the text's bytes and says what it found; it exits
with 1 where something is left. Nothing brings it back: forget is what restore
and undo take back. The text stays forgotten, should somebody write it again.

It asks first; --confirm answers. What it cannot come to is listed: git's history
is the first of it.`,
			`  memory destroy 3f8a91c2 --preview
  memory destroy 3f8a91c2 --confirm
  memory destroy --path 'memory/2024-*' --all
  memory destroy --missing`),
		a.undoCommand(),
	}
}

func (a *app) undoCommand() *cobra.Command {
	r := memory.DecideRequest{Action: memory.ActionUndo}
	c := &cobra.Command{
		Use:   "undo [N]",
		Short: "take the last command back, or the last N",
		Long: `undo takes back what the last command decided (forget, restore, pin, unpin,
promote, demote, archive), however many memories it was about. A destroying cannot
be undone: undo says so, and undo 2 passes over it. What was decided editing a file is undone in the file. memory audit lists all of it.`,
		Example: "  memory undo\n  memory undo 3 --preview",
		Args:    arguments(0, 1, ""),
	}
	c.Flags().BoolVar(&r.Preview, "preview", false, "say what would change, and change nothing")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return misused(c, "%q is not a number of commands", args[0])
			}
			r.Count = n
		}
		need := writes
		if r.Preview {
			need = reads
		}
		return a.with(c.Context(), need, func(s *session) error {
			r.Workspace = s.Workspace
			bar := a.progress()
			r.Progress = bar.show
			answer, err := s.Decide(c.Context(), r)
			bar.done()
			if err != nil {
				return err
			}
			return a.tell(answer)
		})
	}
	return c
}

// auditLimit is how many rows a person is shown where nobody said: two screens.
const auditLimit = 50

func (a *app) auditCommand() *cobra.Command {
	var r memory.AuditRequest
	c := &cobra.Command{
		Use:   "audit",
		Short: "list what was decided, by whom and when",
		Long: `audit lists decisions, newest first: who (cli, tool, agent, a file edited by hand
or by git, ageing), what, before and after. It never holds a text.`,
		Example: "  memory audit\n  memory audit --id 3f8a --json\n  memory audit --action forget --source file",
		Args:    arguments(0, 0, ""),
	}
	flags := c.Flags()
	flags.StringVar(&r.ID, "id", "", "only about this memory")
	flags.StringVar(&r.Action, "action", "", "only this `action`: forget, restore, pin, …")
	flags.StringVar(&r.Source, "source", "", "only by this `source`: cli, tool, agent, file, capture, decay")
	flags.IntVar(&r.Limit, "limit", auditLimit, "at most so many; 0: no limit")
	flags.IntVar(&r.Offset, "offset", 0, "leave out so many first")
	words(c, "action", memory.Actions)
	words(c, "source", []string{"cli", "tool", "agent", "file", "capture", "decay"})
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.with(c.Context(), reads, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := s.Audit(c.Context(), r)
			if err != nil {
				return err
			}
			return a.answer(answer, func(w io.Writer) error { return a.printAudit(w, answer) })
		})
	}
	return c
}

func (a *app) printAudit(w io.Writer, answer memory.AuditAnswer) error {
	for _, row := range answer.Audit {
		if _, err := fmt.Fprintf(w, "%s  %-8s %-7s %s  %s\n", local(row.At), row.Action, row.Source, row.ID.Short(), transition(row)); err != nil {
			return err
		}
	}
	if shown := len(answer.Audit); shown < answer.Total {
		fmt.Fprintf(a.err, "note: %d of %d\n", shown, answer.Total)
	}
	return nil
}

// transition is what a decision changed, in words.
func transition(row memory.AuditRow) string {
	text := ""
	for _, word := range []string{"forgotten", "pinned", "tier", "destroyed"} {
		before, known := row.Old[word]
		after, is := row.New[word]
		if known && is {
			text += fmt.Sprintf("%s %v → %v  ", word, before, after)
		}
	}
	return text
}
