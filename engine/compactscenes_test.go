package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// coldNotes are the notes of a day long ago, of which three stand for the others.
const coldNotes = `- The oven in the bakery was repaired by Frauke
- The oven door was replaced
- The chimney sweep measured the draught of the chimney in the morning
- The chimney is clean
- Flour and rye were delivered from the mill in Eider
- Flour is in the cellar
- The door code is written on the blue card <!-- private: true -->
- The oven is said to belong to Hinrich <!-- trust: untrusted -->
- The oven warranty ends in 2031 <!-- pinned: true -->
- The oven was bought used <!-- forgotten: true -->
`

func (w *world) compactUnused(days float64, preview bool) memory.DecayAnswer {
	w.t.Helper()
	a := must.Get(w.Decay(w.t.Context(), memory.DecayRequest{Compact: true, Unused: days, Preview: preview}))(w.t)
	return a
}

// archived returns the texts of the memories in ARCHIVE.
func (w *world) archived() (texts []string) {
	w.t.Helper()
	for key, tier := range w.tiers() {
		if tier == memory.TierArchive {
			texts = append(texts, textAfterPath(key))
		}
	}
	slices.Sort(texts)
	return texts
}

func TestExtractOfAnUnusedSceneStandsForIt(t *testing.T) {
	w := newCompactWorld(t, nil, map[string]string{"memory/2026-03-01.md": coldNotes, "memory/2026-03-02.md": "- One\n- Two\n- Three\n- Four\n- Five\n"})
	before, want := w.tiers(), []string{"Flour is in the cellar", "The chimney is clean", "The oven door was replaced"}
	if a := w.compactUnused(10_000, false); a.Total != 0 {
		t.Errorf("younger memories are archived: %+v", a)
	}
	if a := w.compactUnused(90, true); a.Total != len(want) || len(w.archived()) > 0 {
		t.Errorf("preview: %+v, archived are %q", a, w.archived())
	}
	a := w.compactUnused(90, false)
	if got := w.archived(); a.Total != len(want) || !slices.Equal(got, want) {
		t.Errorf("archived are %q, want %q", got, want)
	}
	for _, m := range a.Moves {
		if m.By == "" || !strings.Contains(m.Reason, "stands for its scene ") {
			t.Errorf("move %+v", m)
		}
	}
	if causes := w.causes(); !slices.Contains(causes, "before compact") {
		t.Errorf("snapshots: %q", causes)
	}
	if again := w.compactUnused(90, false); again.Total != 0 {
		t.Errorf("again: %+v", again)
	}
	must.Get(w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}))(t)
	for text, tier := range w.tiers() {
		if before[text] != tier {
			t.Errorf("after undo %q is %s, and was %s", text, tier, before[text])
		}
	}
}

// The memories of a scene come back by the id of the scene, however long ago they were archived.
func TestOneCommandBringsASceneBack(t *testing.T) {
	w := newCompactWorld(t, nil, map[string]string{"memory/2026-03-01.md": coldNotes})
	w.compactUnused(90, false)
	scenes, err := w.Scenes(t.Context(), memory.ListRequest{})
	if err != nil || len(scenes.Scenes) != 1 {
		t.Fatalf("%+v, %v", scenes, err)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionPromote, Filter: &memory.Filter{Scene: scenes.Scenes[0].ID, Tier: memory.TierArchive}})
	if got := w.archived(); len(got) > 0 {
		t.Errorf("archived are still %q", got)
	}
}

func TestUsedScenesAreNotCompacted(t *testing.T) {
	w := newCompactWorld(t, nil, map[string]string{"memory/2026-03-01.md": coldNotes})
	w.decide(memory.DecideRequest{Action: memory.ActionPromote, IDs: []string{string(w.idOf("The chimney is clean"))}})
	if a := w.compactUnused(90, false); a.Total != 0 {
		t.Errorf("%+v", a)
	}
}

func TestSweepsCompactOnlyIfASettingSaysSo(t *testing.T) {
	for days, want := range map[float64]int{0: 0, 90: 3} {
		c := newCaptureWorld(t, map[string]string{"memory/2026-03-01.md": coldNotes}, func(o *engine.Options) { o.CompactUnused = days })
		moves := 0
		for range 2 {
			done, err := c.SweepDue(t.Context())
			if err != nil || len(done) != 1 {
				t.Fatalf("%+v, %v", done, err)
			}
			moves += done[0].Moves
			c.at = c.at.Add(24 * time.Hour)
		}
		if got := c.archived(); len(got) != want || moves < want {
			t.Errorf("after %v days, archived are %q in %d moves", days, got, moves)
		}
		c.decide(decideRequest(memory.ActionPin, c.idOf("The chimney is clean")))
		c.decide(memory.DecideRequest{Action: memory.ActionUndo}) // a person's last command
		a, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo})
		if got := c.archived(); err == nil && len(a.Undone) > 0 || len(got) != want {
			t.Errorf("undo reverses what a sweep did: %+v, %v, archived are %q", a, err, got)
		}
	}
}

func TestASweepOnRequestCompactsToo(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"memory/2026-03-01.md": coldNotes}, func(o *engine.Options) { o.CompactUnused = 90 })
	for range 2 {
		must.Get(c.Decay(t.Context(), memory.DecayRequest{}))(t)
	}
	if got := c.archived(); len(got) != 3 {
		t.Errorf("archived are %q", got)
	}
}

// The extract of a scene stays, also if later runs find its memories in a larger scene.
func TestLaterRunsLeaveExtractsAlone(t *testing.T) {
	files := map[string]string{}
	for _, day := range []string{"03", "04", "05"} {
		files["memory/2026-03-"+day+".md"] = "- Zelda Quist measured the harbour on day " + day + "\n- Zelda Quist cleaned the long red boat near the pier of " + day + "\n" +
			"- Zelda Quist slept at " + day + "\n- Zelda Quist read at " + day + "\n- Zelda Quist ate at " + day + "\n- Nobody else came on " + day + "\n"
	}
	w := newCompactWorld(t, nil, files)
	if a := w.compactUnused(90, false); a.Total != 9 {
		t.Fatalf("%+v", a)
	}
	if again := w.compactUnused(90, false); again.Total != 0 {
		t.Errorf("again: %+v", again)
	}
}
