package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// pastTense maps each action to the word that reports it.
var pastTense = map[memory.Action]string{memory.ActionForget: "forgotten", memory.ActionRestore: "restored",
	memory.ActionPin: "pinned", memory.ActionUnpin: "unpinned", memory.ActionPromote: "promoted",
	memory.ActionDemote: "demoted", memory.ActionArchive: "archived", memory.ActionDestroy: "destroyed", memory.ActionUndo: "undone"}

// noteNearCopies lists the memories that destroy leaves in their files although they
// have the same wording.
func (a *app) noteNearCopies(answer memory.DecideAnswer) {
	if len(answer.NearCopies) == 0 {
		return
	}
	effect := "stay in their files, and are forgotten"
	if answer.Preview {
		effect = "would stay in their files, and be forgotten"
	}
	a.note("near copies (same wording, other characters) %s; memory destroy ID removes one:", effect)
	for _, m := range answer.NearCopies {
		a.memoryLine(a.err, "", m)
	}
}

// printDecision prints what a decision changed. If destroy finds the text afterwards, the
// command succeeds with an exit code of its own.
func (a *app) printDecision(answer memory.DecideAnswer) error {
	a.noteNearCopies(answer)
	a.notes(answer.Notices)
	if answer.Action != memory.ActionDestroy || answer.Preview {
		return printAnswer(a, answer, a.printChanges)
	}
	if len(answer.Receipt) > 0 {
		return a.printErasure(answer, answer.Receipt, answer.Changed)
	}
	err := printAnswer(a, answer, printDestroyed)
	if err == nil && answer.Scan != nil && answer.Scan.Found > 0 {
		return errFound
	}
	return err
}

func (a *app) printChanges(w io.Writer, answer memory.DecideAnswer) {
	verb := pastTense[answer.Action]
	if answer.Preview {
		verb = "would be " + verb
	}
	for _, u := range answer.Undone {
		subject := ""
		if u.Memories > 0 {
			subject = " of " + display.MemoryCount(u.Memories)
		}
		fmt.Fprintf(w, "%s: %s%s, %s\n", verb, u.Action, subject, display.Time(u.At))
	}
	files := map[string]bool{}
	for _, m := range answer.Changed {
		a.printChanged(w, verb, m, answer)
		files[m.Path] = true
	}
	for _, unchanged := range answer.Unchanged {
		fmt.Fprintf(w, "%s: %s\n", unchanged.Reason, unchanged.ID.Short())
	}
	switch {
	case len(answer.Changed) == 0:
	case answer.Preview:
		fmt.Fprintf(w, "%s in %s %s\n", display.MemoryCount(len(answer.Changed)), display.Plural(len(files), "file", "files"), verb)
	case len(answer.TakenOut) > 0:
		a.note("the text is out of %s; memory undo puts it back", strings.Join(answer.TakenOut, ", "))
	case answer.Action == memory.ActionForget:
		a.note("the text is still in its file, where an agent with file tools can read it; memory undo reverses this")
	}
}

// printChanged prints a memory with its new state, and in a preview with its place.
func (a *app) printChanged(w io.Writer, verb string, m memory.Memory, answer memory.DecideAnswer) {
	place := ""
	if slices.Contains(answer.Removed, m.ID) {
		verb, m.Missing = strings.Replace(verb, pastTense[answer.Action], "removed", 1), false
	}
	if answer.Preview {
		place = fitText(m, answer) + display.Location(m) + "  "
	}
	text := display.MemoryLine(m.Text, max(20, a.width-len(verb)-8-8-4-len(place)))
	if answer.Action == memory.ActionUndo && m.Text == "" {
		text = "(memory show " + m.ID.Short() + " shows the text)"
	}
	fmt.Fprintf(w, "%s %s  %-7s %s%s%s\n", verb, m.ID.Short(), m.Tier, place, display.State(m), text)
}

// fitText returns how well a memory fits the query that found it; empty if no query
// did.
func fitText(m memory.Memory, answer memory.DecideAnswer) string {
	if similarity, ok := answer.Similarity[m.ID]; ok {
		return fmt.Sprintf("%3.0f%%  ", 100*similarity)
	}
	return ""
}

// printDestroyed prints the destroyed memories, and the result of the search in every
// file afterwards, which is the proof.
func printDestroyed(w io.Writer, answer memory.DecideAnswer) {
	printGone(w, answer.Changed)
	if answer.Scan != nil {
		display.Scan(w, *answer.Scan)
	}
	fmt.Fprintf(w, "not searched: %s\n", strings.Join(answer.Unreachable, "; "))
}

func printGone(w io.Writer, destroyed []memory.Memory) {
	for _, m := range destroyed {
		fmt.Fprintf(w, "destroyed %s  %s\n", m.ID.Short(), display.Location(m))
	}
}
