package watcher_test

import (
	"context"
	"errors"
	"fmt"
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

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/watcher"
)

// fake is a tree and a source of events that a test controls, in the fake time of
// synctest.
type fake struct {
	t   *testing.T
	dir string
	w   *watcher.Watcher

	mu        sync.Mutex
	folders   []string
	listErr   error
	openErr   error
	listenErr error
	lookErr   error
	changed   bool     // what a look finds
	watched   []string // folders
	renewed   int      // how often each folder was watched anew
	lists     int
	lookTime  time.Duration
	onList    func() // called with the lock held
	slept     time.Duration

	events chan fsnotify.Event
	errs   chan error
	start  time.Time
	looks  []string   // "ms: reason"
	paths  [][]string // of each look
}

func (s *fake) Dir() string { return s.dir }

func (s *fake) Effect(path string) watcher.Effect {
	switch {
	case path == "RULES.md":
		return watcher.OnFolder
	case strings.HasSuffix(path, ".md"):
		return watcher.OnFile
	}
	return watcher.NoEffect
}

func (s *fake) Folders(context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists++
	if s.onList != nil {
		s.onList()
	}
	return s.folders, s.listErr
}

func (s *fake) Events() <-chan fsnotify.Event { return s.events }
func (s *fake) Errors() <-chan error          { return s.errs }

func (s *fake) SetFolders(folders []string, renew bool) (added bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added = len(folders) > len(s.watched)
	s.watched = folders
	if renew {
		s.renewed++
	}
	return added, s.listenErr
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

func (s *fake) look(_ context.Context, paths []string, reason string) (changed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(s.lookTime)
	s.looks = append(s.looks, fmt.Sprintf("%d: %s", time.Since(s.start).Milliseconds(), reason))
	s.paths = append(s.paths, paths)
	return s.changed, s.lookErr
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

// play runs a watcher with a script, and returns the looks without the first one.
func play(t *testing.T, prepare, script func(*fake)) (looks []string, mode string) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &fake{t: t, dir: dir, start: time.Now(), folders: []string{"."}}
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
		go func() { ended <- s.w.Run(ctx, s.look) }()
		synctest.Wait()
		script(s)
		mode = s.w.Mode()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		looks = s.looks
	})
	if len(looks) > 0 && looks[0] == "0: start" {
		looks = looks[1:]
	}
	return looks, mode
}

func TestEventsLeadToOneLook(t *testing.T) {
	tests := []struct {
		name   string
		script func(*fake)
		want   []string
	}{
		{"write", func(s *fake) {
			s.event(write, "a.md")
			s.at(1000)
		}, []string{"100: an event of a.md"}},
		{"two writes", func(s *fake) {
			s.event(write, "a.md")
			s.at(60)
			s.event(write, "a.md")
			s.at(1000)
		}, []string{"160: an event of a.md"}},
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
		}, []string{"103: an event of a.md"}},
		{"text moved in two saves", func(s *fake) {
			s.event(write, "b.md")
			s.at(200)
			s.event(remove, "a.md")
			s.at(2000)
		}, []string{"100: an event of b.md", "300: an event of a.md"}},
		{"file that is written all the time", func(s *fake) {
			for ms := 0; ms <= 2500; ms += 70 {
				s.at(ms)
				s.event(write, "a.md")
			}
			s.at(9000)
		}, []string{"1000: an event of a.md", "2050: an event of a.md", "2550: an event of a.md"}},
		{"checkout", func(s *fake) {
			for i := range 300 {
				s.at(i / 6)
				name := fmt.Sprintf("%03d.md", i)
				s.event(remove, name)
				s.event(create, name)
				s.event(write, name)
			}
			s.at(2000)
		}, []string{"149: an event of 000.md"}},
		{"lost events", func(s *fake) {
			s.errs <- fsnotify.ErrEventOverflow
			s.at(2000)
		}, []string{"100: events were lost: the system's queue was full"}},
		{"files that do not matter", func(s *fake) {
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
			looks, mode := play(t, nil, tt.script)
			if !slices.Equal(looks, tt.want) || mode != "events" {
				t.Errorf("looks %q in mode %s, want %q", looks, mode, tt.want)
			}
		})
	}
}

