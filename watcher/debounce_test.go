package watcher_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/memory-tiered/memory/watcher"
)

// fake is a tree and a source of events that a test controls, in the fake time of
// synctest.
type fake struct {
	t   *testing.T
	dir string
	w   *watcher.Watcher

	mu        sync.Mutex
	found     watcher.ScanResult
	scanErr   error
	openErr   error
	listenErr error
	emitErr   error
	watched   []string // folders
	removed   []string // folders
	scans     int
	scanTime  time.Duration
	onScan    func() // called with the lock held
	slept     time.Duration

	events chan fsnotify.Event
	errs   chan error
	start  time.Time
	hints  []string // "ms: paths"
}

func (s *fake) Dir() string         { return s.dir }
func (s *fake) Decides(string) bool { return false }

func (s *fake) Indexable(path string) bool {
	return strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, "notes/")
}

func (s *fake) Scan(context.Context) (watcher.ScanResult, error) {
	s.mu.Lock()
	scanTime := s.scanTime
	s.mu.Unlock()
	time.Sleep(scanTime)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scans++
	if s.onScan != nil {
		s.onScan()
	}
	f := s.found
	f.Files, f.Links = maps.Clone(f.Files), maps.Clone(f.Links)
	return f, s.scanErr
}

func (s *fake) Events() <-chan fsnotify.Event { return s.events }
func (s *fake) Errors() <-chan error          { return s.errs }

func (s *fake) SetFolders(folders []string) (added bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added = len(folders) > len(s.watched)
	s.watched = folders
	return added, s.listenErr
}

func (s *fake) RemoveFolder(folder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = append(s.removed, folder)
	s.watched = nil
}

func (s *fake) Close() error {
	close(s.events)
	close(s.errs)
	return nil
}

func (s *fake) open(string) (watcher.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events, s.errs, s.watched = make(chan fsnotify.Event), make(chan error), nil
	return s, s.openErr
}

func (s *fake) emit(_ context.Context, h watcher.Hint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := strings.Join(h.Paths, " ")
	if h.All {
		what = "all, " + h.Reason
	}
	if len(h.Paths) > 10 {
		what = fmt.Sprint(len(h.Paths), " paths")
	}
	s.hints = append(s.hints, fmt.Sprintf("%d: %s", time.Since(s.start).Milliseconds(), what))
	return s.emitErr
}

// set changes s under its lock.
func (s *fake) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// at waits until ms milliseconds after the start.
func (s *fake) at(ms int) {
	time.Sleep(time.Until(s.start.Add(time.Duration(ms) * time.Millisecond)))
	synctest.Wait()
}

func (s *fake) event(op fsnotify.Op, name string) {
	s.events <- fsnotify.Event{Name: filepath.Join(s.dir, name), Op: op}
}

const (
	write  = fsnotify.Write
	create = fsnotify.Create
	remove = fsnotify.Remove
	rename = fsnotify.Rename
	chmod  = fsnotify.Chmod
)

// play runs a watcher with a script, and returns the hints without the first one.
func play(t *testing.T, prepare, script func(*fake)) (hints []string, mode string) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{t: t, dir: dir, start: time.Now()}
		s.found = watcher.ScanResult{Folders: []string{"."}, Links: map[string]string{}, Files: map[string]string{"a.md": "1", "b.md": "1"}}
		s.w = watcher.New(s, watcher.Options{})
		s.w.Use(s.open, func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			return time.Now().Round(0).Add(s.slept)
		})
		if prepare != nil {
			prepare(s)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.w.Run(ctx, s.emit) }()
		synctest.Wait()
		script(s)
		mode = s.w.Mode()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		hints = s.hints
	})
	if len(hints) > 0 && hints[0] == "0: all, start" {
		hints = hints[1:]
	}
	return hints, mode
}

