package watcher

import (
	"errors"
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
	watched     map[string]bool // folders
	foldersDue  bool            // a folder came, went or changed
	renew       bool            // a watched folder was removed or renamed, or events were lost
	rootRemoved bool
}

// note notes that the folder may have changed.
func (p *pending) note(reason string, folders, renew bool, now time.Time) {
	if p.first.IsZero() {
		p.first, p.reason = now, reason
	}
	p.last, p.foldersDue, p.renew = now, p.foldersDue || folders, p.renew || renew
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// noteAll notes that everything may have changed, because events were lost.
func (p *pending) noteAll(reason string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(reason, true, true, now)
}

// noteFailed notes that a look has to be repeated.
func (p *pending) noteFailed(reason string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(reason, false, false, now)
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
	matters := path != "." && p.tree.Matters(path)
	p.mu.Lock()
	defer p.mu.Unlock()
	wasFolder := gone && p.watched[path]
	if path == "." {
		p.rootRemoved = p.rootRemoved || gone
	}
	if matters || isNew || wasFolder || p.rootRemoved {
		p.note("an event of "+path, isNew || wasFolder, wasFolder, now)
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

// takeFolders returns whether the folders have to be listed again, and watched anew.
func (p *pending) takeFolders() (due, renew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	due, renew = p.foldersDue, p.renew
	p.foldersDue, p.renew = false, false
	return due, renew
}

// takeLook removes what events reported, and returns the reason of the look; empty: no event
// came.
func (p *pending) takeLook() (reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	reason = p.reason
	p.first, p.last, p.reason = time.Time{}, time.Time{}, ""
	return reason
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
