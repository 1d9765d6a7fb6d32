package watcher

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// errOverflow reports that events were lost.
var errOverflow = errors.New("events were lost: the system's queue was full")

// tracker is the state that the goroutine of the source and the loop share. It is
// what is known of the tree, and its changes since the last scan.
type tracker struct {
	tree Tree
	wake chan struct{} // of capacity 1, to wake the loop early

	mu             sync.Mutex
	changes        debouncer
	known          ScanResult      // of the last scan, with the changes reported since
	watched        map[string]bool // folders
	removedFolders []string        // which the source still watches
	ruleFiles      map[string]bool
	linkParts      map[string]bool
	eventPaths     map[string]bool      // paths with an event since the last scan began
	awaitedEvents  map[string]time.Time // changes that a sweep found → the time by which their event must come
	scanRequested  time.Time            // when the first folder changed since the last scan; zero: none
	rootRemoved    bool
	wakeAt         time.Time // when the loop runs next
}

func newTracker(tree Tree, o Options) *tracker {
	return &tracker{tree: tree, wake: make(chan struct{}, 1), changes: newDebouncer(o),
		eventPaths: map[string]bool{}, awaitedEvents: map[string]time.Time{}}
}

func (t *tracker) wakeLoop() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// receive handles the events of the source until it is closed.
func (t *tracker) receive(from source) {
	events, errs := from.Events(), from.Errors()
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			if e, ok := toEvent(t.tree.Dir(), e); ok {
				t.handleEvent(e, time.Now())
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				err = errOverflow
			}
			t.eventsLost(err.Error(), time.Now())
		}
	}
}

// eventsLost notes that everything may have changed, because events were lost.
func (t *tracker) eventsLost(reason string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changes.noteAll(reason, now)
	t.removedFolders = []string{"."} // a lost event may be the removal of any folder
	t.requestScan(now)
	t.wakeLoop()
}

func (t *tracker) handleEvent(e event, now time.Time) {
	newFolder := false // or link: the events below it may be lost
	if e.created || e.attributes {
		newFolder = isFolderOrLink(filepath.Join(t.tree.Dir(), filepath.FromSlash(e.path)))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case e.path == ".":
		t.rootRemoved = t.rootRemoved || e.removed
	case t.ruleFiles[e.path]:
		t.changes.noteAll(e.path+" changed", now)
		t.requestScan(now)
	default:
		if newFolder || t.linkParts[e.path] || (e.created || e.removed) && t.tree.Decides(e.path) {
			t.requestScan(now)
		}
		t.handlePath(e, now)
	}
	if t.rootRemoved || t.changes.dueBefore(e.path, t.known.Links[e.path], t.wakeAt) {
		t.wakeLoop()
	}
}

func (t *tracker) handlePath(e event, now time.Time) {
	if e.removed && t.watched[e.path] {
		t.handleRemovedFolder(e.path, now)
	}
	for _, path := range []string{e.path, t.known.Links[e.path]} {
		if path == "" || path == e.path && !t.tree.Indexable(path) {
			continue
		}
		t.eventPaths[path] = true
		delete(t.awaitedEvents, path)
		if e.removed && !e.created {
			t.changes.noteDeletion(path, now)
			continue
		}
		_, known := t.known.Files[path]
		created := !known && t.known.Files != nil && t.tree.Indexable(path)
		t.changes.noteChange(path, created, now)
		if created {
			t.known.Files[path] = ""
		}
	}
}

// requestScan requests a scan of the tree, unless one is requested already.
func (t *tracker) requestScan(now time.Time) {
	if t.scanRequested.IsZero() {
		t.scanRequested = now
		t.wakeLoop()
	}
}

// scanAgain requests a scan from outside of the event handlers.
func (t *tracker) scanAgain(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requestScan(now)
}

func (t *tracker) handleRemovedFolder(folder string, now time.Time) {
	t.removedFolders = append(t.removedFolders, folder)
	t.requestScan(now)
	for path := range t.known.Files {
		if strings.HasPrefix(path, folder+"/") {
			t.eventPaths[path] = true
			t.changes.noteDeletion(path, now)
		}
	}
}

// isFolderOrLink reports whether name is a folder or a link. A missing name is
// neither.
func isFolderOrLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && (info.IsDir() || info.Mode()&os.ModeSymlink != 0)
}

