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
reciprocal rank, nDCG and recall within token budgets, as shares from 0 to 1; then
what recall would put before a model. A line of the file is
{"id", "query", "category", "as_of", "relevant": [{"path", "line"}]}; an empty
"relevant" says that no memory answers. Nothing that it asks counts as used.`,
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

// measure runs the queries of a golden file, with a progress bar.
func (a *app) measure(ctx context.Context, s *session, file string) (eval.Report, error) {
	golden, lanes, err := readGolden(ctx, s, file)
	if err != nil {
		return eval.Report{}, err
	}
	bar := a.progress()
	defer bar.done()
	return eval.Run(ctx, golden, lanes, s.product(), func(done, total int) {
		bar.show(memory.Progress{Stage: "ask", Done: done, Total: total})
	})
}

// readGolden reads golden queries, and which lanes there are to ask.
func readGolden(ctx context.Context, s *session, file string) ([]eval.Golden, []memory.Lane, error) {
	zone, lanes, err := setting(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	src, err := os.Open(file)
	if err != nil {
		return nil, nil, &memory.Error{Kind: memory.ErrNotFound, Field: "golden", Message: "read the golden file", Cause: err}
	}
	golden, err := eval.ReadGolden(src, zone)
	return golden, lanes, errors.Join(err, src.Close())
}

// product is how golden queries are asked: as a person searches and as an agent
// recalls, but nothing counts as used.
func (s *session) product() eval.Product {
	return eval.Product{Search: s.searchGolden, Inject: s.injectGolden}
}

func (s *session) searchGolden(ctx context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
	most := eval.MaxHits
	answer, err := s.Search(ctx, memory.SearchRequest{Query: g.Query, Workspace: s.of(g), Limit: &most, Lane: lane, Explain: true,
		Filter: memory.Filter{Scope: g.Scope}, AsOf: asOf(g)})
	if state, asked := answer.Lanes[lane]; err == nil && asked && state != "ok" {
		err = memory.Unavailable(nil, "the %s lane is out: %s", lane, state)
	}
	return answer.Hits, err
}

func (s *session) injectGolden(ctx context.Context, g eval.Golden) ([]memory.Hit, error) {
	never := false
	answer, err := s.Recall(ctx, memory.RecallRequest{Prompt: g.Query, Workspace: s.of(g), Scope: g.Scope, AsOf: asOf(g), Record: &never})
	return answer.Hits, err
}

func (s *session) of(g eval.Golden) string {
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
