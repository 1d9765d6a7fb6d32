package watcher

import (
	"fmt"
	"slices"
	"time"
)

// debouncer collects changes until they are due. It has no clock: the time is a
// parameter of every method.
//
// A change is due when there was no event for the quiet time, or none of that file
// for twice as long. So a checkout is one hint, and a busy file does not delay
// others. A deletion is due later, because many editors delete a file and create
// it again to save it. When a new file is due, earlier deletions are due with it:
// that is a rename, and the receiver must see both sides at once.
type debouncer struct {
	quiet, maxDelay, deletionDelay time.Duration

	pending   map[string]*pendingChange
	lastEvent time.Time // of any path

	allReason string    // why everything may have changed; empty: it has not
	allSince  time.Time // when allReason was set
}

// pendingChange is what is known of a path that is not due yet.
type pendingChange struct {
	first, last time.Time // of its events
	deleted     bool      // by the last event
	created     bool      // it did not exist before
}

// maxPending is the limit of paths. For more, one look at everything is cheaper
// than one at each path.
const maxPending = 20_000

func newDebouncer(o Options) debouncer {
	return debouncer{quiet: o.Quiet, maxDelay: o.MaxDelay, deletionDelay: o.DeletionDelay, pending: map[string]*pendingChange{}}
}

func (d *debouncer) noteChange(path string, created bool, now time.Time) {
	if p := d.note(path, now); p != nil {
		p.deleted = false
		p.created = p.created || created
	}
}

func (d *debouncer) noteDeletion(path string, now time.Time) {
	if p := d.pending[path]; p != nil && p.deleted {
		return // another event of the same deletion does not delay it
	}
	if p := d.note(path, now); p != nil {
		p.deleted = true
	}
}

// note counts an event of a path. It returns nil if there are too many paths.
func (d *debouncer) note(path string, now time.Time) *pendingChange {
	d.lastEvent = now
	p := d.pending[path]
	switch {
	case p != nil:
		p.last = now
	case len(d.pending) >= maxPending:
		d.noteAll(fmt.Sprintf("more than %d files changed at once", maxPending), now)
		return nil
	default:
		p = &pendingChange{first: now, last: now}
		d.pending[path] = p
	}
	return p
}

// noteAll notes that everything may have changed.
func (d *debouncer) noteAll(reason string, now time.Time) {
	if d.allReason == "" {
		d.allReason, d.allSince = reason, now
	}
	d.lastEvent = now
}

// dueBefore reports whether a change of either path, or of everything, is due before
// until.
func (d *debouncer) dueBefore(path, other string, until time.Time) bool {
	if d.allReason != "" {
		return d.allDueAt().Before(until)
	}
	for _, path := range []string{path, other} {
		if p := d.pending[path]; p != nil && d.dueAt(p).Before(until) {
			return true
		}
	}
	return false
}

// takeDue removes and returns what is due; deleted lists those paths of the hint
// that were deleted. ok is false if nothing is due.
func (d *debouncer) takeDue(now time.Time) (h Hint, deleted []string, ok bool) {
	if d.allReason != "" {
		if now.Before(d.allDueAt()) {
			return Hint{}, nil, false
		}
		h = Hint{All: true, Reason: d.allReason}
		d.allReason = ""
		clear(d.pending)
		return h, nil, true
	}
	created := false
	for path, p := range d.pending {
		if !now.Before(d.dueAt(p)) {
			h.Paths = append(h.Paths, path)
			created = created || p.created && !p.deleted
		}
	}
	for path, p := range d.pending {
		if created && p.deleted && !now.Before(p.last.Add(d.quiet)) && now.Before(d.dueAt(p)) {
			h.Paths = append(h.Paths, path)
		}
	}
	slices.Sort(h.Paths)
	for _, path := range h.Paths {
		if d.pending[path].deleted {
			deleted = append(deleted, path)
		}
		delete(d.pending, path)
	}
	return h, deleted, len(h.Paths) > 0
}

// nextDue returns when the next change is due if no event comes; zero: never.
func (d *debouncer) nextDue() (at time.Time) {
	if d.allReason != "" {
		return d.allDueAt()
	}
	for _, p := range d.pending {
		if due := d.dueAt(p); at.IsZero() || due.Before(at) {
			at = due
		}
	}
	return at
}

// dueAt returns when a change is due.
func (d *debouncer) dueAt(p *pendingChange) time.Time {
	if p.deleted {
		return p.last.Add(d.deletionDelay)
	}
	allQuiet, pathQuiet := d.lastEvent.Add(d.quiet), p.last.Add(2*d.quiet)
	return earlier(earlier(allQuiet, pathQuiet), p.first.Add(d.maxDelay))
}

// allDueAt returns when the hint about everything is due. It waits for pending
// deletions, because a file may be missing only while an editor replaces it.
func (d *debouncer) allDueAt() time.Time {
	at := d.lastEvent.Add(d.quiet)
	for _, p := range d.pending {
		if p.deleted {
			at = later(at, p.last.Add(d.deletionDelay))
		}
	}
	return earlier(at, d.allSince.Add(d.maxDelay))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
