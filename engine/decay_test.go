package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// ageing is an engine over one workspace whose clock a test moves.
type ageing struct {
	world
	now      time.Time
	settings recall.Settings
}

func newAgeing(t *testing.T, files map[string]string) *ageing {
	t.Helper()
	a := &ageing{world: world{t: t, dir: t.TempDir()}, now: now, settings: recall.Defaults()}
	a.start(files)
	return a
}

// start indexes files and opens the engine.
func (a *ageing) start(files map[string]string) {
	a.t.Helper()
	a.db = filepath.Join(a.t.TempDir(), "tiered.db")
	for path, text := range files {
		a.write(path, text)
	}
	a.open()
	a.index()
	a.t.Cleanup(func() {
		if err := a.Close(); err != nil {
			a.t.Error(err)
		}
	})
}

func (a *ageing) open() {
	a.t.Helper()
	var err error
	a.Engine, err = engine.Open(a.t.Context(), onBackend(a.t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: a.dir, DBPath: a.db, Zone: time.UTC}},
		Embedder:   embed.None{}, Recall: a.settings, AutoRecall: true, Retention: 90 * 24 * time.Hour, Now: func() time.Time { return a.now },
	}))
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *ageing) reopen() {
	a.t.Helper()
	must.Do(a.t, a.Close())
	a.open()
}

func (a *ageing) sweep() memory.DecayAnswer {
	a.t.Helper()
	answer, err := a.Decay(a.t.Context(), memory.DecayRequest{})
	if err != nil || answer.Held != nil {
		a.t.Fatalf("%+v, %v", answer, err)
	}
	return answer
}

func (a *ageing) tierOf(query string) memory.Tier {
	a.t.Helper()
	return a.best(query).Tier
}

// notes returns a daily note with n memories.
func notes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- Memory number %d is about topic%d\n", i, i)
	}
	return b.String()
}

const note = "memory/2026-11-20.md"

func TestSweepMovesAuditsAndNeverWritesMarkdown(t *testing.T) {
	a := newAgeing(t, map[string]string{note: "- the heron stands in the pond\n- the owl hunts at dusk\n"})
	must.Get(a.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, Query: "owl", All: true}))(t)
	before := a.read(note)
	a.now = a.now.AddDate(0, 0, 4)
	answer := a.sweep()
	if len(answer.Moves) != 1 || answer.Total != 1 || answer.Moves[0].From != memory.TierHot || answer.Moves[0].To != memory.TierCold || answer.Moves[0].Reason != "72 h since it was created" {
		t.Errorf("%+v", answer)
	}
	if a.tierOf("heron") != memory.TierCold || a.tierOf("owl") != memory.TierHot || a.read(note) != before {
		t.Errorf("the heron is %s, the owl %s, the note\n%s", a.tierOf("heron"), a.tierOf("owl"), a.read(note))
	}
	audit, err := a.Audit(t.Context(), memory.AuditRequest{Source: "decay"})
	if err != nil || audit.Total != 1 {
		t.Fatal(audit, err)
	}
	row := audit.Audit[0]
	if row.Action != "demote" || row.ID != answer.Moves[0].ID || row.Batch != answer.Batch || row.Old["tier"] != "HOT" || row.New["tier"] != "COLD" || row.New["reason"] != "72 h since it was created" {
		t.Errorf("%+v", row)
	}
	explained, err := a.Explain(t.Context(), memory.ExplainRequest{ID: string(row.ID)})
	if want := "COLD since 2026-11-24 because it is over 72 h since it was created"; err != nil || explained.TierReason != want {
		t.Errorf("%q, %v", explained.TierReason, err)
	}
	if again := a.sweep(); again.Total != 0 {
		t.Errorf("the same sweep again: %+v", again)
	}
	if _, err := a.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}); err != nil || a.best("owl").Pinned {
		t.Errorf("undo takes back the pin, not the sweep: %v", err)
	}
}