func TestChangesAreDebounced(t *testing.T) {
	tests := []struct {
		name   string
		script func(*fake)
		want   []string
	}{
		{"write", func(s *fake) {
			s.event(write, "a.md")
			s.at(1000)
		}, []string{"100: a.md"}},
		{"two writes", func(s *fake) {
			s.event(write, "a.md")
			s.at(60)
			s.event(write, "a.md")
			s.at(1000)
		}, []string{"160: a.md"}},
		{"new file", func(s *fake) {
			s.event(create, "new.md")
			s.event(write, "new.md")
			s.at(1000)
		}, []string{"100: new.md"}},
		{"temporary file renamed over the file", func(s *fake) {
			s.event(create, "a.md.tmp")
			s.event(write, "a.md.tmp")
			s.event(rename, "a.md.tmp")
			s.event(create, "a.md")
			s.at(1000)
		}, []string{"100: a.md"}},
		{"save by vim", func(s *fake) {
			s.event(create, "4913")
			s.event(remove, "4913")
			s.event(rename, "a.md")
			s.event(create, "a.md~")
			s.at(1)
			s.event(create, "a.md")
			s.event(write, "a.md")
			s.at(3)
			s.event(chmod, "a.md")
			s.event(remove, "a.md~")
			s.at(1000)
		}, []string{"103: a.md"}},
		{"deleted and created again", func(s *fake) {
			s.event(remove, "a.md")
			s.at(300)
			s.event(create, "a.md")
			s.at(1000)
		}, []string{"400: a.md"}},
		{"deleted", func(s *fake) {
			s.event(write, "a.md")
			s.at(50)
			s.event(remove, "a.md")
			s.at(2000)
		}, []string{"550: a.md"}},
		{"rename is one hint", func(s *fake) {
			s.event(rename, "a.md")
			s.event(create, "c.md")
			s.at(2000)
		}, []string{"100: a.md c.md"}},
		{"text moved in two saves is two hints", func(s *fake) {
			s.event(write, "b.md")
			s.at(200)
			s.event(remove, "a.md")
			s.at(2000)
		}, []string{"100: b.md", "700: a.md"}},
		{"file that is written all the time", func(s *fake) {
			for ms := 0; ms <= 5000; ms += 70 {
				s.at(ms)
				s.event(write, "a.md")
			}
			s.at(9000)
		}, []string{"2000: a.md", "4030: a.md", "5070: a.md"}},
		{"busy file does not delay others", func(s *fake) {
			for ms := 0; ms <= 1000; ms += 50 {
				s.at(ms)
				s.event(write, "a.md")
				if ms == 500 {
					s.event(write, "b.md")
				}
			}
			s.at(9000)
		}, []string{"700: b.md", "1100: a.md"}},
		{"checkout is one hint", func(s *fake) {
			for i := range 300 {
				s.at(i / 6)
				name := fmt.Sprintf("%03d.md", i)
				s.event(remove, name)
				s.event(create, name)
				s.event(write, name)
			}
			s.at(2000)
		}, []string{"149: 300 paths"}},
		{"lost events", func(s *fake) {
			s.event(write, "a.md")
			s.errs <- fsnotify.ErrEventOverflow
			s.at(2000)
		}, []string{"100: all, events were lost: the system's queue was full"}},
		{"lost events while a file is being replaced", func(s *fake) {
			s.event(remove, "a.md")
			s.errs <- fsnotify.ErrEventOverflow
			s.at(2000)
		}, []string{"500: all, events were lost: the system's queue was full"}},
		{"too many paths", func(s *fake) {
			for i := range watcher.MaxPending + 1 {
				s.event(write, fmt.Sprint(i, ".md"))
			}
			s.at(2000)
		}, []string{"100: all, more than 20000 files changed at once"}},
		{"files that are not indexed", func(s *fake) {
			s.event(write, "a.txt")
			s.event(create, "4913")
			s.event(chmod, ".")
			s.events <- fsnotify.Event{}
			s.events <- fsnotify.Event{Name: "/elsewhere/a.md", Op: write}
			s.at(2000)
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hints, mode := play(t, nil, tt.script)
			if !slices.Equal(hints, tt.want) || mode != "events" {
				t.Errorf("hints %q in mode %s, want %q", hints, mode, tt.want)
			}
		})
	}
}

