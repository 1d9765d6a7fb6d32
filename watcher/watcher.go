// Package watcher reports when a folder may have changed. It is the only package that uses
// fsnotify.
//
// An event means: look soon. The receiver compares the files that events named with what it
// knows of them. So a report that is late, repeated or needless does no harm. It compares the
// whole folder where events were lost, or say nothing of what lies below a folder. So does a
// look without an event, once a minute or less often: it finds what had no event.
package watcher

import (
	"context"
	"sync"
	"time"
)

// Tree is the folder to watch. Two goroutines call its methods at once.
type Tree interface {
	Dir() string                                   // absolute
	Effect(path string) Effect                     // of a change of this file
	Folders(ctx context.Context) ([]string, error) // every folder to watch, including "."; fails while the folder is missing
}

// Effect is what a change of a file may change in what is indexed.
type Effect int

const (
	NoEffect Effect = iota
	OnFile          // its own content
	OnFolder        // which other files are indexed, or their content
)

// Look compares files with what is known of them, and reports whether something had changed.
// No paths mean the whole folder. reason is for people.
type Look func(ctx context.Context, paths []string, reason string) (changed bool, err error)

// Options configure the delays; zero fields are the defaults.
type Options struct {
	Quiet         time.Duration // without an event before a look
	MaxDelay      time.Duration // after the first event, in a stream of them
	SweepInterval time.Duration // between looks without an event
	PollInterval  time.Duration // between looks where there are no events
}

// The defaults. An edit must be found 0.3 s after it is saved. That includes the time of
// the receiver.
const (
	// An editor saves a file within about 10 ms, and a checkout writes its files
	// less than 1 ms apart. This is ten times as long, and leaves two thirds of
	// the 0.3 s to the receiver.
	DefaultQuiet = 100 * time.Millisecond

	// While a program writes all the time, there is one look a second.
	DefaultMaxDelay = time.Second

	// A look at 2,000 files takes about 10 ms: 0.02 % of a core. For a huge tree, see
	// sweepPauseFactor.
	DefaultSweepInterval = time.Minute

	// Without events, an edit shows after this time. It is short enough that the
	// service does not look broken, and costs 0.4 % of a core for 2,000 files.
	DefaultPollInterval = 3 * time.Second
)

// Watcher watches one tree.
type Watcher struct {
	tree       Tree
	options    Options
	openSource func(dir string) (source, error)
	wall       func() time.Time // the wall clock, which goes on while the machine sleeps

	mu   sync.Mutex
	mode string
}

// New returns a watcher. It does nothing until Run.
func New(tree Tree, o Options) *Watcher {
	for _, d := range []struct {
		of    *time.Duration
		value time.Duration
	}{{&o.Quiet, DefaultQuiet}, {&o.MaxDelay, DefaultMaxDelay}, {&o.SweepInterval, DefaultSweepInterval}, {&o.PollInterval, DefaultPollInterval}} {
		if *d.of <= 0 {
			*d.of = d.value
		}
	}
	return &Watcher{tree: tree, options: o, openSource: openNotifier, wall: wallClock, mode: modeOff + ": not started"}
}

func wallClock() time.Time { return time.Now().Round(0) }

// Mode reports how changes are found: "events"; "polling: " with the reason, where
// there are no events; "off: " with the reason, where nothing is watched.
func (w *Watcher) Mode() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mode
}

func (w *Watcher) setMode(mode, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode = mode
	if why != "" {
		w.mode += ": " + why
	}
}

const (
	modeEvents  = "events"
	modePolling = "polling"
	modeOff     = "off"
)