// A declared tier is a start. It holds on its day, then use and age move the memory.
func TestPromotedMemoryAgesFromItsPromotion(t *testing.T) {
	a := newAgeing(t, map[string]string{"memory/2026-01-05.md": "- the heron stands in the pond\n"})
	a.sweep()
	if tier := a.tierOf("heron"); tier != memory.TierCold {
		t.Fatal(tier)
	}
	must.Get(a.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPromote, Tier: memory.TierHot, Query: "heron", All: true}))(t)
	a.sweep()
	if tier := a.tierOf("heron"); tier != memory.TierHot {
		t.Errorf("a sweep on the same day made it %s", tier)
	}
	a.now = a.now.Add(97 * time.Hour)
	a.sweep()
	if tier := a.tierOf("heron"); tier != memory.TierCold {
		t.Errorf("four days later it is %s", tier)
	}
}

func TestUsesOnTwoDaysBringAMemoryBack(t *testing.T) {
	a := newAgeing(t, map[string]string{"memory/2026-01-05.md": "- the heron stands in the pond\n"})
	a.sweep()
	for i, want := range []memory.Tier{memory.TierCold, memory.TierCold, memory.TierWarm} {
		if i == 2 {
			a.now = a.now.AddDate(0, 0, 1)
		}
		a.use(fmt.Sprint("session ", i), "heron")
		a.sweep() // it also writes the pending uses
		if tier := a.tierOf("heron"); tier != want {
			t.Errorf("after %d uses it is %s", i+1, tier)
		}
	}
	if m := a.best("heron"); m.TierReason != "WARM since 2026-11-21 because used often enough, on several days" {
		t.Errorf("%s", m.TierReason)
	}
}

func TestPreviewInTheFutureShowsTheMovesUntilThen(t *testing.T) {
	a := newAgeing(t, map[string]string{note: "- the heron stands in the pond\n", "MEMORY.md": "- the owl hunts at dusk\n",
		"memory/fair.md": "---\nexpires: 2026-12-01\n---\n- the fair opens at nine\n"})
	must.Do(t, os.Chtimes(filepath.Join(a.dir, "MEMORY.md"), now, now))
	future := "2026-12-10"
	preview, err := a.Decay(t.Context(), memory.DecayRequest{Preview: true, AsOf: future})
	if err != nil || preview.Total != 2 || !preview.Preview {
		t.Errorf("%+v, %v", preview, err)
	}
	if list, err := a.List(t.Context(), memory.ListRequest{}); err != nil || list.Tiers[memory.TierHot] != 2 {
		t.Errorf("now: %+v, %v", list.Tiers, err)
	}
	if _, err := a.Decay(t.Context(), memory.DecayRequest{AsOf: future}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a sweep in the future: %v", err)
	}
}

// A sweep of 10,000 memories takes turns with other writers. No transaction writes
// more than 500, and a store gets its turn between two of them.
func TestStoreRunsBetweenTheSlicesOfASweep(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes 3,000 memories")
	}
	files := map[string]string{}
	for i := range 3 {
		files[fmt.Sprintf("memory/2026-01-%02d.md", i+1)] = notes(1000)
	}
	a := newAgeing(t, files)
	slices, stored, moved := 0, 0, -1
	a.StopAfter(func(step string) error {
		if step != "slice" {
			return nil
		}
		slices++
		tiers, err := a.List(t.Context(), memory.ListRequest{Limit: new(1)})
		if err != nil {
			return err
		}
		if n := tiers.Tiers[memory.TierCold]; n-moved > 500 {
			t.Errorf("slice %d moved %d memories", slices, n-moved)
			moved = n
		} else {
			moved = n
		}
		if slices == 3 { // beside the sweep
			if _, err := a.Store(t.Context(), memory.StoreRequest{Text: "a text that is stored beside the sweep"}); err != nil {
				return err
			}
			stored = slices
		}
		return nil
	})
	moved = 0
	answer := a.sweep()
	if answer.Total != 3000 || slices < 6 || stored != 3 {
		t.Errorf("%d moves in %d slices, stored at %d", answer.Total, slices, stored)
	}
	audit, err := a.Audit(t.Context(), memory.AuditRequest{Source: "decay"})
	if err != nil || audit.Total != 3000 {
		t.Errorf("the first sweep is audited as %d rows: %+v, %v", audit.Total, audit.Audit[:min(1, len(audit.Audit))], err)
	}
}

