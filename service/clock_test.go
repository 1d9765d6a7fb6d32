package service_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/service"
)

// service is a service whose clock a test sets, with one workspace. It looks at the
// clock when the test says so.
type daemon struct {
	t        *testing.T
	dir, db  string
	zone     *time.Location
	schedule decay.Schedule
	grading  decay.Schedule
	now      time.Time

	*engine.Engine
	clock *service.Clock
	log   strings.Builder
	runs  []time.Time // of the sweeps that a look found new
}

func newDaemon(t *testing.T, schedule string, start time.Time) *daemon {
	t.Helper()
	d := &daemon{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db"), zone: start.Location(), now: start, schedule: decay.Every(6 * time.Hour)}
	if schedule != "" {
		var err error
		if d.schedule, err = decay.ParseSchedule(schedule); err != nil {
			t.Fatal(err)
		}
	}
	var notes strings.Builder
	for i := range 20 {
		fmt.Fprintf(&notes, "- Note %d is about the pond and the heron\n", i)
	}
	must.Do(t, os.WriteFile(filepath.Join(d.dir, "MEMORY.md"), []byte(notes.String()), 0o644))
	d.start()
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// start starts the service, which indexes its workspace.
func (d *daemon) start() {
	d.t.Helper()
	var err error
	d.Engine, err = engine.Open(d.t.Context(), onBackend(d.t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: d.dir, DBPath: d.db, Zone: d.zone}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), Schedule: d.schedule, Grading: d.grading, Retention: 90 * 24 * time.Hour, Now: func() time.Time { return d.now },
	}))
	if err != nil {
		d.t.Fatal(err)
	}
	must.Get(d.Index(d.t.Context(), memory.IndexRequest{}, nil))(d.t)
	d.clock = service.NewClock(d.Engine, slog.New(slog.NewTextHandler(&d.log, nil)))
}

func (d *daemon) restart() {
	d.t.Helper()
	must.Do(d.t, d.Close())
	d.start()
}

// look looks at the clock and notes a sweep.
func (d *daemon) look() {
	d.t.Helper()
	before := d.status().LastRun
	d.clock.Look(d.t.Context())
	if after := d.status().LastRun; after != nil && (before == nil || !after.Equal(*before)) {
		d.runs = append(d.runs, *after)
	}
}

func (d *daemon) status() memory.DecayStatus {
	d.t.Helper()
	status := must.Get(d.DecayStatus(d.t.Context(), ""))(d.t)
	return status
}

// pass lets time pass, with a look every step.
func (d *daemon) pass(long, step time.Duration) {
	d.t.Helper()
	for end := d.now.Add(long); d.now.Before(end); {
		d.now = d.now.Add(step)
		d.look()
	}
}

// runsOn counts the sweeps by day of the zone.
func (d *daemon) runsOn(day string) (n int) {
	for _, at := range d.runs {
		if at.In(d.zone).Format(time.DateOnly) == day {
			n++
		}
	}
	return n
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone := must.Get(time.LoadLocation("Europe/Berlin"))(t)
	return zone
}

func TestChangesOfDaylightSavingSkipAndDoubleNoSweep(t *testing.T) {
	for _, tt := range []struct {
		name string
		from time.Time
	}{
		{"spring", time.Date(2026, 3, 27, 12, 0, 0, 0, berlin(t))},
		{"autumn", time.Date(2026, 10, 23, 12, 0, 0, 0, berlin(t))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDaemon(t, "30 2 * * *", tt.from)
			d.look() // the first sweep of the index
			d.runs = nil
			d.pass(4*24*time.Hour, 10*time.Minute)
			for i := 1; i <= 4; i++ {
				if day := tt.from.AddDate(0, 0, i).Format(time.DateOnly); d.runsOn(day) != 1 {
					t.Errorf("%s has %d sweeps: %v", day, d.runsOn(day), d.runs)
				}
			}
		})
	}
}

