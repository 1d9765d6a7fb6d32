package main

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

// goldenSets are the workspaces with golden queries. `make eval` keeps their
// figures.
var goldenSets = []string{"../../examples-workspace", "../../eval/workspaces/talk", "../../eval/workspaces/workshop"}

// goldenSession is a session on a copy of a golden set's workspace, with its queries.
type goldenSession struct {
	*session
	all    []eval.Golden
	golden []eval.Golden // only queries that have an answer
}

// openGolden opens a copy of a workspace with its own settings, as the program does
// without a service. Its files are read-only, so that decisions stay in the index and
// no line moves.
func openGolden(t *testing.T, dir string, environ ...string) goldenSession {
	t.Helper()
	root := t.TempDir()
	copied := filepath.Join(root, "workspace")
	must(t, os.CopyFS(copied, os.DirFS(dir)))
	old := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) // files without a date are older than the queries
	must(t, filepath.WalkDir(copied, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
		return os.Chmod(path, 0o444)
	}))
	a := &app{in: strings.NewReader(""), out: io.Discard, err: io.Discard, stateDirFlag: filepath.Join(root, "state"), workspaceFlag: copied,
		environ: environ, env: func(string) string { return "" }}
	s, err := a.open(t.Context(), writesIndex, true)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	golden, _, err := a.readGolden(t.Context(), s, filepath.Join(copied, "golden.jsonl"))
	must(t, err)
	return goldenSession{s, golden, slices.DeleteFunc(slices.Clone(golden), func(g eval.Golden) bool { return len(g.Relevant) == 0 })}
}

func (m goldenSession) listAll(t *testing.T) []memory.Memory {
	t.Helper()
	all := 0
	list, err := m.List(t.Context(), memory.ListRequest{Workspace: m.Workspace, Sort: "path", Limit: &all})
	must(t, err)
	return list.Memories
}

// The golden queries of the two workspaces that test noise and tiers have the
// properties that their READMEs list.
func TestGoldenLinesAreMemories(t *testing.T) {
	for _, dir := range goldenSets[1:] {
		m := openGolden(t, dir)
		list, cold := m.listAll(t), 0
		plain := slices.DeleteFunc(slices.Clone(m.golden), func(g eval.Golden) bool { return g.Category == "event" })
		if len(plain) != 40 || len(list) < 60 {
			t.Errorf("%s: %d plain queries and %d memories, want 40 and at least 60", dir, len(plain), len(list))
		}
		for _, g := range m.golden {
			at := slices.IndexFunc(list, func(one memory.Memory) bool { return isRelevant(g, one) })
			if at < 0 {
				t.Errorf("%s: %s: no memory is on the lines %v", dir, g.ID, g.Relevant)
			} else if list[at].Tier == memory.TierCold {
				cold++
			}
		}
		if want := map[string]int{"workshop": 36, "talk": 0}[filepath.Base(dir)]; cold != want {
			t.Errorf("%s: %d correct answers are COLD, want %d", dir, cold, want)
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// The order of a search loses little recall, compared with the same hits in the order
// of the ranking alone and of the similarity alone.
func TestCompositeScoreCostsLittleRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	var queries, found, ranking, similarity float64
	for _, dir := range goldenSets {
		m := openGolden(t, dir)
		search, known := m.product(new(int)).Search, map[string][]memory.Hit{}
		recall := func(by func(memory.Hit) float64) (n, share float64) {
			r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: func(ctx context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
				if known[g.ID] == nil {
					hits, err := search(ctx, lane, g)
					if err != nil {
						return nil, err
					}
					known[g.ID] = hits
				}
				hits := slices.Clone(known[g.ID])
				if by != nil {
					slices.SortStableFunc(hits, func(a, b memory.Hit) int { return cmp.Compare(by(b), by(a)) })
				}
				return hits, nil
			}}, nil)
			must(t, err)
			return float64(r.Queries), r.Metrics.Recall10
		}
		n, product := recall(nil)
		_, points := recall(func(h memory.Hit) (sum float64) {
			for _, f := range h.Ranking {
				sum += f.Points
			}
			return sum
		})
		_, alike := recall(func(h memory.Hit) float64 { return h.Similarity })
		t.Logf("%s: recall@10 %.4f, by the ranking alone %.4f, by similarity alone %.4f", filepath.Base(dir), product, points, alike)
		queries, found, ranking, similarity = queries+n, found+n*product, ranking+n*points, similarity+n*alike
	}
	const most = 0.01 // of recall@10: two orders of equal quality differ by one point
	for name, alone := range map[string]float64{"the ranking": ranking, "similarity": similarity} {
		if cost := (alone - found) / queries; cost > most {
			t.Errorf("recall@10 by %s alone is %.2f points higher over %v queries", name, 100*cost, queries)
		}
	}
}

