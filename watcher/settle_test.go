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

// stage is a tree and a source of events that a test moves by hand, on a clock
// that only moves when everyone waits.
type stage struct {
	t   *testing.T
	dir string
	w   *watcher.Watcher

	mu        sync.Mutex
	found     watcher.ScanResult
	scanErr   error
	openErr   error
	listenErr error
	emitErr   error
	heard     []string // folders listened to
	dropped   []string
	scans     int
	slept     time.Duration

	events chan fsnotify.Event
	errs   chan error
	start  time.Time
	told   []string // "ms: paths" of every hint
}

func (s *stage) Dir() string { return s.dir }
func (s *stage) Indexable(path string) bool {
	return strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, "notes/")
}

func (s *stage) Scan(context.Context) (watcher.ScanResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scans++
	f := s.found
	f.Files, f.Links = maps.Clone(f.Files), maps.Clone(f.Links)
	return f, s.scanErr
}

func (s *stage) Events() <-chan fsnotify.Event { return s.events }
func (s *stage) Errors() <-chan error          { return s.errs }

func (s *stage) Listen(folders []string) (added bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added = len(folders) > len(s.heard)
	s.heard = folders
	return added, s.listenErr
}

func (s *stage) Drop(folder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped = append(s.dropped, folder)
	s.heard = nil
}

func (s *stage) Close() error {
	close(s.events)
	close(s.errs)
	return nil
}

func (s *stage) open(string) (watcher.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events, s.errs, s.heard = make(chan fsnotify.Event), make(chan error), nil
	return s, s.openErr
}

func (s *stage) emit(_ context.Context, h watcher.Hint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := strings.Join(h.Paths, " ")
	if h.All {
		what = "all, " + h.Reason
	}
	if len(h.Paths) > 10 {
		what = fmt.Sprint(len(h.Paths), " paths")
	}
	s.told = append(s.told, fmt.Sprintf("%d: %s", time.Since(s.start).Milliseconds(), what))
	return s.emitErr
}

// set changes the stage.
func (s *stage) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// at waits until so many milliseconds after the start.
func (s *stage) at(ms int) {
	time.Sleep(time.Until(s.start.Add(time.Duration(ms) * time.Millisecond)))
	synctest.Wait()
}

func (s *stage) event(op fsnotify.Op, name string) {
	s.events <- fsnotify.Event{Name: filepath.Join(s.dir, name), Op: op}
}

const (
	write  = fsnotify.Write
	create = fsnotify.Create
	remove = fsnotify.Remove
	rename = fsnotify.Rename
	chmod  = fsnotify.Chmod
)

// play runs a watcher through a script, and gives what was told after the start.
func play(t *testing.T, prepare, script func(*stage)) (told []string, mode string) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, dir: dir, start: time.Now()}
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
		told = s.told
	})
	if len(told) > 0 && told[0] == "0: all, start" {
		told = told[1:]
	}
	return told, mode
}

