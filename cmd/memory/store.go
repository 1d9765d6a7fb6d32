package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
)

func (a *app) storeCommand() *cobra.Command {
	var r memory.StoreRequest
	var importance float64
	toTeam, topic := false, ""
	c := newCommand("store TEXT", a.textArguments("the text", &r.Text), func(c *cobra.Command) error {
		if toTeam {
			return a.proposeText(c, topic, r.Text)
		}
		r.Importance = optionalFlag(c, "importance", &importance)
		return a.withSession(c.Context(), writesIndex, func(s *session) error {
			r.Workspace = s.Workspace
			print := func(w io.Writer, answer memory.StoreAnswer) {
				a.printStored(w, answer, s)
				if len(answer.Notices) > 0 && !r.Private {
					fmt.Fprintln(a.err, "hint: --private, --pin, --tier, --type and --category declare it")
				}
			}
			return printed(a, print)(s.Store(c.Context(), r))
		})
	})
	flags := c.Flags()
	flags.BoolVar(&r.Pinned, "pin", false, "pin the memory")
	flags.BoolVar(&r.Private, "private", false, "keep the memory from every model")
	flags.StringVar(&r.Extend, "extend", "", "the `id` of a memory that the text contains and adds to; the text supersedes it")
	flags.StringVar(&r.Replaces, "replaces", "", "the `id` of a memory of which the text gives a new value; the text supersedes it")
	flags.BoolVar(&r.Force, "force", false, "store the text although a similar memory exists, or although it looks like a secret")
	tierFlag(c, &r.Tier, "tier", "the first tier")
	typeFlag(c, &r.Type, "the memory type")
	categoryFlag(c, &r.Category, "the subject of the memory")
	flags.Float64Var(&importance, "importance", memory.DefaultImportance, "the importance, from 0 to 1")
	flags.StringVar((*string)(&r.Scope), "scope", "", "the scope of the memory; default: the one that a rule of scopes gives, or none")
	a.userFlag(c, &r.Sender, "", "the `user` to whom the memory belongs, a channel id or an identity; default: everybody")
	complete(c, "extend", a.completeID)
	complete(c, "replaces", a.completeID)
	flags.BoolVar(&toTeam, "team", false, "propose the text to the team, of which -w is the name if there are several")
	topicFlag(c, &topic)
	return c
}

func (a *app) printStored(w io.Writer, answer memory.StoreAnswer, s *session) {
	result := "stored"
	if answer.Duplicate {
		result = *answer.Message + ":"
	}
	fmt.Fprintf(w, "%s %s  %s\n", result, answer.Memory.ID.Short(), display.Location(answer.Memory))
	if here, err := os.Getwd(); err == nil && s.Dir != "" && registry.AreApart(here, s.Dir) {
		a.note("in the workspace %s, %s", s.Workspace, display.Name(s.Dir))
	}
	for _, id := range answer.Superseded {
		fmt.Fprintf(w, "superseded %s\n", id.Short())
	}
	if s := answer.Similarity; answer.Duplicate && (s == nil || *s < 1) {
		a.note("it says %q; --force stores the new text too", display.MemoryLine(answer.Memory.Text, 80))
	}
	for _, m := range answer.Similar {
		a.note("both stay: %s %q; --replaces %s lets this text take its place", m.ID.Short(), display.MemoryLine(m.Text, 60), m.ID.Short())
	}
	a.notes(answer.Notices)
}

func (a *app) setContextCommand() *cobra.Command {
	var ttl time.Duration
	var r memory.ContextRequest
	c := change(a, "set-context TEXT", a.textArguments("the text", &r.Text), nil, api.Backend.SetContext, &r, &r.Workspace, func(w io.Writer, answer memory.ContextAnswer) {
		fmt.Fprintf(w, "context set until %s\n", display.Time(answer.Context.ExpiresAt))
		if answer.Notice != "" {
			a.note("%s", answer.Notice)
		}
	})
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if ttl <= 0 {
			return memory.Invalid("ttl", "a context cannot last %s", ttl).WithHint("give a duration above zero, such as 30m or 4h")
		}
		hours := ttl.Hours()
		r.TTLHours = optionalFlag(c, "ttl", &hours)
		return nil
	}
	c.Flags().DurationVar(&ttl, "ttl", 4*time.Hour, "how long the context lasts, such as 30m or 4h")
	a.userFlag(c, &r.Sender, "", contextUserHelp)
	return c
}

// contextUserHelp is the help of --user for the commands of the current context.
const contextUserHelp = "the context of this `user`, a channel id or an identity (default: everybody's)"

func (a *app) clearContextCommand() *cobra.Command {
	var r memory.ContextOf
	c := change(a, "clear-context", arguments{}, nil, api.Backend.ClearContext, &r, &r.Workspace, func(w io.Writer, answer memory.ContextAnswer) {
		text := "context cleared"
		if answer.Cleared != nil && !*answer.Cleared {
			text = "there was no current context"
		}
		fmt.Fprintln(w, text)
	})
	a.userFlag(c, &r.Sender, "", contextUserHelp)
	return c
}
