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
	flags.BoolVarP(&d.yes, "yes", "y", false, "do not ask")
	switch action {
	case memory.ActionForget, memory.ActionRestore:
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
	d.IDs = args
	if d.filter != (memory.Filter{}) {
		d.Filter = &d.filter
	}
	switch {
	case len(args) > 0 && (d.Query != "" || d.Filter != nil):
		return misused(c, "memories are named by ids, or found by --query and filters, not both")
	case len(args) == 0 && d.Query == "" && d.Filter == nil:
		return misused(c, "the id is missing")
	}
	for _, id := range args {
		if _, err := memory.ParseIDPrefix(id); err != nil {
			return err
		}
	}
	if len(args) == 0 && !d.terminal && !d.yes && !d.All && !d.Preview {
		return memory.Invalid("", "nobody is there to ask whether what was found is meant").
			WithHint("pass --yes (the best hit, or all that the filters let through), --all, or look first with --preview")
	}
	return nil
}

func (d *deciding) run(ctx context.Context) error {
	need := writes
	if d.Preview {
		need = reads
	}
	return d.with(ctx, need, func(s *session) error {
		d.Workspace = s.Workspace
		if len(d.IDs) == 0 && !d.Preview && !d.yes && d.terminal {
			agreed, err := d.agree(ctx, s)
			if err != nil || !agreed {
				return err
			}
		}
		answer, err := s.Decide(ctx, d.DecideRequest)
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
		fmt.Fprintf(d.err, "  %s  %s\n", m.ID.Short(), line(m.Text, max(20, d.width-12)))
	}
	fmt.Fprintf(d.err, "%s %s? [y/N] ", d.Action, counted(len(answer.Changed)))
	said, err := bufio.NewReader(d.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if !slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(said))) {
		fmt.Fprintln(d.err, "nothing was changed")
		return false, nil
	}
	d.IDs, d.Query, d.Filter, d.All = nil, "", nil, false
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
	memory.ActionDemote: "demoted", memory.ActionArchive: "archived", memory.ActionUndo: "undone"}

func (a *app) tell(answer memory.DecideAnswer) error {
	for _, notice := range answer.Notices {
		fmt.Fprintf(a.err, "note: %s\n", notice)
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
