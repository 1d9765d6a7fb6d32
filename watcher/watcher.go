// Package watcher says which paths of a folder may have changed. It is the only
// package that knows fsnotify.
//
// It only hints: who listens looks at the disk and decides by content, so that
// a hint doubled, late or about nothing does no harm, and one that never came
// is made up for by a sweep. Events are therefore never interpreted, only
// collected until they settle.
package watcher

import (
	"context"
	"sync"
	"time"
)

// Tree is the folder that is watched. Its methods are called from two
// goroutines at once.
type Tree interface {
	Dir() string                                  // absolute
	Indexable(path string) bool                   // by its name and the rules alone
	Scan(ctx context.Context) (ScanResult, error) // fails while the folder is not there
}

// ScanResult is what a look at the whole tree found. Paths are relative to its
// folder and separated by slashes.
type ScanResult struct {
	Files     map[string]string // every indexable file; the value differs after a write
	Folders   []string          // every folder to listen to, "." among them
	Links     map[string]string // an event at the key is about the value
	RuleFiles []string          // files that decide what is in Files
}

// Hint names what is worth a look.
type Hint struct {
	Paths  []string // sorted; what is gone is among them
	All    bool     // look at everything; Paths is then empty
	Reason string   // for a person: why All
}

// Options are how long to wait for what; zero fields are the defaults.
type Options struct {
	Quiet    time.Duration // without an event before a change is told
	Max      time.Duration // for which one file's stream of events may put that off
	Deletion time.Duration // for which a file must stay away to be gone
	Sweep    time.Duration // between looks for what no event told of
	Poll     time.Duration // between looks where events do not come
}

// The defaults. An edit is to be found 0.3 s after it was saved, and a deletion
// after 1 s, with what the listener needs in between.
const (
	// Editors are done with a save in some 10 ms, and a checkout writes its
	// files less than 1 ms apart: this is ten times that, and leaves two thirds
	// of the 0.3 s to the listener.
	DefaultQuiet = 100 * time.Millisecond

	// A file that is written all the time is told of this often.
	DefaultMax = 2 * time.Second

	// An editor that replaces a file by its own means leaves it missing for
	// 1 ms, a slow or remote one for much longer: this is as long as the bound
	// of 1 s allows, and half of it.
	DefaultDeletion = 500 * time.Millisecond

	// A sweep over 2,000 files takes about 10 ms: 0.02 % of a core.
	DefaultSweep = time.Minute

	// Where there are no events, this is how long a person waits for an edit
	// to show: short enough not to look broken, 0.4 % of a core at 2,000 files.
	DefaultPoll = 3 * time.Second
)

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		of    *time.Duration
		value time.Duration
	}{{&o.Quiet, DefaultQuiet}, {&o.Max, DefaultMax}, {&o.Deletion, DefaultDeletion}, {&o.Sweep, DefaultSweep}, {&o.Poll, DefaultPoll}} {
		if *d.of <= 0 {
			*d.of = d.value
		}
	}
	return o
}

// Watcher watches one tree.
type Watcher struct {
	tree Tree
	o    Options
	open func(dir string) (source, error)
	wall func() time.Time // goes on while the machine sleeps

	mu   sync.Mutex
	mode string
}

// New makes a watcher. It does nothing until Run.
func New(tree Tree, o Options) *Watcher {
	return &Watcher{tree: tree, o: o.withDefaults(), open: openNotifier, wall: wallClock, mode: off + ": not started"}
}

func wallClock() time.Time { return time.Now().Round(0) }

// Mode says how changes are found: "events"; "polling: " and why, where events
// do not come; or "off: " and why, where there is nothing to watch.
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
	events  = "events"
	polling = "polling"
	off     = "off"
)