func TestLinkedFilesAndRuleFilesAreFollowed(t *testing.T) {
	hints, _ := play(t, func(s *fake) {
		s.found.Links["notes/n.md"] = "a.md"
		s.found.RuleFiles = []string{".memoryignore"}
	}, func(s *fake) {
		s.event(write, "notes/n.md")
		s.at(1000)
		s.set(func() { delete(s.found.Files, "b.md") })
		s.event(write, ".memoryignore")
		s.at(200_000) // the sweep must not take the effect of the rules for lost events
	})
	want := []string{"100: a.md", "1100: all, .memoryignore changed"}
	// A deletion of the newly ignored file may follow.
	if len(hints) < 2 || !slices.Equal(hints[:1], want[:1]) || !strings.HasSuffix(hints[1], "all, .memoryignore changed") {
		t.Errorf("hints %q, want %q", hints, want)
	}
}

func TestNewFoldersAreWatchedAndScanned(t *testing.T) {
	hints, mode := play(t, nil, func(s *fake) {
		if err := os.Mkdir(filepath.Join(s.dir, "x"), 0o755); err != nil {
			s.t.Fatal(err)
		}
		s.set(func() {
			s.found.Folders = []string{".", "x", "x/y"}
			s.found.Files["x/y/new.md"] = "1"
		})
		s.event(create, "x")
		s.at(1000)
		s.set(func() {
			if !slices.Equal(s.watched, s.found.Folders) {
				s.t.Errorf("watches %q", s.watched)
			}
		})
		s.event(remove, "x") // there are no events of the files below it
		s.set(func() {
			s.found.Folders = []string{"."}
			delete(s.found.Files, "x/y/new.md")
		})
		s.at(200_000)
	})
	if want := []string{"125: x/y/new.md", "1500: x/y/new.md"}; !slices.Equal(hints, want) || mode != "events" {
		t.Errorf("hints %q in mode %s, want %q", hints, mode, want)
	}
}

func TestRenamedFolderIsOneHint(t *testing.T) {
	hints, _ := play(t, func(s *fake) {
		s.found = watcher.ScanResult{Folders: []string{".", "x"}, Files: map[string]string{"x/1.md": "1", "x/2.md": "1"}}
	}, func(s *fake) {
		if err := os.Mkdir(filepath.Join(s.dir, "y"), 0o755); err != nil {
			s.t.Fatal(err)
		}
		s.set(func() {
			s.found = watcher.ScanResult{Folders: []string{".", "y"}, Files: map[string]string{"y/1.md": "1", "y/2.md": "1"}}
		})
		s.event(rename, "x")
		s.event(create, "y")
		s.event(rename, "x") // a second event, of the folder itself
		s.at(2000)
	})
	if want := []string{"125: x/1.md x/2.md y/1.md y/2.md"}; !slices.Equal(hints, want) {
		t.Errorf("hints %q, want %q", hints, want)
	}
}

func TestSweepFindsChangeWithoutEventAndStartsPolling(t *testing.T) {
	hints, mode := play(t, nil, func(s *fake) {
		s.at(10_000)
		s.set(func() { s.found.Files["a.md"] = "2" })
		s.at(62_000)
		if mode := s.w.Mode(); !strings.HasPrefix(mode, "polling: ") || !strings.Contains(mode, "a.md") {
			s.t.Errorf("mode %q", mode)
		}
		s.set(func() { s.found.Files["b.md"] = "2" })
		s.at(66_000)
		s.set(func() { delete(s.found.Files, "b.md") })
		s.at(70_000)
	})
	if len(hints) != 3 || hints[0] != "60100: a.md" || !strings.HasSuffix(hints[1], ": b.md") || !strings.HasSuffix(hints[2], ": b.md") ||
		!strings.HasPrefix(mode, "polling: ") {
		t.Errorf("hints %q in mode %s", hints, mode)
	}
}

