package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func TestStatsPlot(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "- The ferry leaves at nine\n- Ada has the key\n")
	plain := runProgram(t, dir, state, "stats", "--plot")
	for _, want := range []string{"WARM, ", "2┼──", "memories by age", "< day │█", "nothing is known before"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the plot lacks %q:\n%s", want, plain)
		}
	}
	var out bytes.Buffer
	a := newApp(t, dir, state)
	a.out, a.terminal = &out, true
	if code := a.run(t.Context(), []string{"stats", "--plot"}); code != exitOK || !strings.Contains(out.String(), "\x1b[") || !strings.Contains(out.String(), "ARCHIVE") {
		t.Errorf("with colour (%d):\n%s", code, out.String())
	}
}

func TestPlotShowsWhatIsUnknown(t *testing.T) {
	c := chart{Workspace: "notes", History: memory.TierHistory{Days: memory.List[memory.TierDay]{
		{Day: "2026-11-20", Unknown: 3, Tiers: map[memory.Tier]int{}}, {Day: "2026-11-21", Tiers: map[memory.Tier]int{memory.TierCold: 3}}}}}
	var out bytes.Buffer
	if c.draw(&out, 80, false); !strings.Contains(out.String(), "unknown, 2026-11-20 to 2026-11-21") {
		t.Error(out.String())
	}
}
