package main

import (
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

// goldenSets are the workspaces of which it is known what answers what; `make
// eval` keeps their figures.
var goldenSets = []string{"../../examples-workspace", "../../eval/workspaces/talk", "../../eval/workspaces/workshop"}

// measured is a session over a copy of a golden set's workspace, and its queries.
type measured struct {
	*session
	golden []eval.Golden // that something answers
}

// measure opens a copy of a workspace with settings of its own, as the program
// does where no daemon runs. No file of it can be written, so that decisions
// stay in the index and no line moves.
func measure(t *testing.T, dir string, environ ...string) measured {
	t.Helper()
	root := t.TempDir()
	copied := filepath.Join(root, "workspace")
	fail(t, os.CopyFS(copied, os.DirFS(dir)))
	old := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) // undated files: before anybody asks
	fail(t, filepath.WalkDir(copied, func(path string, d fs.DirEntry, err error) error {
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
	fail(t, err)
	t.Cleanup(func() { fail(t, s.Close()) })
	golden, _, err := readGolden(t.Context(), s, filepath.Join(copied, "golden.jsonl"))
	fail(t, err)
	return measured{s, slices.DeleteFunc(golden, func(g eval.Golden) bool { return len(g.Relevant) == 0 })}
}

func (m measured) memories(t *testing.T) []memory.Memory {
	t.Helper()
	all := 0
	list, err := m.List(t.Context(), memory.ListRequest{Workspace: m.Workspace, Sort: "path", Limit: &all})
	fail(t, err)
	return list.Memories
}

// TestGoldenLinesAreMemories holds the questions of the workspaces that are here
// for noise and for tiers against what they say of themselves: see their README.
func TestGoldenLinesAreMemories(t *testing.T) {
	for _, dir := range goldenSets[1:] {
		m := measure(t, dir)
		list, cold := m.memories(t), 0
		plain := slices.DeleteFunc(slices.Clone(m.golden), func(g eval.Golden) bool { return g.Category == "event" })
		if len(plain) != 40 || len(list) < 60 {
			t.Errorf("%s: %d questions that are answered by %d memories", dir, len(plain), len(list))
		}
		for _, g := range m.golden {
			at := slices.IndexFunc(list, func(one memory.Memory) bool { return rightFor(g, one) })
			if at < 0 {
				t.Errorf("%s: %s: no memory stands on %v", dir, g.ID, g.Relevant)
			} else if list[at].Tier == memory.TierCold {
				cold++
			}
		}
		if want := map[string]int{"workshop": 36, "talk": 0}[filepath.Base(dir)]; cold != want {
			t.Errorf("%s: %d right answers are COLD, want %d", dir, cold, want)
		}
	}
}

func fail(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheCompositeCostsLittle holds the order that a search comes in against
// the same hits ordered by the ranking alone, and by similarity alone.
func TestTheCompositeCostsLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("asks hundreds of questions")
	}
	var queries, found, ranking, similarity float64
	for _, dir := range goldenSets {
		m := measure(t, dir)
		r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.Product{Search: m.searchGolden}, nil)
		fail(t, err)
		if r.Orders == nil {
			t.Fatalf("%s: no orders", dir)
		}
		n := float64(r.Queries)
		t.Logf("%s: recall@10 %.4f, by the ranking alone %.4f, by similarity alone %.4f, by the composite alone %.4f", filepath.Base(dir),
			r.Metrics.Recall10, r.Orders.Ranking.Recall10, r.Orders.Similarity.Recall10, r.Orders.Composite.Recall10)
		queries, found = queries+n, found+n*r.Metrics.Recall10
		ranking, similarity = ranking+n*r.Orders.Ranking.Recall10, similarity+n*r.Orders.Similarity.Recall10
	}
	const most = 0.01 // of recall@10: a point is what two orders of equal worth differ by
	for name, alone := range map[string]float64{"the ranking": ranking, "similarity": similarity} {
		if cost := (alone - found) / queries; cost > most {
			t.Errorf("by %s alone recall@10 is %.2f points higher over %v queries", name, 100*cost, queries)
		}
	}
}

// TestTiersNeverBuryTheAnswer makes nine in ten right answers COLD, and all that
// is round them HOT or WARM, and holds what is injected against the same
// workspace where all is WARM: with the settings as they are, and where every
// place of a block is fought for.
func TestTiersNeverBuryTheAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("asks hundreds of questions")
	}
	for name, environ := range map[string][]string{
		"as it ships": nil, "no floor": {"MEMORY_INJECTION_FLOOR=0"},
	} {
		t.Run(name, func(t *testing.T) {
			var queries, inMixed, inOne float64
			for _, dir := range goldenSets {
				m := measure(t, dir, environ...)
				n := float64(len(m.golden))
				one := m.injected(t, func(int, bool) memory.Tier { return memory.TierWarm }, memory.TierWarm)
				mixed := m.injected(t, mixedTier, memory.TierCold)
				t.Logf("%s: injected %.4f, in one tier %.4f", filepath.Base(dir), mixed, one)
				queries, inMixed, inOne = queries+n, inMixed+n*mixed, inOne+n*one
			}
			const most = 0.02 // of the relevant lines
			if cost := (inOne - inMixed) / queries; cost > most {
				t.Errorf("in one tier %.2f points more are injected over %v queries", 100*cost, queries)
			}
		})
	}
}