func TestSweepIgnoresChangesWithAnEvent(t *testing.T) {
	hints, mode := play(t, nil, func(s *fake) {
		s.at(10_000)
		s.set(func() { s.found.Files["a.md"] = "2" })
		s.event(write, "a.md")
		s.at(59_990)
		s.set(func() { delete(s.found.Files, "b.md") })
		s.at(60_200) // the event is late, as on a busy machine
		s.event(remove, "b.md")
		s.at(120_000)
	})
	if want := []string{"10100: a.md", "60500: b.md"}; !slices.Equal(hints, want) || mode != "events" {
		t.Errorf("hints %q in mode %s, want %q", hints, mode, want)
	}
}

func TestWatcherPollsWhileTheSystemWatchesTooFewFolders(t *testing.T) {
	_, mode := play(t, func(s *fake) { s.listenErr = fmt.Errorf("listen to x: %w", syscall.ENOSPC) }, func(s *fake) {
		if mode := s.w.Mode(); !strings.HasPrefix(mode, "polling: ") || !strings.Contains(mode, "no space") {
			s.t.Errorf("mode %q", mode)
		}
		s.set(func() { s.found.Files["a.md"] = "2" })
		s.at(5000)
		if last := s.hints[len(s.hints)-1]; !strings.HasSuffix(last, ": a.md") {
			s.t.Errorf("hints %q", s.hints)
		}
		s.set(func() { s.listenErr = nil })
		s.at(10_000)
	})
	if mode != "events" {
		t.Errorf("mode %q after the system allows enough", mode)
	}
	_, mode = play(t, func(s *fake) { s.openErr = syscall.EMFILE }, func(s *fake) { s.at(1000) })
	if !strings.HasPrefix(mode, "polling: ") {
		t.Errorf("mode %q without events", mode)
	}
}

func TestLostEventsRenewEveryWatch(t *testing.T) {
	play(t, nil, func(s *fake) {
		s.errs <- fsnotify.ErrEventOverflow
		s.at(1000)
		s.set(func() {
			if !slices.Equal(s.removed, []string{"."}) || !slices.Equal(s.watched, []string{"."}) {
				s.t.Errorf("removed %q, then watched %q", s.removed, s.watched)
			}
		})
	})
}

func TestSleepOfTheMachineIsNoticed(t *testing.T) {
	hints, _ := play(t, nil, func(s *fake) {
		s.at(7000)
		s.set(func() { s.slept = time.Hour })
		s.at(20_000)
	})
	if want := []string{"10100: all, the machine slept"}; !slices.Equal(hints, want) {
		t.Errorf("hints %q, want %q", hints, want)
	}
	hints, _ = play(t, nil, func(s *fake) {
		s.at(7000)
		s.set(func() { s.slept = 3 * time.Second }) // a clock that is adjusted, not a sleep
		s.at(20_000)
		s.set(func() { s.slept += 10 * time.Second })
		s.at(40_000)
	})
	if want := []string{"25100: all, the machine slept"}; !slices.Equal(hints, want) {
		t.Errorf("hints %q, want %q", hints, want)
	}
}

func TestTreeThatCannotBeListedIsTriedAgain(t *testing.T) {
	hints, mode := play(t, nil, func(s *fake) {
		s.at(1000)
		s.set(func() { s.scanErr = errors.New("not mounted") })
		s.errs <- fsnotify.ErrEventOverflow
		s.at(5000)
		if mode := s.w.Mode(); mode != "off: not mounted" {
			s.t.Errorf("mode %q", mode)
		}
		s.set(func() { s.scanErr = nil })
		s.at(9000)
	})
	if len(hints) != 2 || !strings.Contains(hints[0], "all, ") || !strings.HasSuffix(hints[1], "all, the folder is there again") || mode != "events" {
		t.Errorf("hints %q in mode %s", hints, mode)
	}
	var found int
	if _, err := fmt.Sscanf(hints[1], "%d:", &found); err != nil || found > 6000 {
		t.Errorf("the folder is found at %d ms, want within a second of 5000 ms", found)
	}
}

