package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func (a *app) evalCommand() *cobra.Command {
	var compare string
	var noLatency bool
	c := &cobra.Command{
		Use:   "eval GOLDEN.jsonl",
		Short: "measure retrieval with questions whose answers are known",
		Long: `eval asks every question of a golden file in each lane and prints recall, hits,
reciprocal rank, nDCG and recall within token budgets, as shares from 0 to 1.
A line of the file is {"id", "query", "category", "as_of", "relevant": [{"path", "line"}]}.
Nothing that it asks counts as used.`,
		Example: `  memory eval golden.jsonl
  memory eval golden.jsonl --json > before.json
  memory eval golden.jsonl --compare before.json`,
		Args: arguments(1, 1, "the golden file"),
		RunE: func(c *cobra.Command, args []string) error {
			before, err := readReport(compare)
			if err != nil {
				return err
			}
			return a.with(c.Context(), reads, func(s *session) error {
				report, err := a.measure(c.Context(), s, args[0])
				if err != nil {
					return err
				}
				if noLatency {
					report = report.Quality()
				}
				if before != nil {
					report.Comparison = report.Compare(*before)
				}
				return a.answer(report, report.WriteTable)
			})
		},
	}
	c.Flags().StringVar(&compare, "compare", "", "show the difference to this `file`, an earlier run's --json")
	c.Flags().BoolVar(&noLatency, "no-latency", false, "leave out how long it took, so that two runs of one ranking are equal")
	return c
}

func (a *app) measure(ctx context.Context, s *session, file string) (eval.Report, error) {
	zone, lanes, err := setting(ctx, s)
	if err != nil {
		return eval.Report{}, err
	}
	src, err := os.Open(file)
	if err != nil {
		return eval.Report{}, &memory.Error{Kind: memory.ErrNotFound, Field: "golden", Message: "read the golden file", Cause: err}
	}
	golden, err := eval.ReadGolden(src, zone)
	if err := errors.Join(err, src.Close()); err != nil {
		return eval.Report{}, err
	}
	bar := a.progress()
	defer bar.done()
	most := eval.MaxHits
	search := func(ctx context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		r := memory.SearchRequest{Query: g.Query, Workspace: s.Workspace, Limit: &most, Lane: lane, Filter: memory.Filter{Scope: g.Scope}}
		if !g.AsOf.IsZero() {
			r.AsOf = g.AsOf.Format(time.RFC3339)
		}
		answer, err := s.Search(ctx, r)
		if state, asked := answer.Lanes[lane]; err == nil && asked && state != "ok" {
			err = memory.Unavailable(nil, "the %s lane is out: %s", lane, state)
		}
		return answer.Hits, err
	}
	return eval.Run(ctx, golden, lanes, search, func(done, total int) {
		bar.show(memory.Progress{Stage: "ask", Done: done, Total: total})
	})
}

// setting is what a golden run depends on: the workspace's zone, and which
// lanes there are.
func setting(ctx context.Context, s *session) (*time.Location, []memory.Lane, error) {
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

func readReport(file string) (*eval.Report, error) {
	if file == "" {
		return nil, nil
	}
	src, err := os.Open(file)
	if err != nil {
		return nil, &memory.Error{Kind: memory.ErrNotFound, Field: "compare", Message: "read the earlier run", Cause: err}
	}
	defer src.Close()
	var report eval.Report
	if err := json.NewDecoder(io.LimitReader(src, maxInput)).Decode(&report); err != nil {
		return nil, memory.Invalid("compare", "%s is not the --json of an earlier run: %s", file, err)
	}
	return &report, nil
}
