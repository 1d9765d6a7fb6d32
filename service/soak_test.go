package service_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
)

// soaked is what a year must not leak.
type soaked struct {
	goroutines, handles int
	heap                uint64 // live, in bytes
	log, state          int64  // bytes of the write-ahead log, and of all files of the state folder
}

func (s soaked) String() string {
	return fmt.Sprintf("%d goroutines, %d handles, heap %.1f MiB, log %.1f MiB, state %.1f MiB",
		s.goroutines, s.handles, float64(s.heap)/(1<<20), float64(s.log)/(1<<20), float64(s.state)/(1<<20))
}

func (d *daemon) soaked() (s soaked) {
	d.t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.goroutines, s.heap = runtime.NumGoroutine(), m.HeapAlloc
	open, _ := os.ReadDir("/proc/self/fd") // none on another system
	s.handles = len(open)
	err := filepath.WalkDir(filepath.Dir(d.db), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			s.state += info.Size()
		}
		if strings.HasSuffix(path, "-wal") {
			s.log += info.Size()
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// day is a day of a person with an agent. It has a note, an edit, a removal, questions, a
// conversation, a decision and its undo. The service looks at the clock four times.
func (d *daemon) day(n int) {
	d.t.Helper()
	must := func(err error) {
		d.t.Helper()
		if err != nil {
			d.t.Fatalf("day %d: %v", n, err)
		}
	}
	ctx := d.t.Context()
	write := func(file string, lines ...string) {
		must(os.MkdirAll(filepath.Dir(filepath.Join(d.dir, file)), 0o755))
		must(os.WriteFile(filepath.Join(d.dir, file), []byte("- "+strings.Join(lines, "\n- ")+"\n"), 0o644))
	}
	name := func(day int) string { return fmt.Sprintf("memory/day-%d.md", day) }
	write(name(n), fmt.Sprintf("The ferry of day %d leaves at %d:15 from pier %d", n, 6+n%12, n%9), fmt.Sprintf("Lena paid %d euros for the boat of day %d", 10+n, n))
	write("MEMORY.md", "The harbour office opens at nine", fmt.Sprintf("The tide table of the week is number %d", n))
	if n >= 30 {
		must(os.Remove(filepath.Join(d.dir, name(n-30))))
	}
	_, err := d.Index(ctx, memory.IndexRequest{}, nil)
	must(err)
	for q := range 5 {
		answer, err := d.Recall(ctx, memory.RecallRequest{Prompt: fmt.Sprintf("When does the ferry of day %d leave?", max(0, n-q)), Session: fmt.Sprint(n)})
		must(err)
		must(d.Delivered(ctx, "", answer.Receipt))
	}
	_, err = d.Capture(ctx, memory.CaptureRequest{Session: fmt.Sprint(n), Messages: []memory.CaptureMessage{{Role: "user", Content: memory.MessageContent(fmt.Sprintf("Please remember that berth %d is painted green.", n))}}})
	must(err)
	pinned, err := d.Decide(ctx, memory.DecideRequest{Action: memory.ActionPin, Filter: &memory.Filter{Path: name(n)}})
	must(err)
	if len(pinned.Changed) != 2 {
		d.t.Fatalf("day %d: pinned %d", n, len(pinned.Changed))
	}
	_, err = d.Decide(ctx, memory.DecideRequest{Action: memory.ActionUndo})
	must(err)
	for range 4 {
		d.now = d.now.Add(6 * time.Hour)
		d.clock.Look(ctx)
	}
	must(d.FlushUses(ctx))
	must(d.DrainAppends(ctx))
	_, err = d.Repair(ctx)
	must(err)
	switch n { // the machine sleeps for a week; later its clock is set back, and forward again
	case 35:
		d.now = d.now.Add(7 * 24 * time.Hour)
	case 38:
		d.now = d.now.Add(-30 * time.Hour)
	case 40:
		d.now = d.now.Add(30 * time.Hour)
	}
}

var longRun = flag.Bool("long", false, "live a whole year")

// TestYearLeaksNothing lives a year with -long, else 45 days. The machine sleeps for a week, and
// its clock is set. What it holds after a month, it holds at the end.
func TestYearLeaksNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: useless for the race detector")
	}
	days := 45
	if *longRun {
		days = 365
	}
	d := newDaemon(t, "", time.Now().UTC()) // the files have the time of the machine
	var month soaked
	for n := range days {
		d.day(n)
		if n%30 == 0 {
			t.Logf("day %d: %v", n, d.soaked())
		}
		if n == 31 {
			month = d.soaked()
		}
	}
	end := d.soaked()
	t.Logf("after a month: %v", month)
	t.Logf("after %d days: %v", days, end)
	if end.goroutines > month.goroutines+2 || end.handles > month.handles+2 {
		t.Error("goroutines or handles leak")
	}
	if end.heap > month.heap+month.heap/2+8<<20 || end.log > 72<<20 || end.state > 4*month.state {
		t.Error("memory, the write-ahead log or the state folder grows without limit")
	}
	if d.log.Len() > 0 && strings.Contains(d.log.String(), "level=ERROR") || strings.Contains(d.log.String(), "failed") {
		t.Errorf("the log: %s", d.log.String())
	}
}
