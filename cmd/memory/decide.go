package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// deciding is one run of a command that decides about memories.
type deciding struct {
	*app
	memory.DecideRequest
	filter memory.Filter
	yes    bool
	hard   bool // forget that destroys
}

// decideCommand makes the command of an action: they differ in words alone.
func (a *app) decideCommand(action memory.Action, short, long, example string) *cobra.Command {
	d := &deciding{app: a, DecideRequest: memory.DecideRequest{Action: action}}
	c := &cobra.Command{
		Use:   string(action) + " ID…",
		Short: short,
		Long: long + `

Memories are named by their ids (any unique beginning of 4 digits or more), by
--query, or by filters. A query means its best hit, if that is clearly the best;
--all takes every hit that has enough to do with it. Without a terminal nothing
is asked: --yes or --all says that what was found is meant.`,
		Example:           example,
		ValidArgsFunction: a.completeIDs,
	}
	filterFlags(c, &d.filter)
	flags := c.Flags()
	flags.StringVarP(&d.Query, "query", "q", "", "find the memories by these `words`")
	flags.BoolVar(&d.All, "all", false, "every hit of the query, or all that the filters let through")
	flags.BoolVar(&d.Preview, "preview", false, "say what would change, and change nothing")
	if action == memory.ActionDestroy || action == memory.ActionForget {
		flags.BoolVar(&d.Confirm, "confirm", false, "do not ask, destroy")
	}
	flags.BoolVarP(&d.yes, "yes", "y", false, "do not ask")
	switch action {
	case memory.ActionDestroy:
		flags.BoolVar(&d.Missing, "missing", false, "every memory whose text is in no file any more")
		flags.BoolVar(&d.filter.Forgotten, "forgotten", false, "among what is forgotten, instead of what is not")
	case memory.ActionForget:
		flags.BoolVar(&d.hard, "hard", false, "destroy: take the text out of the files and everything else, for good")
		fallthrough
	case memory.ActionRestore:
		flags.BoolVar(&d.Only, "only", false, "these memories alone, whatever copies of their texts there are")
	case memory.ActionPromote, memory.ActionDemote:
		flags.Var(flagText[memory.Tier]{&d.Tier, memory.ParseTier, "tier"}, "to", "the tier to move to, instead of one step: hot, warm, cold, archive")
		words(c, "to", memory.Tiers)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := d.read(c, args); err != nil {
			return err
		}
		return d.run(c.Context())
	}
	return c
}

// read takes the arguments for ids, or one with a space in it, which no id has,
// for a query.
func (d *deciding) read(c *cobra.Command, args []string) error {
	if len(args) == 1 && strings.ContainsAny(strings.TrimSpace(args[0]), " \t\n") && d.Query == "" {
		d.Query, args = args[0], nil
	}
	if d.hard {
		d.Action = memory.ActionDestroy
	}
	d.IDs = args
	if d.filter != (memory.Filter{}) {
		d.Filter = &d.filter
	}
	switch {
	case len(args) > 0 && (d.Query != "" || d.Filter != nil):
		return misused(c, "memories are named by ids, or found by --query and filters, not both")
	case d.Missing && (len(args) > 0 || d.Query != "" || d.Filter != nil):
		return misused(c, "--missing means all that is missing, and nothing else beside it")
	case len(args) == 0 && d.Query == "" && d.Filter == nil && !d.Missing:
		return misused(c, "the id is missing")
	case d.Confirm && d.Action != memory.ActionDestroy:
		return misused(c, "--confirm goes with --hard")
	case d.Only && d.Action == memory.ActionDestroy:
		return misused(c, "--only is no way to destroy: every copy of the text goes")
	}
	for _, id := range args {
		if _, err := memory.ParseIDPrefix(id); err != nil {
			return err
		}
	}
	if d.Action == memory.ActionDestroy {
		return d.readDestroy()
	}
	if len(args) == 0 && !d.terminal && !d.yes && !d.All && !d.Preview {
		return memory.Invalid("", "nobody is there to ask whether what was found is meant").
			WithHint("pass --yes (the best hit, or all that the filters let through), --all, or look first with --preview")
	}
	return nil
}

// readDestroy asks for more than --yes where nobody is there to ask.
func (d *deciding) readDestroy() error {
	if d.Confirm || d.Preview || d.terminal {
		return nil
	}
	err := memory.Invalid("confirm", "destroying cannot be undone, and nobody is there to ask")
	return err.WithHint("pass --confirm, or look first with --preview; memory forget is what can be undone")
}