func TestSweepsRunEverySixHoursAcrossRestarts(t *testing.T) {
	d := newDaemon(t, "", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	d.look()
	for range 24 { // two days, restarted every two hours
		d.pass(2*time.Hour, 10*time.Minute)
		d.restart()
	}
	if len(d.runs) != 1+8 {
		t.Errorf("%d sweeps: %v", len(d.runs), d.runs)
	}
}

func TestSuspendedDaemonCatchesUpOnce(t *testing.T) {
	d := newDaemon(t, "", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	d.look()
	d.now = d.now.AddDate(0, 0, 3) // the next look comes when the machine wakes up
	d.look()
	d.pass(5*time.Hour, time.Hour)
	if len(d.runs) != 2 || d.status().Held != nil {
		t.Errorf("sweeps %v, held %v", d.runs, d.status().Held)
	}
}

func TestJumpOfTheClockHoldsSweepsUntilReleased(t *testing.T) {
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		to   time.Time
	}{{"forward by years", start.AddDate(9, 0, 0)}, {"back by years", start.AddDate(-9, 0, 0)}, {"back by a day", start.AddDate(0, 0, -1)}} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDaemon(t, "", start)
			d.look()
			d.now = tt.to
			d.pass(time.Hour, time.Minute)
			if len(d.runs) != 1 || d.status().Held == nil {
				t.Fatalf("sweeps %v, held %v", d.runs, d.status().Held)
			}
			if n := strings.Count(d.log.String(), "clock is not believed"); n != 1 {
				t.Errorf("it is reported %d times:\n%s", n, d.log.String())
			}
			status, err := d.Status(t.Context())
			if err != nil || !slices.ContainsFunc(status.Workspaces[0].Notices, func(n string) bool { return strings.HasPrefix(n, "no memory ages") }) {
				t.Errorf("status does not report it: %v, %v", status.Workspaces, err)
			}
			d.restart()
			d.pass(time.Hour, time.Minute)
			if answer, err := d.Decay(t.Context(), memory.DecayRequest{}); err != nil || answer.Held == nil || len(d.runs) != 1 {
				t.Fatalf("after a restart: %+v, %v", answer, err)
			}
			if answer, err := d.Decay(t.Context(), memory.DecayRequest{Release: true}); err != nil || answer.Held != nil {
				t.Fatalf("released: %+v, %v", answer, err)
			}
			d.runs = nil
			d.pass(12*time.Hour+time.Minute, time.Minute)
			if len(d.runs) != 2 || d.status().Held != nil {
				t.Errorf("afterwards: sweeps %v, held %v", d.runs, d.status().Held)
			}
		})
	}
}

// TestJumpThatNoLookSawHoldsSweeps lets the clock jump before the first look of a service,
// and while none runs. A machine that was off for a holiday is no jump.
func TestJumpThatNoLookSawHoldsSweeps(t *testing.T) {
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		to      time.Time
		stopped bool
		held    bool
	}{
		{"in the first minute, forward", start.AddDate(2, 0, 0), false, true},
		{"in the first minute, back", start.AddDate(-2, 0, 0), false, true},
		{"while stopped, forward", start.AddDate(0, 3, 0), true, true},
		{"while stopped, back", start.AddDate(-2, 0, 0), true, true},
		{"a holiday in the first minute", start.AddDate(0, 0, 20), false, false},
		{"a holiday while stopped", start.AddDate(0, 0, 20), true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDaemon(t, "", start)
			d.now = tt.to
			if tt.stopped {
				d.restart()
			}
			d.look()
			d.restart()
			d.look()
			if held := d.status().Held; (held != nil) != tt.held || (len(d.runs) == 0) != tt.held {
				t.Fatalf("held %v, sweeps %v", held, d.runs)
			}
			must.Get(d.Decay(t.Context(), memory.DecayRequest{Release: true}))(t)
			d.restart()
			if held := d.status().Held; held != nil {
				t.Errorf("held again after it was released: %s", *held)
			}
		})
	}
}

