package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/knowledge"
)

func (a *app) entityCommand() *cobra.Command {
	c := &cobra.Command{Use: "entity"}
	c.AddCommand(a.entityList(), a.entityShow(), a.entityChange("merge", "OTHER"), a.entityChange("rename", "NEW"), a.entityChange("alias", "ALIAS"))
	return c
}

func (a *app) entityList() *cobra.Command {
	var r memory.ListRequest
	limit := 0
	c := question(a, "list", arguments{}, api.Backend.Entities, &r, &r.Workspace, func(w io.Writer, answer knowledge.EntitiesAnswer) {
		display.Entities(w, answer.Entities)
		a.noteShown(len(answer.Entities), answer.Total)
		a.noteGaps(0, nil, answer.Stale)
	})
	c.Flags().IntVar(&limit, "limit", 0, "at most this many; 0: no limit")
	r.Limit = &limit
	a.entityFlags(c, &r)
	return c
}

// entityFlags adds the flags that tell which memories count.
func (a *app) entityFlags(c *cobra.Command, r *memory.ListRequest) {
	flags := c.Flags()
	flags.StringVar((*string)(&r.Scope), "scope", "", "only memories of this scope (global and unscoped memories match any)")
	flags.StringVar(&r.Path, "path", "", "only memories in files that match this `glob`; ** matches across folders")
	flags.StringVar(&r.Since, "since", "", "only memories created on this `date` or later")
	flags.StringVar(&r.Until, "until", "", "only memories created on this `date` or earlier")
	a.userFlag(c, &r.Sender, "", readerHelp)
}

// entityPages are what is known of each person or thing that a name may mean.
type entityPages struct {
	Entities memory.List[entityPage] `json:"entities"`
	Like     memory.List[string]     `json:"like"`
	stale    bool
}

type entityPage struct {
	knowledge.Entity
	Memories memory.List[memory.Memory] `json:"memories"` // newest first
}

func (a *app) entityShow() *cobra.Command {
	var r memory.ListRequest
	c := question(a, "show NAME", a.nameArguments(&r.Entity), readEntity, &r, &r.Workspace, func(w io.Writer, pages entityPages) {
		for i, page := range pages.Entities {
			if i > 0 {
				fmt.Fprintln(w)
			}
			display.Entity(w, page.Entity)
			a.printMemories(w, memory.ListAnswer{Memories: page.Memories})
		}
		if len(pages.Like) > 0 {
			a.note("other names: %s; memory entity merge makes two of them one", strings.Join(pages.Like, ", "))
		}
		a.noteGaps(0, nil, pages.stale)
	})
	a.entityFlags(c, &r)
	return c
}

// readEntity reads what is known of each person or thing that a name may mean.
func readEntity(b api.Backend, ctx context.Context, r memory.ListRequest) (pages entityPages, err error) {
	found, err := b.Entities(ctx, r)
	pages.Like, pages.stale = found.Like, found.Stale
	for _, e := range found.Entities {
		r.Entity = e.Name
		of, err := newestFirst(b, ctx, r)
		if err != nil {
			return pages, err
		}
		pages.Entities = append(pages.Entities, entityPage{e, of})
	}
	return pages, err
}

// newestFirst reads all memories that a request selects, also properties of files.
func newestFirst(b api.Backend, ctx context.Context, r memory.ListRequest) (memory.List[memory.Memory], error) {
	r.Properties, r.Sort = true, "created_at"
	all, err := listAll(b, ctx, r)
	return all.Memories, err
}

// entityChange makes a command that decides that two names mean the same.
func (a *app) entityChange(action, other string) *cobra.Command {
	r := knowledge.ChangeEntityRequest{Action: action}
	args := arguments{least: 2, most: 2, missing: "NAME or " + other, read: func(given []string) error { r.Name, r.Other = given[0], given[1]; return nil },
		complete: func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.completeName(c, typed), cobra.ShellCompDirectiveNoFileComp
		}}
	return change(a, action+" NAME "+other, args, nil, api.Backend.ChangeEntity, &r, &r.Workspace, func(w io.Writer, answer memory.ChangeAnswer) {
		for _, m := range answer.Changed {
			fmt.Fprintf(w, "%s: %s\n", display.Location(m), display.Line(m.Text, a.width))
		}
	})
}

