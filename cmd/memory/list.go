package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) listCommand() *cobra.Command {
	var r memory.ListRequest
	filtered, limit := false, 0
	c := question(a, "list", arguments{}, listAll, &r, &r.Workspace, func(w io.Writer, answer memory.ListAnswer) {
		a.noteGaps(answer.LeftOutByDate, answer.Indexing, answer.Stale)
		if a.terminal && !filtered {
			display.Tiers(w, answer)
		} else {
			a.printMemories(w, answer)
		}
	})
	c.PreRun = func(c *cobra.Command, _ []string) {
		c.LocalFlags().Visit(func(f *pflag.Flag) { filtered = filtered || f.Name != "as-of" })
		r.Limit = &limit
	}
	filterFlags(c, &r.Filter)
	flags := c.Flags()
	flags.IntVar(&limit, "limit", 0, "at most this many; 0: no limit")
	flags.BoolVar(&r.Forgotten, "forgotten", false, "only forgotten memories")
	flags.BoolVar(&r.Pinned, "pinned", false, "only pinned memories")
	flags.BoolVar(&r.Missing, "missing", false, "only memories whose text is in no file any more; forgotten ones with --forgotten")
	flags.BoolVar(&r.Properties, "properties", false, "also the properties of other programs in front matter")
	flags.StringVar(&r.Sort, "sort", "", "sort by created_at, last_accessed_at, use_count or path")
	flags.IntVar(&r.Offset, "offset", 0, "skip this many first")
	flags.StringVar(&r.AsOf, "as-of", "", "answer as at this `time` (RFC 3339 or a date)")
	flags.StringVar(&r.Agent, "agent", "", "as this `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, "", readerHelp)
	completeWords(c, "sort", []string{"created_at", "last_accessed_at", "use_count", "path"})
	return c
}

func (a *app) printMemories(w io.Writer, answer memory.ListAnswer) {
	for _, m := range answer.Memories {
		place := display.Location(m)
		room := max(20, a.width-8-2-8-2-len(place)-2)
		fmt.Fprintf(w, "%s  %-7s  %s  %s%s\n", m.ID.Short(), m.Tier, place, display.State(m), display.MemoryLine(m.Text, room))
	}
	a.noteShown(len(answer.Memories), answer.Total)
}

// mostPerPage is the most memories that one request asks for. On a busy machine, a larger
// page may take longer than a client waits.
const mostPerPage = 2500

// listAll lists any number of memories, page by page. It returns a memory only once,
// even if it moves to another page meanwhile.
func listAll(b api.Backend, ctx context.Context, r memory.ListRequest) (all memory.ListAnswer, err error) {
	wanted := 0 // no limit
	if r.Limit != nil {
		wanted = *r.Limit
	}
	seen, memories := map[memory.ID]bool{}, memory.List[memory.Memory]{}
	for {
		limit := mostPerPage
		if wanted != 0 {
			limit = min(limit, wanted-len(memories))
		}
		r.Limit = &limit
		page, err := b.List(ctx, r)
		if err != nil {
			return all, err
		}
		for _, m := range page.Memories {
			if !seen[m.ID] {
				seen[m.ID] = true
				memories = append(memories, m)
			}
		}
		r.Offset += len(page.Memories)
		page.Stale = page.Stale || all.Stale
		all, all.Memories = page, memories
		if len(page.Memories) == 0 || wanted != 0 && len(memories) >= wanted || r.Offset >= page.Total {
			return all, nil
		}
	}
}

func (a *app) showCommand() *cobra.Command {
	var r memory.ShowRequest
	c := question(a, "show ID", a.idArgument(&r.ID), api.Backend.Show, &r, &r.Workspace, display.Memory)
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}