// A clock that jumps and returns releases the sweeps by itself, and has aged nothing.
func TestClockThatReturnsReleasesTheSweeps(t *testing.T) {
	d := newDaemon(t, "", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	d.look()
	start := d.now
	d.now = start.AddDate(20, 0, 0)
	d.look()
	d.now = start.Add(10 * time.Minute)
	d.look()
	if held := d.status().Held; held != nil {
		t.Errorf("held: %s", *held)
	}
	answer, err := d.List(t.Context(), memory.ListRequest{})
	if err != nil || answer.Tiers[memory.TierWarm] != 20 {
		t.Errorf("%v, %v", answer.Tiers, err)
	}
	d.pass(6*time.Hour, 10*time.Minute)
	if len(d.runs) != 2 {
		t.Errorf("sweeps: %v", d.runs)
	}
}

// A workspace that moves to another zone keeps one sweep a day, at the time of the
// new zone.
func TestAnotherTimeZoneNeitherSkipsNorDoublesASweep(t *testing.T) {
	d := newDaemon(t, "0 3 * * *", time.Date(2026, 11, 20, 12, 0, 0, 0, berlin(t)))
	d.look()
	d.runs = nil
	d.pass(24*time.Hour, 10*time.Minute)
	tokyo := must.Get(time.LoadLocation("Asia/Tokyo"))(t)
	d.zone = tokyo
	d.restart()
	d.pass(48*time.Hour, 10*time.Minute)
	if len(d.runs) != 3 {
		t.Fatalf("%d sweeps in three days: %v", len(d.runs), d.runs)
	}
	if last := d.runs[2].In(tokyo); last.Hour() != 3 {
		t.Errorf("the last one ran at %s", last)
	}
}

func TestMemoriesAreGradedOnSchedule(t *testing.T) {
	d := newDaemon(t, "", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	gradings := func() (n int) {
		t.Helper()
		a := must.Get(d.Receipts(t.Context(), memory.ReceiptsRequest{Kind: memory.ReceiptGrade, Limit: 100}))(t)
		return len(a.Receipts)
	}
	important := func() memory.ImportanceLabel {
		t.Helper()
		list, err := d.List(t.Context(), memory.ListRequest{Sort: "path"})
		if err != nil || len(list.Memories) == 0 {
			t.Fatal(list, err)
		}
		return list.Memories[0].ImportanceLabel
	}
	edit := func(text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(d.dir, "MEMORY.md"), []byte("- "+text+"\n"), 0o644))
		must.Get(d.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	}
	d.pass(3*24*time.Hour, time.Hour)
	if n := gradings(); n > 0 {
		t.Fatalf("%d gradings without a schedule", n)
	}
	var err error
	if d.grading, err = decay.ParseSchedule("0 4 * * *"); err != nil {
		t.Fatal(err)
	}
	d.restart()
	edit("The gate is beside the pond")
	d.pass(time.Hour, time.Hour)
	if n := gradings(); n != 1 || important() != memory.ImportanceUnknown {
		t.Fatalf("%d gradings, the label %s", n, important())
	}
	edit("Important: the gate beside the pond must be closed at night")
	d.pass(4*time.Hour, time.Hour)
	if n := gradings(); n != 1 {
		t.Errorf("graded before its time: %d", n)
	}
	d.restart()
	d.pass(24*time.Hour, time.Hour)
	if n := gradings(); n != 2 || important() != memory.ImportanceMustRemember {
		t.Errorf("%d gradings after an edit, the label %s", n, important())
	}
	d.pass(5*24*time.Hour, time.Hour)
	if n := gradings(); n != 2 {
		t.Errorf("%d gradings although nothing changed", n)
	}
	if strings.Contains(d.log.String(), "grade") {
		t.Errorf("a grading is not silent:\n%s", d.log.String())
	}
}

// The backup is due by the time of its file, so a service that restarts often makes
// one. A clock that goes back does not stop them.
func TestBackupIsDueByTheTimeOfItsFile(t *testing.T) {
	d := newDaemon(t, "", time.Now())
	backup := filepath.Join(filepath.Dir(d.db), "tiered.backup.db")
	d.look()
	first := must.Get(os.Stat(backup))(t)
	mark := func(at time.Time) {
		t.Helper()
		must.Do(t, os.Chtimes(backup, at, at))
		d.restart()
		d.look()
	}
	isOld := func() bool {
		info, err := os.Stat(backup)
		return err != nil || info.ModTime().Before(first.ModTime())
	}
	mark(d.now.Add(-5 * time.Hour))
	if !isOld() {
		t.Error("a backup of five hours ago is replaced")
	}
	mark(d.now.Add(-6*time.Hour - time.Second))
	if isOld() {
		t.Error("a backup of six hours ago is not replaced")
	}
	future := d.now.AddDate(5, 0, 0)
	mark(future)
	if info, err := os.Stat(backup); err != nil || info.ModTime().Equal(future) {
		t.Error("a backup from the future is not replaced")
	}
}
