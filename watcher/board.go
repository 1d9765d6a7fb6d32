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

// errOverflow says that events were lost.
var errOverflow = errors.New("more happened at once than the system remembers")

// board is what the listening goroutine and the loop share: what is known of
// the tree, and what was heard of it since.
type board struct {
	tree Tree
	wake chan struct{} // holds one when the loop has to look before its time

	mu       sync.Mutex
	settle   settle
	known    ScanResult
	folders  map[string]bool // listened to, or about to be
	gone     []string        // folders that went, and are still listened to
	rules    map[string]bool
	heard    map[string]bool      // paths with an event since the last scan began
	suspects map[string]time.Time // changes that a sweep found, and by when their event must have come
	rescan   time.Time            // since when folders have changed; zero: they have not
	lost     bool                 // the tree's own folder went
	until    time.Time            // when the loop looks next
}

func newBoard(tree Tree, o Options) *board {
	return &board{tree: tree, wake: make(chan struct{}, 1), settle: newSettle(o),
		heard: map[string]bool{}, suspects: map[string]time.Time{}}
}

func (b *board) nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// listen puts on the board what the source tells, until it is closed.
func (b *board) listen(from source) {
	told, errs := from.Events(), from.Errors()
	for told != nil || errs != nil {
		select {
		case e, ok := <-told:
			if !ok {
				told = nil
				continue
			}
			if e, ok := translate(b.tree.Dir(), e); ok {
				b.hear(e, time.Now())
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				err = errOverflow
			}
			b.missed(err.Error(), time.Now())
		}
	}
}

// missed notes that events were lost.
func (b *board) missed(why string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle.everything(why, now)
	b.gone = []string{"."} // among what was lost may be that a folder went
	b.wantScan(now)
	b.nudge()
}

func (b *board) hear(e event, now time.Time) {
	other := false // a folder or a link came: events below it may have gone unheard
	if e.created || e.rights {
		other = leadsOn(filepath.Join(b.tree.Dir(), filepath.FromSlash(e.path)))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case e.path == ".":
		b.lost = b.lost || e.removed
	case b.rules[e.path]:
		b.settle.everything(e.path+" changed", now)
		b.wantScan(now)
	default:
		if other {
			b.wantScan(now)
		}
		b.hearPath(e, now)
	}
	if b.lost || b.settle.sooner(e.path, b.known.Links[e.path], b.until) {
		b.nudge()
	}
}

func (b *board) hearPath(e event, now time.Time) {
	if e.removed && b.folders[e.path] {
		b.folderGone(e.path, now)
	}
	for _, path := range []string{e.path, b.known.Links[e.path]} {
		if path == "" || path == e.path && !b.tree.Indexable(path) {
			continue
		}
		b.heard[path] = true
		delete(b.suspects, path)
		if e.removed && !e.created {
			b.settle.vanished(path, now)
			continue
		}
		_, before := b.known.Files[path]
		born := !before && b.known.Files != nil && b.tree.Indexable(path)
		b.settle.changed(path, born, now)
		if born {
			b.known.Files[path] = ""
		}
	}
}

// wantScan asks for a look at the tree, unless one was asked for.
func (b *board) wantScan(now time.Time) {
	if b.rescan.IsZero() {
		b.rescan = now
		b.nudge()
	}
}

func (b *board) folderGone(folder string, now time.Time) {
	b.gone = append(b.gone, folder)
	b.wantScan(now)
	for path := range b.known.Files {
		if strings.HasPrefix(path, folder+"/") {
			b.heard[path] = true
			b.settle.vanished(path, now)
		}
	}
}

// leadsOn says that this is a folder or a link. What is gone again is neither.
func leadsOn(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && (info.IsDir() || info.Mode()&os.ModeSymlink != 0)
}

// beginScan is called before a look at the tree, and gives what was heard
// until then: what changes while the look lasts may or may not be seen by it.
func (b *board) beginScan() (heard map[string]bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	heard, b.heard = b.heard, map[string]bool{}
	b.rescan = time.Time{}
	return heard
}

// takeGone takes the folders that are to be listened to no more.
func (b *board) takeGone() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	gone := b.gone
	b.gone = nil
	return gone
}

// listening is called before folders are listened to.
func (b *board) listening(folders []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.folders = set(folders)
}

// learn takes in what a scan found, and puts its differences to what was known
// among the changes. In a sweep that leaves out those that an event has told of,
// and the others are evidence that events do not come, unless theirs comes by
// then. In other scans it does not: while folders come and go there are moments
// in which nothing is heard.
func (b *board) learn(found ScanResult, heard map[string]bool, sweep bool, by, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.known.Files
	b.know(found)
	unheard := func(path string) bool {
		switch {
		case !sweep:
			return true
		case heard[path] || b.heard[path]:
			return false
		}
		b.suspects[path] = by
		return true
	}
	for path, version := range found.Files {
		if before, was := old[path]; (!was || before != version) && unheard(path) {
			b.settle.changed(path, !was, now)
		}
	}
	for path := range old {
		if _, is := found.Files[path]; !is && unheard(path) {
			b.settle.vanished(path, now)
		}
	}
}

// convicted takes a path whose change no event told of in time.
func (b *board) convicted(now time.Time) (path string, found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for suspect, by := range b.suspects {
		if !now.Before(by) {
			path, found = suspect, true
			delete(b.suspects, suspect)
		}
	}
	return path, found
}

// due takes from the board what is to be told now.
func (b *board) due(now time.Time) (Hint, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	h, gone, ok := b.settle.due(now)
	for _, path := range gone {
		delete(b.known.Files, path)
	}
	return h, ok
}

// putBack returns a hint that nobody took.
func (b *board) putBack(h Hint, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h.All {
		b.settle.everything(h.Reason, now)
	}
	for _, path := range h.Paths {
		b.settle.changed(path, false, now)
	}
}

func set(items []string) map[string]bool {
	out := make(map[string]bool, len(items))
	for _, item := range items {
		out[item] = true
	}
	return out
}

func (b *board) isLost() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lost
}

// scanWanted is since when a look at the tree is wanted; zero: it is not.
func (b *board) scanWanted() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rescan
}

// sleepUntil notes when the loop will look, so that it is only woken for what
// is due before. Nothing is told before tellAt.
func (b *board) sleepUntil(at, tellAt time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = at
	if next := b.settle.next(); !next.IsZero() && later(next, tellAt).Before(at) {
		b.nudge() // something was heard just now
	}
}

// next is when the board has to be looked at; zero: when something is heard.
func (b *board) next() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := b.settle.next()
	for _, by := range b.suspects {
		if at.IsZero() || by.Before(at) {
			at = by
		}
	}
	return at
}

// arrive is called when the tree was found, at the start or again: everything
// in it is to be looked at now, and what was heard of it before is part of that.
func (b *board) arrive(found ScanResult, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.know(found)
	clear(b.settle.paths)
	clear(b.suspects)
	b.settle.all, b.settle.allSince = why, time.Time{}
}

// forget is called when the tree is not there any more. Its files are not gone:
// nobody can look.
func (b *board) forget(why string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.know(ScanResult{})
	clear(b.settle.paths)
	clear(b.suspects)
	clear(b.heard)
	b.folders, b.gone = nil, nil
	b.rescan, b.lost = time.Time{}, false
	b.settle.everything(why, now)
}

func (b *board) know(found ScanResult) {
	b.known, b.rules = found, set(found.RuleFiles)
}
