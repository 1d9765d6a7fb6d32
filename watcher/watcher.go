// Package watcher reports which paths of a folder may have changed. It is the only
// package that uses fsnotify.
//
// It only gives hints: the receiver compares the content on disk. A hint that is
// late, repeated or wrong does no harm, and a periodic scan finds changes without
// an event. So the package does not interpret events; it debounces them.
package watcher

import (
	"context"
	"sync"
	"time"
)

// Tree is the folder to watch. Two goroutines call its methods at once.
type Tree interface {
	Dir() string                                  // absolute
	Indexable(path string) bool                   // decided by the name alone
	Decides(path string) bool                     // whether this file's existence may decide which others are indexable
	Scan(ctx context.Context) (ScanResult, error) // fails while the folder is missing
}

// ScanResult lists the whole tree. Paths are relative to its folder and separated
// by slashes.
type ScanResult struct {
	Files     map[string]string // every indexable file → a version that every write changes
	Folders   []string          // every folder to watch, including "."
	Links     map[string]string // an event of the key is a change of the value
	RuleFiles []string          // files that decide which files are indexable
	LinkParts []string          // paths on which the targets of links depend: an event there needs a scan
}

// Hint names paths that may have changed.
type Hint struct {
	Paths  []string // sorted, including deleted paths
	All    bool     // everything may have changed; Paths is empty
	Reason string   // of All, for people
}

// Options configure the delays; zero fields are the defaults.
type Options struct {
	Quiet         time.Duration // without an event before a change is reported
	MaxDelay      time.Duration // after which a file with a stream of events is reported
	DeletionDelay time.Duration // for which a file must be missing to be reported as deleted
	SweepInterval time.Duration // between scans for changes without an event
	PollInterval  time.Duration // between scans where there are no events
}

// The defaults. An edit must be found 0.3 s after it is saved, and a deletion
// after 1 s. Both include the time of the receiver.
const (
	// An editor saves a file within about 10 ms, and a checkout writes its files
	// less than 1 ms apart. This is ten times as long, and leaves two thirds of
	// the 0.3 s to the receiver.
	DefaultQuiet = 100 * time.Millisecond

	// A file that is written all the time is reported this often.
	DefaultMaxDelay = 2 * time.Second

	// While an editor replaces a file, the file is missing for 1 ms; on a slow or
	// remote disk much longer. This is half of the 1 s that a deletion may take.
	DefaultDeletionDelay = 500 * time.Millisecond

	// A scan of 2,000 files takes about 10 ms: 0.02 % of a core.
	DefaultSweepInterval = time.Minute

	// Without events, an edit shows after this time. It is short enough that the
	// service does not look broken, and costs 0.4 % of a core for 2,000 files.
	DefaultPollInterval = 3 * time.Second
)

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		of    *time.Duration
		value time.Duration
	}{{&o.Quiet, DefaultQuiet}, {&o.MaxDelay, DefaultMaxDelay}, {&o.DeletionDelay, DefaultDeletionDelay}, {&o.SweepInterval, DefaultSweepInterval}, {&o.PollInterval, DefaultPollInterval}} {
		if *d.of <= 0 {
			*d.of = d.value
		}
	}
	return o
}

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
	return &Watcher{tree: tree, options: o.withDefaults(), openSource: openNotifier, wall: wallClock, mode: modeOff + ": not started"}
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
