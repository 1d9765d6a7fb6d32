package watcher

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pending is what events reported since the last look. The goroutine of the source and the
// loop share it.
type pending struct {
	tree Tree
	wake chan struct{} // of capacity 1, to wake the loop early

	mu          sync.Mutex
	first, last time.Time       // of the events; zero: none
	reason      string          // of the look
	paths       map[string]bool // files that events named
	everything  bool            // the look is at the whole folder
	watched     map[string]bool // folders
	foldersDue  bool            // a folder came, went or changed
	renew       bool            // a watched folder was removed or renamed, or events were lost
	rootRemoved bool
}

// maxPaths is how many files are looked at one by one. The receiver stats each; for more, a
// walk of the whole folder is cheaper.
const maxPaths = 64

// note notes that a file may have changed; without a path, the whole folder.
func (p *pending) note(reason, path string, now time.Time) {
	if p.first.IsZero() {
		p.first, p.reason, p.paths, p.everything = now, reason, map[string]bool{}, false
	}
	p.last = now
	if p.everything = p.everything || path == "" || len(p.paths) == maxPaths && !p.paths[path]; !p.everything {
		p.paths[path] = true
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// noteAll notes that everything may have changed, because events were lost.
func (p *pending) noteAll(reason string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.foldersDue, p.renew = true, true
	p.note(reason, "", now)
}

// noteFailed notes that a look has to be repeated.
func (p *pending) noteFailed(reason string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(reason, "", now)
}

// receive handles the events of a source until it is closed.
func (p *pending) receive(from source) {
	events, errs := from.Events(), from.Errors()
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			p.handle(e, time.Now())
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				err = errOverflow
			}
			p.noteAll(err.Error(), time.Now())
		}
	}
}

// errOverflow reports that events were lost.
var errOverflow = errors.New("events were lost: the system's queue was full")

// handle notes an event that matters.
func (p *pending) handle(e fsnotify.Event, now time.Time) {
	path, inside := relativePath(p.tree.Dir(), e.Name)
	if !inside || e.Op == 0 {
		return
	}
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	// The events below a new folder or link may be lost.
	isNew := (e.Has(fsnotify.Create) || e.Has(fsnotify.Chmod)) && path != "." && isFolderOrLink(e.Name)
	effect := NoEffect
	if path != "." {
		effect = p.tree.Effect(path)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	wasFolder := gone && p.watched[path]
	if path == "." {
		p.rootRemoved = p.rootRemoved || gone
	}
	p.foldersDue, p.renew = p.foldersDue || isNew || wasFolder, p.renew || wasFolder
	switch reason := "an event of " + path; {
	case isNew || wasFolder || p.rootRemoved || effect == OnFolder:
		p.note(reason, "", now)
	case effect == OnFile:
		p.note(reason, path, now)
	}
}

// dueAt returns when the next look is due if no event comes; zero: never.
func (p *pending) dueAt(o Options) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first.IsZero() {
		return time.Time{}
	}
	return earlier(p.last.Add(o.Quiet), p.first.Add(o.MaxDelay))
}

// told is what events reported.
type told struct {
	reason  string   // empty: no event came
	paths   []string // files to look at; none: the whole folder
	folders bool     // the folders have to be listed again
	renew   bool     // and watched anew
}

// take removes and returns what events reported.
func (p *pending) take() told {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := told{reason: p.reason, folders: p.foldersDue, renew: p.renew}
	if !p.everything {
		t.paths = slices.Sorted(maps.Keys(p.paths))
	}
	p.first, p.last, p.reason, p.paths = time.Time{}, time.Time{}, "", nil
	p.foldersDue, p.renew = false, false
	return t
}

// setWatched notes the folders that the source is about to watch.
func (p *pending) setWatched(folders []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched = make(map[string]bool, len(folders))
	for _, folder := range folders {
		p.watched[folder] = true
	}
}

// takeRootRemoved reports whether the watched folder was removed since the last call.
func (p *pending) takeRootRemoved() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	removed := p.rootRemoved
	p.rootRemoved = false
	return removed
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
