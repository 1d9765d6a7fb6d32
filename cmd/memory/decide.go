package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/receipt"
)

// decideCommand is one run of a command that decides about memories, such as
// forget or pin.
type decideCommand struct {
	*app
	memory.DecideRequest
	filter memory.Filter
	yes    bool
	hard   bool   // forget --hard, which destroys
	file   string // destroy: where the receipt goes; empty: there is none
}

// decisionCommands returns a command for each action on memories.
func (a *app) decisionCommands() (commands []*cobra.Command) {
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionRestore, memory.ActionPin, memory.ActionUnpin,
		memory.ActionPromote, memory.ActionDemote, memory.ActionArchive, memory.ActionDestroy} {
		commands = append(commands, a.newDecideCommand(action))
	}
	return append(commands, a.undoCommand())
}

func (a *app) undoCommand() *cobra.Command {
	r := memory.DecideRequest{Action: memory.ActionUndo}
	c := &cobra.Command{
		Use:  "undo [N]",
		Args: argumentCount(0, 1, ""),
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
		return a.withSession(c.Context(), writesUnless(r.Preview), func(s *session) error { return a.decide(c.Context(), s, r) })
	}
	return c
}

// newDecideCommand makes the command of an action.
func (a *app) newDecideCommand(action memory.Action) *cobra.Command {
	d := &decideCommand{app: a, DecideRequest: memory.DecideRequest{Action: action}}
	yes := "do not ask"
	if action == memory.ActionDestroy {
		yes = "no effect: only --confirm destroys without asking"
	}
	c := &cobra.Command{
		Use:  string(action) + " ID…",
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.completeID(c, typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	filterFlags(c, &d.filter)
	a.userFlag(c, &d.Sender, "", "select only the memories of this `user`; with a query, also everybody's; other users keep theirs")
	flags := c.Flags()
	flags.StringVar(&d.filter.Origin, "session", "", "only memories that came from this conversation")
	flags.StringVarP(&d.Query, "query", "q", "", "find the memories by these `words`")
	flags.BoolVar(&d.All, "all", false, "select every relevant hit of the query, or every memory that matches the filters")
	flags.BoolVar(&d.Preview, "preview", false, "show what would change, and change nothing")
	if action == memory.ActionDestroy || action == memory.ActionForget {
		flags.BoolVar(&d.Confirm, "confirm", false, "destroy without asking")
		flags.StringVar(&d.file, "receipt", "", "destroy: write a receipt of all places, before and after, to this `file`")
	}
	flags.BoolVarP(&d.yes, "yes", "y", false, yes)
	switch action {
	case memory.ActionDestroy:
		flags.BoolVar(&d.Missing, "missing", false, "select every memory whose text is in no file any more")
		flags.BoolVar(&d.filter.Forgotten, "forgotten", false, "select from the forgotten memories instead of the others")
	case memory.ActionForget:
		flags.BoolVar(&d.InPlace, "in-place", false, "take the lines out of the file too, in the memory of an agent's client; undo puts them back")
		flags.BoolVar(&d.hard, "hard", false, "destroy: remove the text from the files and from everything else, for good")
		fallthrough
	case memory.ActionRestore:
		flags.BoolVar(&d.Only, "only", false, "change only these memories, and no other copies of their texts")
	case memory.ActionPromote, memory.ActionDemote:
		tierFlag(c, &d.Tier, "to", "the `tier` to move to, instead of one step")
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := d.parse(c, args); err != nil {
			return err
		}
		return d.run(c.Context())
	}
	return c
}

// parse reads the arguments as ids. A single argument with a space in it is a
// query, because no id has a space.
func (d *decideCommand) parse(c *cobra.Command, args []string) error {
	if err := noEmptyFlag(c); err != nil {
		return err
	}
	if len(args) == 1 && strings.ContainsAny(strings.TrimSpace(args[0]), " \t\n") && d.Query == "" {
		d.Query, args = args[0], nil
	}
	if d.hard {
		d.Action = memory.ActionDestroy
	}
	d.IDs = args
	if action := d.Action; action == memory.ActionDestroy || len(args) == 0 && d.Query == "" {
		d.filter.Owner = d.Sender.User
	}
	if d.Action == memory.ActionDestroy {
		d.Sender.User = "" // a person destroys, and every copy
	}
	if d.filter != (memory.Filter{}) {
		d.Filter = &d.filter
	}
	switch {
	case len(args) > 0 && (d.Query != "" || d.Filter != nil):
		return usageError(c, "name the memories by ids, or find them by --query and filters, but not both")
	case d.Missing && (len(args) > 0 || d.Query != "" || d.Filter != nil):
		return usageError(c, "--missing selects every missing memory; it takes no ids, query or filters")
	case len(args) == 0 && d.Query == "" && d.Filter == nil && !d.Missing:
		return usageError(c, "the id is missing")
	case d.Confirm && d.Action != memory.ActionDestroy:
		return usageError(c, "--confirm needs --hard")
	case d.file != "" && (d.Action != memory.ActionDestroy || d.Preview):
		return usageError(c, "--receipt is for what was destroyed: it needs destroy or --hard, without --preview")
	case d.Only && d.Action == memory.ActionDestroy:
		return usageError(c, "--only cannot destroy: destroying removes every copy of the text")
	}
	for _, id := range args {
		if _, err := memory.ParseIDPrefix(id); err != nil {
			return err
		}
	}
	if d.file != "" {
		if err := receipt.Check(d.file); err != nil {
			return err
		}
	}
	if d.Action == memory.ActionDestroy {
		return d.requireConfirm()
	}
	if len(args) == 0 && !d.terminal && !d.yes && !d.All && !d.Preview {
		return memory.Invalid("", "there is no terminal to confirm the memories on").
			WithHint("pass --yes (the best hit, or every match of the filters) or --all; --preview shows the memories first")
	}
	return nil
}

// requireConfirm returns an error unless --confirm, --preview or a terminal is
// there. --yes is not enough to destroy.
func (d *decideCommand) requireConfirm() error {
	if d.Confirm || d.Preview || d.terminal {
		return nil
	}
	err := memory.Invalid("confirm", "this cannot be undone, and there is no terminal to confirm it on")
	return err.WithHint("pass --confirm, or look first with --preview; memory forget can be undone")
}

// mustAsk reports whether the user has to confirm the memories first.
func (d *decideCommand) mustAsk() bool {
	if d.Action == memory.ActionDestroy {
		return !d.Confirm && !d.Preview
	}
	return len(d.IDs) == 0 && !d.Preview && !d.yes && d.terminal
}

func (d *decideCommand) run(ctx context.Context) error {
	need := writesUnless(d.Preview)
	if d.Action == memory.ActionDestroy && need == writesIndex {
		need = writesAmongAll
	}
	return d.withSession(ctx, need, func(s *session) error {
		d.Workspace = s.Workspace
		if d.mustAsk() {
			agreed, err := d.askUser(ctx, s)
			if err != nil || !agreed {
				return err
			}
		}
		if d.file == "" {
			return d.decide(ctx, s, d.DecideRequest)
		}
		d.Progress = d.show
		answer, err := receipt.Destroy(ctx, s, d.file, d.DecideRequest)
		if err != nil {
			return err
		}
		d.note("the receipt is in %s; memory verify --receipt looks again", d.file)
		return d.printDecision(answer)
	})
}

// decide carries out a decision and prints what changed.
func (a *app) decide(ctx context.Context, s *session, r memory.DecideRequest) error {
	r.Workspace, r.Progress = s.Workspace, a.show
	answer, err := s.Decide(ctx, r)
	if err != nil {
		return err
	}
	return a.printDecision(answer)
}

// askUser shows the memories that the command found, and asks. If the user agrees,
// the request then names exactly these memories.
func (d *decideCommand) askUser(ctx context.Context, s *session) (bool, error) {
	preview := d.DecideRequest
	preview.Preview = true
	answer, err := s.Decide(ctx, preview)
	if err != nil {
		return false, err
	}
	if len(answer.Changed) == 0 {
		return false, d.printDecision(answer)
	}
	for _, m := range answer.Changed {
		d.memoryLine(d.err, fitText(m, answer), m)
	}
	d.noteNearCopies(answer)
	d.notes(answer.Notices)
	question := fmt.Sprintf("%s %s?", d.Action, countText(len(answer.Changed)))
	if d.Action == memory.ActionDestroy {
		question = fmt.Sprintf("destroy %s for good, copies of the same text included?", countText(len(answer.Changed)))
	}
	if agreed, err := d.agrees(question); err != nil || !agreed {
		return false, err
	}
	d.IDs, d.Query, d.Filter, d.All, d.Missing = nil, "", nil, false, false
	d.Confirm = d.Action == memory.ActionDestroy
	for _, m := range answer.Changed {
		d.IDs = append(d.IDs, string(m.ID))
	}
	return true, nil
}

func countText(n int) string {
	if n == 1 {
		return "this memory"
	}
	return fmt.Sprintf("these %d memories", n)
}
