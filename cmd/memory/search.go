package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) searchCommand() *cobra.Command {
	var r memory.SearchRequest
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "find memories by words and by meaning",
		Long: `search lists the memories that answer best, by words and by meaning. Times that
the question names are preferred, and exclude nothing: "in May", "last week",
"since 2022", "between March and June", or an event, "before the move", whose date
is that of the memory that tells of it; --explain says which.`,
		Example: `  memory search "database port"
  memory search --tier warm --since 2026-09-01 deploy
  memory search --lane text --explain E_CONN_RESET`,
		Args: arguments(1, -1, "the query"),
	}
	filterFlags(c, &r.Filter)
	limit := limitFlag(c, 10, "at most so many hits")
	flags := c.Flags()
	flags.BoolVar(&r.Deep, "deep", false, "ARCHIVE too")
	flags.BoolVar(&r.Forgotten, "forgotten", false, "forgotten ones too, tagged")
	flags.Var(flagText[memory.Lane]{&r.Lane, memory.ParseLane, "lane"}, "lane", "hybrid, text (keywords) or vector (meaning)")
	flags.BoolVar(&r.Explain, "explain", false, "show what each score is made of")
	flags.StringVar(&r.AsOf, "as-of", "", "ask as if it were this `time` (RFC 3339 or a date)")
	words(c, "lane", memory.Lanes)
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if r.Query, err = a.text(c, args); err != nil {
			return err
		}
		r.Limit = limit()
		return a.with(c.Context(), reads, func(s *session) error {
			r.Workspace = s.Workspace
			answer, err := s.Search(c.Context(), r)
			if err != nil {
				return err
			}
			return a.answer(answer, func(w io.Writer) error { return a.printHits(w, answer) })
		})
	}
	return c
}

func (a *app) printHits(w io.Writer, answer memory.SearchAnswer) error {
	if e := answer.Event; e != nil {
		fmt.Fprintln(w, eventText(*e))
	}
	for _, h := range answer.Hits {
		head := fmt.Sprintf("%3.0f%%  %s  %-7s %s", 100*h.Similarity, h.ID.Short(), h.Tier, a.paint(where(h.Memory), color.FgCyan))
		if _, err := fmt.Fprintf(w, "%s\n      %s%s\n", head, marks(h.Memory), line(h.Text, max(20, a.width-6))); err != nil {
			return err
		}
		for _, f := range h.Factors {
			fmt.Fprintf(w, "      %-14s %7.4f × %5.2f = %7.4f\n", f.Name, f.Value, f.Weight, f.Points)
		}
		if len(h.Ranking) > 0 {
			fmt.Fprintf(w, "      ranked by      %s\n", sumOf(h.Ranking))
		}
	}
	a.sayAboutSearch(answer)
	return nil
}

// eventText says how the event was understood by which a question says when.
func eventText(e memory.Event) string {
	phrase := line(e.Phrase, longestPhrase)
	if e.Memory == "" {
		return fmt.Sprintf("%q: no dated memory clearly says when that was (%.0f%%), so no time is preferred", phrase, 100*e.Similarity)
	}
	var meant []string
	if e.From != nil {
		meant = append(meant, "from "+e.From.Format(time.DateOnly)+" on")
	}
	if e.Until != nil {
		meant = append(meant, "before "+e.Until.Format(time.DateOnly))
	}
	return fmt.Sprintf("%q was on %s, says %s (%.0f%%): what is dated %s is preferred",
		phrase, e.At.Format(time.DateOnly), e.Memory.Short(), 100*e.Similarity, strings.Join(meant, " and "))
}

// longestPhrase is how much of an event is repeated to who named it.
const longestPhrase = 60

// sumOf writes a ranking as the sum that it is, without what adds nothing.
func sumOf(signals []memory.Factor) string {
	var parts []string
	sum := 0.0
	for _, f := range signals {
		if f.Points != 0 {
			parts = append(parts, fmt.Sprintf("%s %.2f × %.1f", f.Name, f.Value, f.Weight))
			sum += f.Points
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("in all %.2f", sum)), ", ")
}

// sayAboutSearch tells what a person should know about an answer, besides it.
func (a *app) sayAboutSearch(answer memory.SearchAnswer) {
	if len(answer.Hits) == 0 {
		fmt.Fprintln(a.err, "No relevant memories found")
	}
	if n := answer.ForgottenMatches; n > 0 {
		fmt.Fprintf(a.err, "note: %d forgotten left out (--forgotten shows them)\n", n)
	}
	for lane, state := range answer.Lanes {
		if state != "ok" && !strings.HasPrefix(state, "not asked") {
			fmt.Fprintf(a.err, "note: the %s lane is out: %s\n", lane, state)
		}
	}
	if answer.Stale {
		a.sayStale()
	}
}