func TestSettling(t *testing.T) {
	tests := []struct {
		name   string
		script func(*stage)
		want   []string
	}{
		{"a write", func(s *stage) {
			s.event(write, "a.md")
			s.at(1000)
		}, []string{"100: a.md"}},
		{"echo >> twice", func(s *stage) {
			s.event(write, "a.md")
			s.at(60)
			s.event(write, "a.md")
			s.at(1000)
		}, []string{"160: a.md"}},
		{"a new file", func(s *stage) {
			s.event(create, "new.md")
			s.event(write, "new.md")
			s.at(1000)
		}, []string{"100: new.md"}},
		{"temp and rename over", func(s *stage) {
			s.event(create, "a.md.tmp")
			s.event(write, "a.md.tmp")
			s.event(rename, "a.md.tmp")
			s.event(create, "a.md")
			s.at(1000)
		}, []string{"100: a.md"}},
		{"vim", func(s *stage) {
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
		{"removed and made anew", func(s *stage) {
			s.event(remove, "a.md")
			s.at(300)
			s.event(create, "a.md")
			s.at(1000)
		}, []string{"400: a.md"}},
		{"removed", func(s *stage) {
			s.event(write, "a.md")
			s.at(50)
			s.event(remove, "a.md")
			s.at(2000)
		}, []string{"550: a.md"}},
		{"a rename is one hint", func(s *stage) {
			s.event(rename, "a.md")
			s.event(create, "c.md")
			s.at(2000)
		}, []string{"100: a.md c.md"}},
		{"a move in two saves is two", func(s *stage) {
			s.event(write, "b.md")
			s.at(200)
			s.event(remove, "a.md")
			s.at(2000)
		}, []string{"100: b.md", "700: a.md"}},
		{"written all the time", func(s *stage) {
			for ms := 0; ms <= 5000; ms += 70 {
				s.at(ms)
				s.event(write, "a.md")
			}
			s.at(9000)
		}, []string{"2000: a.md", "4030: a.md", "5070: a.md"}},
		{"a busy file holds up no other", func(s *stage) {
			for ms := 0; ms <= 1000; ms += 50 {
				s.at(ms)
				s.event(write, "a.md")
				if ms == 500 {
					s.event(write, "b.md")
				}
			}
			s.at(9000)
		}, []string{"700: b.md", "1100: a.md"}},
		{"a checkout is one hint", func(s *stage) {
			for i := range 300 {
				s.at(i / 6)
				name := fmt.Sprintf("%03d.md", i)
				s.event(remove, name)
				s.event(create, name)
				s.event(write, name)
			}
			s.at(2000)
		}, []string{"149: 300 paths"}},
		{"lost events", func(s *stage) {
			s.event(write, "a.md")
			s.errs <- fsnotify.ErrEventOverflow
			s.at(2000)
		}, []string{"100: all, more happened at once than the system remembers"}},
		{"lost events while a file is being replaced", func(s *stage) {
			s.event(remove, "a.md")
			s.errs <- fsnotify.ErrEventOverflow
			s.at(2000)
		}, []string{"500: all, more happened at once than the system remembers"}},
		{"too many paths", func(s *stage) {
			for i := range watcher.MaxPending + 1 {
				s.event(write, fmt.Sprint(i, ".md"))
			}
			s.at(2000)
		}, []string{"100: all, more files changed than are told one by one"}},
		{"nothing that is indexed", func(s *stage) {
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
			told, mode := play(t, nil, tt.script)
			if !slices.Equal(told, tt.want) || mode != "events" {
				t.Errorf("told %q by %s, want %q", told, mode, tt.want)
			}
		})
	}
}

func TestLinksAndRules(t *testing.T) {
	told, _ := play(t, func(s *stage) {
		s.found.Links["notes/n.md"] = "a.md"
		s.found.RuleFiles = []string{".memoryignore"}
	}, func(s *stage) {
		s.event(write, "notes/n.md")
		s.at(1000)
		s.set(func() { delete(s.found.Files, "b.md") })
		s.event(write, ".memoryignore")
		s.at(200_000) // and no sweep takes what the rules changed for lost events
	})
	want := []string{"100: a.md", "1100: all, .memoryignore changed"}
	// What the rules took away is looked for again, as a deletion.
	if len(told) < 2 || !slices.Equal(told[:1], want[:1]) || !strings.HasSuffix(told[1], "all, .memoryignore changed") {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestNewFoldersAreHeardAndSearched(t *testing.T) {
	told, mode := play(t, nil, func(s *stage) {
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
			if !slices.Equal(s.heard, s.found.Folders) {
				s.t.Errorf("listens to %q", s.heard)
			}
		})
		s.event(remove, "x") // with all below it, of which nothing is heard
		s.set(func() {
			s.found.Folders = []string{"."}
			delete(s.found.Files, "x/y/new.md")
		})
		s.at(200_000)
	})
	if want := []string{"125: x/y/new.md", "1500: x/y/new.md"}; !slices.Equal(told, want) || mode != "events" {
		t.Errorf("told %q by %s, want %q", told, mode, want)
	}
}

func TestARenamedFolderIsOneHint(t *testing.T) {
	told, _ := play(t, func(s *stage) {
		s.found = watcher.ScanResult{Folders: []string{".", "x"}, Files: map[string]string{"x/1.md": "1", "x/2.md": "1"}}
	}, func(s *stage) {
		if err := os.Mkdir(filepath.Join(s.dir, "y"), 0o755); err != nil {
			s.t.Fatal(err)
		}
		s.set(func() {
			s.found = watcher.ScanResult{Folders: []string{".", "y"}, Files: map[string]string{"y/1.md": "1", "y/2.md": "1"}}
		})
		s.event(rename, "x")
		s.event(create, "y")
		s.event(rename, "x") // once more, from the folder itself
		s.at(2000)
	})
	if want := []string{"125: x/1.md x/2.md y/1.md y/2.md"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestSweepFindsWhatNoEventTold(t *testing.T) {
	told, mode := play(t, nil, func(s *stage) {
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
	if len(told) != 3 || told[0] != "60100: a.md" || !strings.HasSuffix(told[1], ": b.md") || !strings.HasSuffix(told[2], ": b.md") ||
		!strings.HasPrefix(mode, "polling: ") {
		t.Errorf("told %q by %s", told, mode)
	}
}

func TestSweepForgivesWhatWasHeard(t *testing.T) {
	told, mode := play(t, nil, func(s *stage) {
		s.at(10_000)
		s.set(func() { s.found.Files["a.md"] = "2" })
		s.event(write, "a.md")
		s.at(59_990)
		s.set(func() { delete(s.found.Files, "b.md") })
		s.at(60_200) // late, as on a busy machine
		s.event(remove, "b.md")
		s.at(120_000)
	})
	if want := []string{"10100: a.md", "60500: b.md"}; !slices.Equal(told, want) || mode != "events" {
		t.Errorf("told %q by %s, want %q", told, mode, want)
	}
}

func TestPollingWhereTheSystemAllowsTooFewFolders(t *testing.T) {
	_, mode := play(t, func(s *stage) { s.listenErr = fmt.Errorf("listen to x: %w", syscall.ENOSPC) }, func(s *stage) {
		if mode := s.w.Mode(); !strings.HasPrefix(mode, "polling: ") || !strings.Contains(mode, "no space") {
			s.t.Errorf("mode %q", mode)
		}
		s.set(func() { s.found.Files["a.md"] = "2" })
		s.at(5000)
		if last := s.told[len(s.told)-1]; !strings.HasSuffix(last, ": a.md") {
			s.t.Errorf("told %q", s.told)
		}
		s.set(func() { s.listenErr = nil })
		s.at(10_000)
	})
	if mode != "events" {
		t.Errorf("mode %q after the system allows enough", mode)
	}
	_, mode = play(t, func(s *stage) { s.openErr = syscall.EMFILE }, func(s *stage) { s.at(1000) })
	if !strings.HasPrefix(mode, "polling: ") {
		t.Errorf("mode %q without events", mode)
	}
}

func TestAfterLostEventsEverythingIsListenedToAnew(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.errs <- fsnotify.ErrEventOverflow
		s.at(1000)
		s.set(func() {
			if !slices.Equal(s.dropped, []string{"."}) || !slices.Equal(s.heard, []string{"."}) {
				s.t.Errorf("dropped %q, then listened to %q", s.dropped, s.heard)
			}
		})
	})
}

func TestSleepIsNoticed(t *testing.T) {
	told, _ := play(t, nil, func(s *stage) {
		s.at(7000)
		s.set(func() { s.slept = time.Hour })
		s.at(20_000)
	})
	if want := []string{"10100: all, the machine slept"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestAnUnlistedTreeIsWaitedFor(t *testing.T) {
	told, mode := play(t, nil, func(s *stage) {
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
	if len(told) != 2 || !strings.Contains(told[0], "all, ") || !strings.HasSuffix(told[1], "all, the folder is there again") || mode != "events" {
		t.Errorf("told %q by %s", told, mode)
	}
}

func TestAFailedEmitIsRepeated(t *testing.T) {
	told, _ := play(t, nil, func(s *stage) {
		s.set(func() { s.emitErr = errors.New("disk full") })
		s.event(write, "a.md")
		s.at(500)
		s.event(write, "b.md")
		s.at(4000)
		s.set(func() { s.emitErr = nil })
		s.at(60_000)
	})
	if want := []string{"100: a.md", "1100: a.md b.md", "3100: a.md b.md", "7100: a.md b.md"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

func TestIdlingCostsAScanAMinute(t *testing.T) {
	told, mode := play(t, nil, func(s *stage) {
		before := 0
		s.set(func() { before = s.scans })
		s.at(301_000)
		s.set(func() {
			if n := s.scans - before; n != 5 {
				s.t.Errorf("%d scans in five minutes", n)
			}
		})
	})
	if len(told) > 0 || mode != "events" {
		t.Errorf("told %q by %s", told, mode)
	}
}