func (a *app) graphCommand() *cobra.Command {
	var r memory.ListRequest
	limit, format := knowledge.DefaultEdges, display.GraphFormats[0]
	c := question(a, "graph NAME", a.nameArguments(&r.Entity), api.Backend.Graph, &r, &r.Workspace, func(w io.Writer, g knowledge.Graph) {
		display.Graph(w, g, format)
		a.noteShown(len(g.Edges), len(g.Edges)+g.LeftOut)
		a.noteGaps(0, nil, g.Stale)
	})
	c.PreRunE = func(*cobra.Command, []string) error {
		a.json = a.json || format == "json"
		return knownFormat(format, display.GraphFormats)
	}
	c.Flags().StringVar(&format, "format", format, "`format`: "+strings.Join(display.GraphFormats, ", "))
	c.Flags().IntVar(&r.Hops, "hops", 1, "the distance: 1 or 2")
	c.Flags().IntVar(&limit, "limit", limit, "at most this many relations of each name; 0: no limit")
	completeWords(c, "format", display.GraphFormats)
	r.Limit = &limit
	a.entityFlags(c, &r)
	return c
}

// profileFormats lists the formats of a profile, the default first. The other one is that of a host.
var profileFormats = []string{"text", "user.md"}

func (a *app) profileCommand() *cobra.Command {
	var r knowledge.ProfileRequest
	budget, format, preview := knowledge.DefaultTokens, profileFormats[0], false
	c := question(a, "profile", arguments{}, api.Backend.Profile, &r, &r.Workspace, func(w io.Writer, page knowledge.Profile) {
		fmt.Fprint(w, page.Markdown(!preview))
		a.noteGaps(0, nil, page.Stale)
		a.note("%d tokens, %d memories left out; memory open ID edits a line", page.Tokens, page.LeftOut)
	})
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if isHosts := format == profileFormats[1]; isHosts != preview {
			return usageError(c, "--format user.md needs --preview: it is printed, and never written")
		} else if isHosts {
			r.For = memory.AudienceModel
		}
		return knownFormat(format, profileFormats)
	}
	c.Flags().StringVar(&format, "format", format, "`format`: "+strings.Join(profileFormats, ", "))
	c.Flags().BoolVar(&preview, "preview", false, "print what OpenClaw's USER.md could have; with --format user.md")
	c.Flags().IntVar(&budget, "budget", budget, "at most this many `tokens` of 4 bytes; 0: no limit")
	completeWords(c, "format", profileFormats)
	r.MaxTokens = &budget
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}

// knownFormat returns an error for a value of --format that is not known.
func knownFormat(format string, known []string) error {
	if !slices.Contains(known, format) {
		return memory.Invalid("format", "unknown format %q", format).WithHint("one of: %s", strings.Join(known, ", "))
	}
	return nil
}

// nameArguments are the words of one name.
func (a *app) nameArguments(name *string) arguments {
	return arguments{least: 1, most: -1, missing: "the name", read: func(given []string) error {
		if *name = strings.TrimSpace(strings.Join(given, " ")); *name == "" {
			return memory.Invalid("entity", "the name is empty")
		}
		return nil
	},
		complete: firstArgument(a.completeName)}
}

// completeName completes the name of a person or thing.
func (a *app) completeName(c *cobra.Command, typed string) (found []string) {
	_ = a.withSession(c.Context(), readsIndex, func(s *session) error { // an error completes nothing
		all, err := s.Entities(c.Context(), memory.ListRequest{Workspace: s.Workspace})
		for _, e := range all.Entities {
			for _, name := range append([]string{e.Name}, e.Aliases...) {
				if strings.HasPrefix(strings.ToLower(name), strings.ToLower(typed)) {
					found = append(found, name+"\t"+display.MemoryCount(e.Memories))
				}
			}
		}
		return err
	})
	return found
}
