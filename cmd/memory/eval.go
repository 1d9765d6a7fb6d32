package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func (a *app) evalCommand() *cobra.Command {
	var file string
	var noLatency bool
	args := arguments{least: 1, most: 1, missing: "the golden file", read: func(given []string) error { file = given[0]; return nil }}
	c := newCommand("eval GOLDEN.jsonl|-", args, func(c *cobra.Command) error {
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			report, err := a.measure(c.Context(), s, file)
			if err != nil {
				return err
			}
			if n := report.LeftOutByDate; n > 0 {
				a.note("as_of leaves out up to %d memories of a query because of their date", n)
			}
			a.noteLost(report)
			if noLatency {
				report = report.Quality()
			}
			return printAnswer(a, report, func(w io.Writer, report eval.Report) { _ = report.WriteTable(w) })
		})
	})
	c.Flags().BoolVar(&noLatency, "no-latency", false, "leave out the times, so that two runs of the same ranking are equal")
	return c
}

// measure runs the queries of a golden file, with a progress bar.
func (a *app) measure(ctx context.Context, s *session, file string) (eval.Report, error) {
	golden, lanes, err := a.readGolden(ctx, s, file)
	if err != nil {
		return eval.Report{}, err
	}
	lines, err := locate(ctx, s, golden)
	if err != nil {
		return eval.Report{}, err
	}
	leftOut := 0
	system := s.product(&leftOut)
	system.WhyNot = lines.whyNot
	report, err := eval.Run(ctx, golden, lanes, system, func(done, total int) {
		a.show(memory.Progress{Stage: "query", Done: done, Total: total})
	})
	report.LeftOutByDate, report.NoMemory = leftOut, lines.lost
	return report, err
}

// readGolden reads the golden queries of a file, or of the standard input (-). It
// returns the lanes that can answer them.
func (a *app) readGolden(ctx context.Context, s *session, file string) ([]eval.Golden, []memory.Lane, error) {
	zone, lanes, err := zoneAndLanes(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	src, err := a.openInput(file, "golden", "name a file of golden queries; memory eval --help shows its format")
	if err != nil {
		return nil, nil, err
	}
	golden, err := eval.ReadGolden(src, zone)
	return golden, lanes, errors.Join(err, src.Close())
}

// product runs golden queries as a person searches and as an agent recalls. Nothing
// counts as used. leftOut becomes the most memories that the date of one query
// excludes.
func (s *session) product(leftOut *int) eval.System {
	search := func(ctx context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		answer, err := s.searchGolden(ctx, lane, g)
		*leftOut = max(*leftOut, answer.LeftOutByDate)
		return answer.Hits, err
	}
	return eval.System{Search: search, Inject: s.injectGolden}
}

func (s *session) searchGolden(ctx context.Context, lane memory.Lane, g eval.Golden) (memory.SearchAnswer, error) {
	most := eval.MaxHits
	answer, err := s.Search(ctx, memory.SearchRequest{Query: g.Query, Workspace: s.workspaceOf(g), Limit: &most, Lane: lane, Explain: true, Ranked: true,
		Filter: memory.Filter{Scope: g.Scope}, AsOf: asOf(g)})
	if state, known := answer.Lanes[lane]; err == nil && known && state != "ok" {
		err = memory.Unavailable(nil, "the %s lane is not available: %s", lane, state)
	}
	return answer, err
}

func (s *session) injectGolden(ctx context.Context, g eval.Golden) ([]memory.Hit, error) {
	never := false
	answer, err := s.Recall(ctx, memory.RecallRequest{Prompt: g.Query, Workspace: s.workspaceOf(g), Scope: g.Scope, AsOf: asOf(g), Record: &never})
	return answer.Hits, err
}

func (s *session) workspaceOf(g eval.Golden) string {
	if g.Workspace != "" {
		return g.Workspace
	}
	return s.Workspace
}

func asOf(g eval.Golden) string {
	if g.AsOf.IsZero() {
		return ""
	}
	return g.AsOf.Format(time.RFC3339)
}

// zoneAndLanes returns the time zone of the workspace, and its lanes.
func zoneAndLanes(ctx context.Context, s *session) (*time.Location, []memory.Lane, error) {
	status, err := s.Status(ctx)
	if err != nil {
		return nil, nil, err
	}
	zone, lanes := time.Local, memory.Lanes
	for _, w := range status.Workspaces {
		if w.Name != s.Workspace {
			continue
		}
		if named, err := time.LoadLocation(w.Timezone); err == nil {
			zone = named
		}
		if w.Embedding.Dim == 0 {
			lanes = []memory.Lane{memory.LaneText}
		}
	}
	return zone, lanes, nil
}