func TestPollingScansEveryThreeSeconds(t *testing.T) {
	for _, tt := range []struct {
		name     string
		scanTime time.Duration
		want     int // scans in five minutes, with a sweep every minute
	}{
		{"small tree", 0, 100},
		{"huge tree, with a pause of 50 times the scan", 500 * time.Millisecond, 15},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, func(s *fake) { s.openErr = syscall.EMFILE }, func(s *fake) {
				s.at(1000)
				before := 0
				s.set(func() { before, s.scanTime = s.scans, tt.scanTime })
				s.at(301_000)
				s.set(func() {
					if n := s.scans - before; n < tt.want-1 || n > tt.want+1 {
						t.Errorf("%d scans in five minutes, want about %d", n, tt.want)
					}
				})
			})
		})
	}
}

func TestScansOfNewFoldersTakeAThirdOfTheTime(t *testing.T) {
	play(t, nil, func(s *fake) {
		if err := os.Mkdir(filepath.Join(s.dir, "x"), 0o755); err != nil {
			s.t.Fatal(err)
		}
		before := 0
		s.set(func() { before, s.scanTime = s.scans, 100*time.Millisecond })
		for ms := 0; ms < 3000; ms += 10 {
			s.at(ms)
			s.event(create, "x")
		}
		s.set(func() {
			if n := s.scans - before; n < 9 || n > 11 {
				s.t.Errorf("%d scans of 100 ms in 3 s, want 10", n)
			}
		})
	})
}

func TestFoldersThatAppearDuringAScanAreWatchedAtOnce(t *testing.T) {
	for _, tt := range []struct{ appear, scans, watched int }{{5, 7, 6}, {1000, 11, 11}} {
		play(t, func(s *fake) {
			s.onScan = func() {
				if s.scans <= tt.appear+1 && s.scans > 1 {
					s.found.Folders = append(slices.Clone(s.found.Folders), fmt.Sprint("x", s.scans))
				}
			}
		}, func(s *fake) {
			s.set(func() {
				if s.scans != tt.scans || len(s.watched) != tt.watched {
					s.t.Errorf("%d folders appear: %d scans, %d folders watched; want %d and %d", tt.appear, s.scans, len(s.watched), tt.scans, tt.watched)
				}
			})
		})
	}
}

// TestFoldersOfTheLastRescanAreWatchedAtOnce makes a folder in each of 30 scans, more
// than are repeated at once. No sweep is needed to watch the last one.
func TestFoldersOfTheLastRescanAreWatchedAtOnce(t *testing.T) {
	play(t, func(s *fake) {
		s.onScan = func() {
			if s.scans <= 30 {
				s.found.Folders = append(slices.Clone(s.found.Folders), fmt.Sprint("x", s.scans))
			}
		}
	}, func(s *fake) {
		s.at(1000)
		s.set(func() {
			if !slices.Contains(s.watched, "x30") {
				s.t.Errorf("after a second the last folder is not watched: %q", s.watched)
			}
		})
	})
}

func TestFailedEmitIsRepeated(t *testing.T) {
	hints, _ := play(t, nil, func(s *fake) {
		s.set(func() { s.emitErr = errors.New("disk full") })
		s.event(write, "a.md")
		s.at(500)
		s.event(write, "b.md")
		s.at(4000)
		s.set(func() { s.emitErr = nil })
		s.at(60_000)
	})
	if want := []string{"100: a.md", "1100: a.md b.md", "3100: a.md b.md", "7100: a.md b.md"}; !slices.Equal(hints, want) {
		t.Errorf("hints %q, want %q", hints, want)
	}
}

func TestIdleWatcherScansOnceAMinute(t *testing.T) {
	hints, mode := play(t, nil, func(s *fake) {
		before := 0
		s.set(func() { before = s.scans })
		s.at(301_000)
		s.set(func() {
			if n := s.scans - before; n != 5 {
				s.t.Errorf("%d scans in five minutes", n)
			}
		})
	})
	if len(hints) > 0 || mode != "events" {
		t.Errorf("hints %q in mode %s", hints, mode)
	}
}