// asks says whether what was found has to be agreed to first.
func (d *deciding) asks() bool {
	if d.Action == memory.ActionDestroy {
		return !d.Confirm && !d.Preview
	}
	return len(d.IDs) == 0 && !d.Preview && !d.yes && d.terminal
}

func (d *deciding) run(ctx context.Context) error {
	need := writes
	if d.Preview {
		need = reads
	}
	return d.with(ctx, need, func(s *session) error {
		d.Workspace = s.Workspace
		if d.asks() {
			agreed, err := d.agree(ctx, s)
			if err != nil || !agreed {
				return err
			}
		}
		bar := d.progress()
		d.Progress = bar.show
		answer, err := s.Decide(ctx, d.DecideRequest)
		bar.done()
		if err != nil {
			return err
		}
		return d.tell(answer)
	})
}

// agree shows what was found and asks. What was shown is what is meant then.
func (d *deciding) agree(ctx context.Context, s *session) (bool, error) {
	look := d.DecideRequest
	look.Preview = true
	answer, err := s.Decide(ctx, look)
	if err != nil {
		return false, err
	}
	if len(answer.Changed) == 0 {
		return false, d.tell(answer)
	}
	for _, m := range answer.Changed {
		fmt.Fprintf(d.err, "  %s  %s  %s\n", m.ID.Short(), where(m), line(m.Text, max(20, d.width-14-len(where(m)))))
	}
	for _, notice := range answer.Notices {
		fmt.Fprintf(d.err, "note: %s\n", notice)
	}
	question := fmt.Sprintf("%s %s?", d.Action, counted(len(answer.Changed)))
	if d.Action == memory.ActionDestroy {
		question = fmt.Sprintf("destroy %s, for good? Copies of the same text are among them.", counted(len(answer.Changed)))
	}
	fmt.Fprintf(d.err, "%s [y/N] ", question)
	said, err := bufio.NewReader(d.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if !slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(said))) {
		fmt.Fprintln(d.err, "nothing was changed")
		return false, nil
	}
	d.IDs, d.Query, d.Filter, d.All, d.Missing = nil, "", nil, false, false
	d.Confirm = d.Action == memory.ActionDestroy
	for _, m := range answer.Changed {
		d.IDs = append(d.IDs, string(m.ID))
	}
	return true, nil
}

func counted(n int) string {
	if n == 1 {
		return "this memory"
	}
	return fmt.Sprintf("these %d memories", n)
}

// done is what each action has done, in a word.
var done = map[memory.Action]string{memory.ActionForget: "forgotten", memory.ActionRestore: "restored",
	memory.ActionPin: "pinned", memory.ActionUnpin: "unpinned", memory.ActionPromote: "promoted",
	memory.ActionDemote: "demoted", memory.ActionArchive: "archived", memory.ActionDestroy: "destroyed", memory.ActionUndo: "undone"}

func (a *app) tell(answer memory.DecideAnswer) error {
	for _, notice := range answer.Notices {
		fmt.Fprintf(a.err, "note: %s\n", notice)
	}
	if answer.Action == memory.ActionDestroy && !answer.Preview {
		return a.tellDestroyed(answer)
	}
	return a.answer(answer, func(w io.Writer) error {
		word := done[answer.Action]
		if answer.Preview {
			word = "would be " + word
		}
		for _, m := range answer.Changed {
			room := max(20, a.width-len(word)-8-8-4)
			if _, err := fmt.Fprintf(w, "%s %s  %-7s %s%s\n", word, m.ID.Short(), m.Tier, marks(m), line(m.Text, room)); err != nil {
				return err
			}
		}
		for _, kept := range answer.Unchanged {
			if _, err := fmt.Fprintf(w, "%s: %s\n", kept.Reason, kept.ID.Short()); err != nil {
				return err
			}
		}
		a.sayForgotten(answer)
		return nil
	})
}

// sayForgotten says what forgetting does not do.
func (a *app) sayForgotten(answer memory.DecideAnswer) {
	if answer.Action == memory.ActionForget && !answer.Preview && len(answer.Changed) > 0 {
		fmt.Fprintln(a.err, "note: the text still stands in its file, where an agent with file tools can read it; memory undo takes this back")
	}
}

// completeIDs completes every id argument, not the first alone.
func (a *app) completeIDs(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return a.completeID(c, nil, typed)
}
