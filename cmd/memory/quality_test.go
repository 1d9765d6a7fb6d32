package main

import (
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
	"github.com/memory-tiered/memory/internal/must"
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
	must.Do(t, os.CopyFS(copied, os.DirFS(dir)))
	old := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) // files without a date are older than the queries
	must.Do(t, filepath.WalkDir(copied, func(path string, d fs.DirEntry, err error) error {
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
	must.Do(t, err)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	golden, _, err := a.readGolden(t.Context(), s, filepath.Join(copied, "golden.jsonl"))
	must.Do(t, err)
	return goldenSession{s, golden, slices.DeleteFunc(slices.Clone(golden), func(g eval.Golden) bool { return len(g.Relevant) == 0 })}
}

func (m goldenSession) listAll(t *testing.T) []memory.Memory {
	t.Helper()
	all := 0
	list, err := m.List(t.Context(), memory.ListRequest{Workspace: m.Workspace, Sort: "path", Limit: &all})
	must.Do(t, err)
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
			must.Do(t, err)
		}
	}
}
