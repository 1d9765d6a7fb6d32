package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// decisionCommands returns a command for each action on memories.
func (a *app) decisionCommands() []*cobra.Command {
	return []*cobra.Command{
		a.newDecideCommand(memory.ActionForget, "hide a memory from every answer",
			`forget hides a memory from recall, search and every other answer, and with it every
copy of its text, also copies that are written later. The text stays in its file;
a line in the front matter marks it as forgotten. restore brings it back.`,
			`  memory forget 3f8a91c2
  memory forget --query "the staging password" --yes
  memory forget --path 'memory/2024-*' --all --preview
  memory forget 3f8a91c2 --hard --confirm`),
		a.newDecideCommand(memory.ActionRestore, "bring a forgotten memory back",
			`restore reverses forget for every copy of the text. The memory keeps its id, its tier
and its uses. memory list --forgotten lists the memories that you can restore.`,
			`  memory restore 3f8a91c2
  memory restore --query "staging password" --yes`),
		a.newDecideCommand(memory.ActionPin, "keep a memory from ageing",
			`pin stops the ageing of a memory, and recall takes pinned memories first. A COLD or
ARCHIVE memory becomes WARM.`,
			`  memory pin 3f8a91c2
  memory pin --tag rule --all`),
		a.newDecideCommand(memory.ActionUnpin, "let a pinned memory age again",
			`unpin removes the pin. The tier stays the same.`,
			`  memory unpin 3f8a91c2`),
		a.newDecideCommand(memory.ActionPromote, "move a memory one tier up",
			`promote moves a memory up by one tier (ARCHIVE, COLD, WARM, HOT), or to the tier
that --to names.`,
			`  memory promote 3f8a91c2
  memory promote --to hot 3f8a`),
		a.newDecideCommand(memory.ActionDemote, "move a memory one tier down",
			`demote moves a memory down by one tier (HOT, WARM, COLD, ARCHIVE), or to the tier
that --to names.`,
			`  memory demote 3f8a91c2
  memory demote --to archive 3f8a`),
		a.newDecideCommand(memory.ActionArchive, "keep a memory, but stop injecting it",
			`archive moves a memory to the ARCHIVE tier. search --deep still finds it, but recall
never puts it before a model. It stays there until you promote or pin it.`,
			`  memory archive 3f8a91c2
  memory archive --until 2025-12-31 --type episodic --all`),
		a.newDecideCommand(memory.ActionDestroy, "remove a memory from the files and from everything else, for good",
			`destroy removes the lines of the text, and every copy of it, from the Markdown files.
It also removes the text from the index, the write-ahead log, the vectors and the
backup. It then searches every file for the bytes of the text, reports what it found,
and exits with 1 if some are left. Nothing brings the text back; only forget can be
reversed, by restore or undo. If the text is written again, it stays forgotten.

The command asks first, unless you pass --confirm. It lists the places that it
cannot reach, such as git's history.`,
			`  memory destroy 3f8a91c2 --preview
  memory destroy 3f8a91c2 --confirm
  memory destroy --path 'memory/2024-*' --all
  memory destroy --missing
  memory destroy --expired --preview`),
		a.undoCommand(),
	}
}

func (a *app) undoCommand() *cobra.Command {
	r := memory.DecideRequest{Action: memory.ActionUndo}
	c := &cobra.Command{
		Use:   "undo [N]",
		Short: "reverse the last command, or the last N",
		Long: `undo reverses the last command that changed a memory or the current context, for
all memories of that command. These are forget, restore, pin, unpin, promote, demote,
archive, store, capture, set-context, clear-context and the steps of a review.

Undoing a store or a capture removes the text from its file, unless somebody edited
it since. Undoing set-context or clear-context restores the former context, unless it
has expired. --preview shows what undo would reverse.

undo leaves what a service captured from conversations. It cannot reverse
destroy: it then fails, and undo 2 skips the destroy. It does not reverse decisions
that you edited into a file; edit the file again. memory audit lists all decisions.`,
		Example: "  memory undo\n  memory undo 3 --preview",
		Args:    argumentCount(0, 1, ""),
	}
	c.Flags().BoolVar(&r.Preview, "preview", false, "show what would change, and change nothing")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 {
				return usageError(c, "undo takes a number of commands, 1 or more; %q is none", args[0])
			}
			r.Count = n
		}
		return a.withSession(c.Context(), writesUnless(r.Preview), func(s *session) error {
			r.Workspace = s.Workspace
			return a.decide(c.Context(), s, r)
		})
	}
	return c
}