// A sweep that a crash interrupts continues at the next start, and moves nothing twice.
func TestInterruptedSweepContinues(t *testing.T) {
	a := newAgeing(t, map[string]string{"memory/2026-01-05.md": notes(1200)})
	killed := errors.New("killed")
	a.StopAfter(func(step string) error {
		if step == "slice" {
			return killed
		}
		return nil
	})
	if _, err := a.Decay(t.Context(), memory.DecayRequest{}); !errors.Is(err, killed) {
		t.Fatalf("%v", err)
	}
	a.reopen()
	status, err := a.DecayStatus(t.Context(), "")
	if err != nil || status.LastRun != nil || status.Due[memory.TierHot] != 950 {
		t.Fatalf("%+v, %v", status, err)
	}
	a.index()
	if done, err := a.SweepDue(t.Context()); err != nil || len(done) != 1 || done[0].Moves != 950 {
		t.Errorf("%+v, %v", done, err)
	}
	audit, err := a.Audit(t.Context(), memory.AuditRequest{Source: "decay"})
	if err != nil || audit.Total != 1200 {
		t.Errorf("%d moves are audited, %v", audit.Total, err)
	}
	if done, err := a.SweepDue(t.Context()); err != nil || len(done) != 0 {
		t.Errorf("another sweep at the same time: %+v, %v", done, err)
	}
}

func TestPurgeWaitsForAClockThatIsBelieved(t *testing.T) {
	a := newAgeing(t, map[string]string{note: "- the heron stands in the pond\n"})
	a.sweep()
	a.write(note, "")
	a.index()
	a.now = a.now.AddDate(5, 0, 0)
	must.Do(t, a.LookAtClock(t.Context()))
	must.Do(t, a.PurgeMissing(t.Context()))
	list, err := a.List(t.Context(), memory.ListRequest{Missing: true})
	if err != nil || list.Total != 1 {
		t.Errorf("%d missing memories are left, %v", list.Total, err)
	}
}

// TestChangedExpiryIsAudited moves a memory out of ARCHIVE and back by edits of its
// expiry date, in its file and in its line.
func TestChangedExpiryIsAudited(t *testing.T) {
	const fair = "the fair opens at nine"
	for name, withExpiry := range map[string]func(day string) string{
		"of the file": func(day string) string { return "---\nexpires: " + day + "\n---\n- " + fair + "\n" },
		"of the line": func(day string) string {
			return "---\nmemories:\n  - {quote: \"" + fair + "\", expires: " + day + "}\n---\n- " + fair + "\n"
		},
		"in a comment": func(day string) string { return "- " + fair + " <!-- expires: " + day + " -->\n" },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgeing(t, map[string]string{"memory/fair.md": withExpiry("2026-12-01")})
			a.now = a.now.AddDate(0, 0, 20)
			a.sweep()
			for _, step := range []struct{ day, action string }{{"2027-12-01", "promote"}, {"2026-11-30", "archive"}} {
				a.write("memory/fair.md", withExpiry(step.day))
				a.index()
				audit, err := a.Audit(t.Context(), memory.AuditRequest{Source: "file"})
				if err != nil || len(audit.Audit) == 0 {
					t.Fatalf("expires %s: %+v, %v", step.day, audit, err)
				}
				row := audit.Audit[0]
				archive := string(memory.TierArchive)
				if row.Action != step.action || (row.Old["tier"] == archive) == (row.New["tier"] == archive) || row.New["reason"] != "its expiry date was changed" {
					t.Errorf("expires %s: %+v", step.day, row)
				}
			}
		})
	}
}