// beginScan removes and returns the paths that had events before the scan. The scan
// may or may not find changes that are made while it runs. requested reports whether
// an event of a folder or link requested the scan.
func (t *tracker) beginScan() (eventPaths map[string]bool, requested bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	eventPaths, t.eventPaths = t.eventPaths, map[string]bool{}
	requested, t.scanRequested = !t.scanRequested.IsZero(), time.Time{}
	return eventPaths, requested
}

// takeRemovedFolders removes and returns the folders that the source must no longer
// watch.
func (t *tracker) takeRemovedFolders() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	removed := t.removedFolders
	t.removedFolders = nil
	return removed
}

// setWatched notes the folders that the source is about to watch.
func (t *tracker) setWatched(folders []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watched = toSet(folders)
}

// applyScan notes the differences between a scan and what was known as changes. In
// a sweep it ignores changes that had an event, and expects an event of all others
// until the deadline. Without it, events do not work here. Other scans expect none,
// because events may be lost while folders are created and removed.
func (t *tracker) applyScan(result ScanResult, eventPaths map[string]bool, sweep bool, deadline, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.known.Files
	t.setKnown(result)
	isNews := func(path string) bool {
		switch {
		case !sweep:
			return true
		case eventPaths[path] || t.eventPaths[path]:
			return false
		}
		t.awaitedEvents[path] = deadline
		return true
	}
	for path, version := range result.Files {
		if oldVersion, existed := old[path]; (!existed || oldVersion != version) && isNews(path) {
			t.changes.noteChange(path, !existed, now)
		}
	}
	for path := range old {
		if _, exists := result.Files[path]; !exists && isNews(path) {
			t.changes.noteDeletion(path, now)
		}
	}
}

// takeMissedEvent removes and returns a path whose change had no event in time.
func (t *tracker) takeMissedEvent(now time.Time) (path string, found bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for awaited, deadline := range t.awaitedEvents {
		if !now.Before(deadline) {
			path, found = awaited, true
			delete(t.awaitedEvents, awaited)
		}
	}
	return path, found
}

// takeDue removes and returns the changes that are due.
func (t *tracker) takeDue(now time.Time) (Hint, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, deleted, ok := t.changes.takeDue(now)
	for _, path := range deleted {
		delete(t.known.Files, path)
	}
	return h, ok
}

// putBack notes the changes of a hint again that emit failed on.
func (t *tracker) putBack(h Hint, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.All {
		t.changes.noteAll(h.Reason, now)
	}
	for _, path := range h.Paths {
		t.changes.noteChange(path, false, now)
	}
}

func toSet(items []string) map[string]bool {
	out := make(map[string]bool, len(items))
	for _, item := range items {
		out[item] = true
	}
	return out
}

func (t *tracker) isRootRemoved() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rootRemoved
}

// scanRequestedAt returns when a scan was requested; zero: none is.
func (t *tracker) scanRequestedAt() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scanRequested
}

// sleepUntil notes when the loop runs next, so that only changes that are due
// earlier wake it. No change is reported before emitAt.
func (t *tracker) sleepUntil(at, emitAt time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wakeAt = at
	if next := t.changes.nextDue(); !next.IsZero() && later(next, emitAt).Before(at) {
		t.wakeLoop() // an event came just now
	}
}

// nextDue returns when the loop must run next if no event comes; zero: never.
func (t *tracker) nextDue() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.changes.nextDue()
	for _, deadline := range t.awaitedEvents {
		if at.IsZero() || deadline.Before(at) {
			at = deadline
		}
	}
	return at
}

// treeFound notes that the tree is there, at the start or again. Everything in it
// is due at once, which includes all pending changes.
func (t *tracker) treeFound(result ScanResult, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setKnown(result)
	clear(t.changes.pending)
	clear(t.awaitedEvents)
	t.changes.allReason, t.changes.allSince = reason, time.Time{}
}

// treeLost notes that the tree is missing. This does not delete its files: they may
// still exist.
func (t *tracker) treeLost(reason string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setKnown(ScanResult{})
	clear(t.changes.pending)
	clear(t.awaitedEvents)
	clear(t.eventPaths)
	t.watched, t.removedFolders = nil, nil
	t.scanRequested, t.rootRemoved = time.Time{}, false
	t.changes.noteAll(reason, now)
}

func (t *tracker) setKnown(result ScanResult) {
	t.known, t.ruleFiles, t.linkParts = result, toSet(result.RuleFiles), toSet(result.LinkParts)
}