// mixedTier is COLD for nine in ten of the right answers; what is left, and all
// that answers nothing, is HOT and WARM in turn.
func mixedTier(i int, right bool) memory.Tier {
	switch {
	case right && i%10 != 9:
		return memory.TierCold
	case i%2 == 0:
		return memory.TierHot
	}
	return memory.TierWarm
}

// injected gives the share of the relevant lines that the blocks hold, once every
// memory has its tier: the i-th right one, or the i-th other. Nine in ten of the
// right ones that are injected must then be in the tier that is expected, or the
// memories are not where the test means them to be.
func (m measured) injected(t *testing.T, tier func(i int, right bool) memory.Tier, expected memory.Tier) float64 {
	t.Helper()
	m.place(t, tier)
	right, as := 0, 0
	inject := func(ctx context.Context, g eval.Golden) ([]memory.Hit, error) {
		hits, err := m.injectGolden(ctx, g)
		for _, h := range hits {
			if rightFor(g, h.Memory) {
				if right++; h.Tier == expected {
					as++
				}
			}
		}
		return hits, err
	}
	unasked := func(context.Context, memory.Lane, eval.Golden) ([]memory.Hit, error) { return nil, nil }
	r, err := eval.Run(t.Context(), m.golden, []memory.Lane{memory.LaneHybrid}, eval.Product{Search: unasked, Inject: inject}, nil)
	fail(t, err)
	if right == 0 || 100*as < 80*right {
		t.Fatalf("%d of %d right memories that are injected are %s", as, right, expected)
	}
	return r.Blocks.Recall
}

func rightFor(g eval.Golden, m memory.Memory) bool {
	return slices.ContainsFunc(g.Relevant, func(l eval.Line) bool {
		return l.Path == m.Path && m.LineStart <= l.Line && l.Line <= m.LineEnd
	})
}

func (m measured) place(t *testing.T, tier func(i int, right bool) memory.Tier) {
	t.Helper()
	to, seen := map[memory.Tier][]string{}, map[bool]int{}
	for _, one := range m.memories(t) {
		right := slices.ContainsFunc(m.golden, func(g eval.Golden) bool { return rightFor(g, one) })
		wanted := tier(seen[right], right)
		to[wanted] = append(to[wanted], string(one.ID))
		seen[right]++
	}
	for _, wanted := range []memory.Tier{memory.TierHot, memory.TierWarm, memory.TierCold} {
		for _, action := range []memory.Action{memory.ActionPromote, memory.ActionDemote} { // either keeps what is there
			if len(to[wanted]) == 0 {
				continue
			}
			_, err := m.Decide(t.Context(), memory.DecideRequest{Action: action, Workspace: m.Workspace, IDs: to[wanted], Tier: wanted})
			fail(t, err)
		}
	}
}
