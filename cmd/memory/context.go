package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) setContextCommand() *cobra.Command {
	var ttl time.Duration
	var sender memory.Sender
	c := &cobra.Command{
		Use:   "set-context TEXT",
		Short: "set the current context, which precedes every prompt for some hours",
		Long: `set-context sets the text that precedes every prompt until it expires. With --user it
precedes the prompts of this user only, in place of the one for everybody.`,
		Example: `  memory set-context "Migrating the billing database; staging is down until noon"
  memory set-context --ttl 30m "On a call with the printer's support"`,
		Args: argumentCount(1, -1, "the text"),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := a.textArgument(c, args)
			if err != nil {
				return err
			}
			r := memory.ContextRequest{Text: text, Sender: sender}
			if ttl <= 0 {
				return memory.Invalid("ttl", "a context cannot last %s", ttl).WithHint("give a duration above zero, such as 30m or 4h")
			}
			if c.Flags().Changed("ttl") {
				hours := ttl.Hours()
				r.TTLHours = &hours
			}
			return a.withSession(c.Context(), writesIndex, func(s *session) error {
				r.Workspace = s.Workspace
				answer, err := s.SetContext(c.Context(), r)
				if err != nil {
					return err
				}
				return a.printAnswer(answer, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "context set until %s\n", display.Time(answer.Context.ExpiresAt))
					if answer.Notice != "" {
						fmt.Fprintf(a.err, "note: %s\n", answer.Notice)
					}
					return err
				})
			})
		},
	}
	c.Flags().DurationVar(&ttl, "ttl", 4*time.Hour, "how long the context lasts, such as 30m or 4h")
	a.userFlag(c, &sender, "", contextUserHelp)
	return c
}

// contextUserHelp is the help of --user for the commands of the current context.
const contextUserHelp = "the context of this `user`, a channel id or an identity (default: everybody's)"

func (a *app) clearContextCommand() *cobra.Command {
	var sender memory.Sender
	c := &cobra.Command{
		Use:     "clear-context",
		Short:   "remove the current context",
		Example: "  memory clear-context",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withSession(c.Context(), writesIndex, func(s *session) error {
				answer, err := s.ClearContext(c.Context(), memory.ContextOf{Workspace: s.Workspace, Sender: sender})
				if err != nil {
					return err
				}
				return a.printAnswer(answer, func(w io.Writer) error {
					text := "context cleared"
					if answer.Cleared != nil && !*answer.Cleared {
						text = "there was no current context"
					}
					_, err := fmt.Fprintln(w, text)
					return err
				})
			})
		},
	}
	a.userFlag(c, &sender, "", contextUserHelp)
	return c
}
