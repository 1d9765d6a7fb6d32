package main

import (
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
