package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
)

func (a *app) storeCommand() *cobra.Command {
	var r memory.StoreRequest
	var importance float64
	c := &cobra.Command{
		Use:   "store TEXT",
		Short: "write a memory into today's daily note",
		Long: `store appends TEXT as a bullet to memory/YYYY-MM-DD.md, the daily note of today in
the workspace's time zone. It returns when search finds the memory. It does not
write a text again that a memory says in the same words and the same order; it
names that memory then. It refuses a text that looks like it contains a password, a
key or a code. --force stores such a text, or a similar one, all the same.
--extend ID replaces a memory by a text that contains it and adds to it, --replaces ID
one of which the text gives a new value. What keeps that memory from models or users
keeps the new one too: private, trust, scope,
expires, user. --private writes <!-- private --> beside the text. In TEXT itself,
comments and #tags are text, and declare nothing. "-" reads the text from standard
input.`,
		Example: `  memory store "Deploys go out on Fridays, never before a holiday"
  memory store --extend 3f8a "Deploys go out on Fridays, after the standup"
  memory store --private "My therapist is Dr Weber, on Tuesdays"
  pbpaste | memory store -`,
		Args: argumentCount(1, -1, "the text"),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if r.Text, err = a.textArgument(c, args); err != nil {
				return err
			}
			if c.Flags().Changed("importance") {
				r.Importance = &importance
			}
			return a.withSession(c.Context(), writesIndex, func(s *session) error {
				r.Workspace = s.Workspace
				answer, err := s.Store(c.Context(), r)
				if err != nil {
					return err
				}
				return a.printAnswer(answer, func(w io.Writer) error {
					result := "stored"
					if answer.Duplicate {
						result = *answer.Message + ":"
					}
					if _, err := fmt.Fprintf(w, "%s %s  %s\n", result, answer.Memory.ID.Short(), display.Location(answer.Memory)); err != nil {
						return err
					}
					if here, err := os.Getwd(); err == nil && s.Dir != "" && registry.AreApart(here, s.Dir) {
						fmt.Fprintf(a.err, "note: in the workspace %s, %s\n", s.Workspace, display.Name(s.Dir))
					}
					for _, id := range answer.Superseded {
						if _, err := fmt.Fprintf(w, "superseded %s\n", id.Short()); err != nil {
							return err
						}
					}
					a.noteSimilar(answer)
					for _, m := range answer.Similar {
						fmt.Fprintf(a.err, "note: both stay: %s %q; --replaces %s lets this text take its place\n", m.ID.Short(), display.MemoryLine(m.Text, 60), m.ID.Short())
					}
					for _, notice := range answer.Notices {
						fmt.Fprintf(a.err, "note: %s\n", notice)
					}
					if len(answer.Notices) > 0 && !r.Private {
						fmt.Fprintln(a.err, "hint: --private, --pin, --tier, --type and --category declare it")
					}
					return nil
				})
			})
		},
	}
	flags := c.Flags()
	flags.BoolVar(&r.Pinned, "pin", false, "pin the memory")
	flags.BoolVar(&r.Private, "private", false, "keep the memory from every model")
	flags.StringVar(&r.Extend, "extend", "", "the `id` of a memory that the text contains and adds to; the text supersedes it")
	flags.StringVar(&r.Replaces, "replaces", "", "the `id` of a memory of which the text gives a new value; the text supersedes it")
	flags.BoolVar(&r.Force, "force", false, "store the text although a similar memory exists, or although it looks like a secret")
	flags.Var(textFlag[memory.Tier]{&r.Tier, memory.ParseTier, "tier"}, "tier", "the first tier: hot, warm, cold, archive")
	flags.Var(textFlag[memory.Type]{&r.Type, memory.ParseType, "type"}, "type", "the memory type: procedural, factual, project, episodic")
	flags.Var(textFlag[memory.Category]{&r.Category, memory.ParseCategory, "category"}, "category", "the subject of the memory")
	flags.Float64Var(&importance, "importance", memory.DefaultImportance, "the importance, from 0 to 1")
	flags.StringVar((*string)(&r.Scope), "scope", "", "the scope of the memory; default: the one that a rule of scopes gives, or none")
	a.userFlag(c, &r.Sender, "", "the `user` to whom the memory belongs, a channel id or an identity; default: everybody")
	completeWords(c, "tier", memory.Tiers)
	completeWords(c, "type", memory.Types)
	completeWords(c, "category", memory.Categories)
	for _, flag := range []string{"extend", "replaces"} {
		_ = c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.completeID(c, nil, typed)
		})
	}
	return c
}

// noteSimilar tells how to store a text that is not the same as an existing one.
func (a *app) noteSimilar(answer memory.StoreAnswer) {
	if s := answer.Similarity; answer.Duplicate && (s == nil || *s < 1) {
		fmt.Fprintf(a.err, "note: it says %q; --force stores the new text too\n", display.MemoryLine(answer.Memory.Text, 80))
	}
}