// Tiers hide no correct answer: nine in ten correct answers are COLD and all other
// memories HOT or WARM. The injected memories are compared with the same workspace in
// which every memory is WARM, with the default settings and without a floor.
func TestTiersDoNotHideCorrectAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of queries")
	}
	for name, environ := range map[string][]string{
		"default settings": nil, "no floor": {"MEMORY_INJECTION_FLOOR=0"},
	} {
		t.Run(name, func(t *testing.T) {
			var queries, inMixed, inOne float64
			for _, dir := range goldenSets {
				m := openGolden(t, dir, environ...)
				n := float64(len(m.golden))
				one := m.injected(t, func(int, bool) memory.Tier { return memory.TierWarm }, memory.TierWarm)
				mixed := m.injected(t, assignTier, memory.TierCold)
				t.Logf("%s: injected %.4f, in one tier %.4f", filepath.Base(dir), mixed, one)
				queries, inMixed, inOne = queries+n, inMixed+n*mixed, inOne+n*one
			}
			const most = 0.02 // share of the relevant lines
			if cost := (inOne - inMixed) / queries; cost > most {
				t.Errorf("with one tier, %.2f points more are injected over %v queries", 100*cost, queries)
			}
		})
	}
}

// assignTier returns COLD for nine in ten of the correct answers. The other memories
// are HOT and WARM in turn.
func assignTier(i int, right bool) memory.Tier {
	switch {
	case right && i%10 != 9:
		return memory.TierCold
	case i%2 == 0:
		return memory.TierHot
	}
	return memory.TierWarm
}

// injected assigns the tiers, then returns the share of the relevant lines that the
// blocks contain. tier gets the number of a correct answer or of another memory. At
// least 80 % of the injected correct answers must be in the expected tier; otherwise
// the tiers were not assigned as the test needs them.
func (m goldenSession) injected(t *testing.T, tier func(i int, right bool) memory.Tier, expected memory.Tier) float64 {
	t.Helper()
	m.assignTiers(t, tier)
	right, as := 0, 0
	inject := func(ctx context.Context, g eval.Golden) ([]memory.Hit, error) {
		hits, err := m.injectGolden(ctx, g)
		for _, h := range hits {
			if isRelevant(g, h.Memory) {
				if right++; h.Tier == expected {
					as++
				}
			}
		}
		return hits, err
	}
	noSearch := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return nil, nil }
	r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.System{Search: noSearch, Inject: inject}, nil)
	must(t, err)
	if right == 0 || 100*as < 80*right {
		t.Fatalf("%d of %d injected correct memories are %s", as, right, expected)
	}
	return r.Blocks.Recall
}

func isRelevant(g eval.Golden, m memory.Memory) bool {
	return slices.ContainsFunc(g.Relevant, func(l eval.Line) bool {
		return l.Path == m.Path && m.LineStart <= l.Line && l.Line <= m.LineEnd
	})
}

func (m goldenSession) assignTiers(t *testing.T, tier func(i int, right bool) memory.Tier) {
	t.Helper()
	to, seen := map[memory.Tier][]string{}, map[bool]int{}
	for _, one := range m.listAll(t) {
		right := slices.ContainsFunc(m.golden, func(g eval.Golden) bool { return isRelevant(g, one) })
		wanted := tier(seen[right], right)
		to[wanted] = append(to[wanted], string(one.ID))
		seen[right]++
	}
	for _, wanted := range []memory.Tier{memory.TierHot, memory.TierWarm, memory.TierCold} {
		for _, action := range []memory.Action{memory.ActionPromote, memory.ActionDemote} { // each changes only the memories on one side of the tier
			if len(to[wanted]) == 0 {
				continue
			}
			_, err := m.Decide(t.Context(), memory.DecideRequest{Action: action, Workspace: m.Workspace, IDs: to[wanted], Tier: wanted})
			must(t, err)
		}
	}
}