// TestLooksAreAtTheFilesOfTheEvents checks which events lead to a look at the whole folder.
func TestLooksAreAtTheFilesOfTheEvents(t *testing.T) {
	tests := []struct {
		name   string
		script func(*fake)
		want   []string // nil: everything
	}{
		{"files", func(s *fake) {
			s.event(write, "b.md")
			s.event(remove, "a.md")
			s.event(write, "b.md")
		}, []string{"a.md", "b.md"}},
		{"as many files as are looked at one by one", func(s *fake) {
			for i := range 128 {
				s.event(write, fmt.Sprintf("%02d.md", i%64))
			}
		}, numbered(64)},
		{"more files", func(s *fake) {
			for _, name := range numbered(65) {
				s.event(write, name)
			}
		}, nil},
		{"file that changes which others are indexed", func(s *fake) {
			s.event(write, "a.md")
			s.event(write, "RULES.md")
		}, nil},
		{"lost events", func(s *fake) {
			s.errs <- fsnotify.ErrEventOverflow
			s.event(write, "a.md")
		}, nil},
		{"new folder", func(s *fake) {
			must.Do(s.t, os.Mkdir(filepath.Join(s.dir, "x"), 0o755))
			s.event(write, "a.md")
			s.event(create, "x")
		}, nil},
		{"folder that is removed", func(s *fake) {
			s.event(remove, "was")
			s.event(write, "a.md")
		}, nil},
		{"look that failed before", func(s *fake) {
			s.set(func() { s.lookErr = errors.New("disk full") })
			s.event(write, "a.md")
			s.at(500)
			s.set(func() { s.lookErr = nil })
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, func(s *fake) { s.folders = []string{".", "was"} }, func(s *fake) {
				tt.script(s)
				s.at(2000)
				s.set(func() {
					if got := s.paths[len(s.paths)-1]; len(s.looks) < 2 || !slices.Equal(got, tt.want) {
						t.Errorf("looks %q, the last one at %q, want %q", s.looks, got, tt.want)
					}
				})
				s.at(62_000)
				s.set(func() {
					if got := s.paths[len(s.paths)-1]; !strings.HasSuffix(s.looks[len(s.looks)-1], "sweep") || got != nil {
						t.Errorf("looks %q, the last one at %q", s.looks, got)
					}
				})
			})
		})
	}
}

func numbered(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%02d.md", i))
	}
	return names
}

func TestNewFoldersAreWatched(t *testing.T) {
	looks, mode := play(t, nil, func(s *fake) {
		must.Do(s.t, os.Mkdir(filepath.Join(s.dir, "x"), 0o755))
		s.set(func() { s.folders = []string{".", "x", "x/y"} })
		s.event(create, "x")
		s.at(1000)
		s.set(func() {
			if !slices.Equal(s.watched, s.folders) || s.renewed != 1 { // at the start
				s.t.Errorf("watches %q, %d times anew", s.watched, s.renewed)
			}
			s.folders = []string{"."}
		})
		s.event(remove, "x") // there are no events of the files below it
		s.at(2000)
		s.set(func() {
			if !slices.Equal(s.watched, s.folders) || s.renewed != 2 {
				s.t.Errorf("watches %q, %d times anew", s.watched, s.renewed)
			}
		})
	})
	if want := []string{"100: an event of x", "1100: an event of x"}; !slices.Equal(looks, want) || mode != "events" {
		t.Errorf("looks %q in mode %s, want %q", looks, mode, want)
	}
}

func TestSweepsThatFindChangesStartPolling(t *testing.T) {
	looks, mode := play(t, nil, func(s *fake) {
		s.at(10_000)
		s.set(func() { s.changed = true })
		s.at(62_000)
		if mode := s.w.Mode(); mode != "events" {
			s.t.Errorf("mode %q after one sweep", mode)
		}
		s.at(121_000)
		if mode := s.w.Mode(); !strings.HasPrefix(mode, "polling: ") {
			s.t.Errorf("mode %q after two sweeps", mode)
		}
		s.at(126_000)
	})
	if want := []string{"60000: sweep", "120000: sweep", "120000: polling", "123000: polling", "126000: polling"}; !slices.Equal(looks, want) ||
		!strings.HasPrefix(mode, "polling: ") {
		t.Errorf("looks %q in mode %s", looks, mode)
	}
	_, mode = play(t, nil, func(s *fake) {
		for ms := 30_000; ms < 400_000; ms += 50_000 {
			s.at(ms)
			s.set(func() { s.changed = true })
			s.event(write, "a.md")
			s.at(ms + 1000)
			s.set(func() { s.changed = false })
		}
	})
	if mode != "events" {
		t.Errorf("mode %s with events", mode)
	}
}

