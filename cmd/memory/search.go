package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/recall"
)

func (a *app) searchCommand() *cobra.Command {
	var r memory.SearchRequest
	limit := 10
	c := newCommand("search QUERY", a.textArguments("the query", &r.Query), func(c *cobra.Command) error {
		r.Limit = optionalFlag(c, "limit", &limit)
		return a.askFrom(c.Context(), &r.Folder, func(s *session) error {
			r.Workspace = s.Workspace
			return printed(a, a.printHits)(s.Search(c.Context(), r))
		})
	})
	filterFlags(c, &r.Filter)
	flags := c.Flags()
	flags.IntVar(&limit, "limit", limit, "at most this many hits")
	flags.BoolVar(&r.Deep, "deep", false, "search the ARCHIVE tier too")
	flags.BoolVar(&r.Forgotten, "forgotten", false, "show forgotten memories too, with a mark")
	wordFlag(c, &r.Lane, memory.ParseLane, memory.Lanes, "lane", "how to search: hybrid, text (keywords) or vector (meaning)")
	flags.BoolVar(&r.Explain, "explain", false, "show what each score consists of")
	flags.StringVar(&r.Folder, "folder", "", folderHelp)
	flags.BoolFunc("docs", "search the folders of documents instead: memory workspace add --docs DIR", func(string) error { r.Docs, r.Folder = true, "."; return nil })
	flags.StringVar(&r.AsOf, "as-of", "", "answer as at this `time` (RFC 3339 or a date)")
	flags.StringVar(&r.Agent, "agent", "", "as this `agent`; a rule of scopes may give it a scope")
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}

func (a *app) printHits(w io.Writer, answer memory.SearchAnswer) {
	for _, h := range answer.Hits {
		head := fmt.Sprintf("%3.0f%%  %s  %-7s %s", 100*h.Similarity, h.ID.Short(), h.Tier, a.colour(display.Location(h.Memory), color.FgCyan))
		fmt.Fprintf(w, "%s\n      %s%s\n", head, display.State(h.Memory), display.MemoryLine(h.Text, max(20, a.width-6)))
		for _, f := range h.Factors {
			fmt.Fprintf(w, "      %-14s %7.4f × %5.2f = %7.4f\n", f.Name, f.Value, f.Weight, f.Points)
		}
		if len(h.Ranking) > 0 {
			fmt.Fprintf(w, "      ranked by      %s\n", sumText(h.Ranking))
		}
	}
	a.noteSearch(answer)
}

// sumText writes a ranking as a sum, without the signals that add nothing.
func sumText(signals []memory.Factor) string {
	var parts []string
	sum := 0.0
	for _, f := range signals {
		if f.Points != 0 {
			parts = append(parts, fmt.Sprintf("%s %.2f × %.1f", f.Name, f.Value, f.Weight))
			sum += f.Points
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("total %.2f", sum)), ", ")
}

// poorSimilarity is half of the floor for injection: fewer than one in a hundred
// hits below it answer the query (docs/scoring.md).
const poorSimilarity = recall.DefaultFloor / 2

// noteSearch prints notes about an answer: no hits, hidden hits, lanes that failed.
func (a *app) noteSearch(answer memory.SearchAnswer) {
	best := 0.0
	for _, h := range answer.Hits {
		best = max(best, h.Similarity)
	}
	if len(answer.Hits) == 0 {
		fmt.Fprintln(a.err, "No relevant memories found")
	} else if best < poorSimilarity {
		a.note("nothing fits the query well; the best hit has %.0f%%", 100*best)
	}
	if n := answer.ForgottenMatches; n > 0 {
		a.note("%d hidden because forgotten (--forgotten shows them)", n)
	}
	a.notes(answer.Notices)
	for lane, state := range answer.Lanes {
		if state != "ok" {
			a.note("the %s lane is not available: %s", lane, state)
		}
	}
	a.noteGaps(answer.LeftOutByDate, answer.Indexing, answer.Stale)
}