func TestWatcherPollsWhileTheSystemWatchesTooFewFolders(t *testing.T) {
	looks, mode := play(t, func(s *fake) { s.listenErr = fmt.Errorf("listen to x: %w", syscall.ENOSPC) }, func(s *fake) {
		if mode := s.w.Mode(); !strings.HasPrefix(mode, "polling: ") || !strings.Contains(mode, "no space") {
			s.t.Errorf("mode %q", mode)
		}
		s.at(5000)
		s.set(func() { s.listenErr = nil })
		s.at(10_000)
	})
	if want := []string{"3000: polling", "6000: polling"}; mode != "events" || !slices.Equal(looks, want) {
		t.Errorf("looks %q, mode %q after the system allows enough", looks, mode)
	}
	_, mode = play(t, func(s *fake) { s.openErr = syscall.EMFILE }, func(s *fake) { s.at(1000) })
	if !strings.HasPrefix(mode, "polling: ") {
		t.Errorf("mode %q without events", mode)
	}
}

func TestSleepOfTheMachineIsNoticed(t *testing.T) {
	looks, _ := play(t, nil, func(s *fake) {
		s.at(7000)
		s.set(func() { s.slept = time.Hour })
		s.at(20_000)
	})
	if want := []string{"10100: the machine slept"}; !slices.Equal(looks, want) {
		t.Errorf("looks %q, want %q", looks, want)
	}
	looks, _ = play(t, nil, func(s *fake) {
		s.at(7000)
		s.set(func() { s.slept = 3 * time.Second }) // a clock that is adjusted, not a sleep
		s.at(20_000)
	})
	if len(looks) > 0 {
		t.Errorf("looks %q", looks)
	}
}

func TestTreeThatCannotBeListedIsTriedAgain(t *testing.T) {
	looks, mode := play(t, nil, func(s *fake) {
		s.at(1000)
		s.set(func() { s.listErr = errors.New("not mounted") })
		s.errs <- fsnotify.ErrEventOverflow
		s.at(5000)
		if mode := s.w.Mode(); mode != "off: not mounted" {
			s.t.Errorf("mode %q", mode)
		}
		s.set(func() { s.listErr = nil })
		s.at(9000)
	})
	if !strings.HasSuffix(looks[len(looks)-1], "the folder is there again") || mode != "events" {
		t.Errorf("looks %q in mode %s", looks, mode)
	}
}

func TestLooksAtAHugeTreeHavePauses(t *testing.T) {
	play(t, func(s *fake) { s.openErr, s.lookTime = syscall.EMFILE, 500*time.Millisecond }, func(s *fake) {
		s.at(300_000)
		s.set(func() {
			if n := len(s.looks); n < 10 || n > 13 {
				t.Errorf("%d looks of half a second in five minutes of polling, want about 12", n)
			}
		})
	})
	play(t, func(s *fake) { s.lookTime = 500 * time.Millisecond }, func(s *fake) {
		for ms := 0; ms < 15_000; ms += 70 {
			s.at(ms)
			s.event(write, "a.md")
		}
		s.set(func() {
			if n := len(s.looks); n < 8 || n > 11 {
				t.Errorf("%d looks of half a second in 15 seconds of events, want 10", n)
			}
		})
	})
}

func TestFoldersThatAppearMeanwhileAreWatchedAtOnce(t *testing.T) {
	play(t, func(s *fake) {
		s.onList = func() {
			if s.lists <= 6 {
				s.folders = append(slices.Clone(s.folders), fmt.Sprint("x", s.lists))
			}
		}
	}, func(s *fake) {
		s.set(func() {
			if !slices.Contains(s.watched, "x6") {
				s.t.Errorf("the last folder is not watched: %q", s.watched)
			}
		})
	})
}

func TestFailedLookIsRepeated(t *testing.T) {
	looks, _ := play(t, nil, func(s *fake) {
		s.set(func() { s.lookErr = errors.New("disk full") })
		s.event(write, "a.md")
		s.at(4000)
		s.set(func() { s.lookErr = nil })
		s.at(20_000)
	})
	var times []string
	for _, look := range looks {
		at, _, _ := strings.Cut(look, ":")
		times = append(times, at)
	}
	if want := []string{"100", "1100", "3100", "7100"}; !slices.Equal(times, want) {
		t.Errorf("looks %q, want at %q", looks, want)
	}
}

func TestIdleWatcherLooksOnceAMinute(t *testing.T) {
	looks, mode := play(t, nil, func(s *fake) { s.at(301_000) })
	if len(looks) != 5 || mode != "events" {
		t.Errorf("looks %q in mode %s", looks, mode)
	}
	// The first look is repeated after a minute, and a sweep of a second after 200 seconds. After
	// a longer one, such as that of a huge tree, it takes ten minutes at most.
	for look, want := range map[time.Duration]int{time.Second: 7, time.Minute: 3} {
		looks, _ = play(t, func(s *fake) { s.lookTime = look }, func(s *fake) { s.at(1_100_000) })
		if len(looks) != want { // with the first one
			t.Errorf("looks of %v: %q", look, looks)
		}
	}
}
