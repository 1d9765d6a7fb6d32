package watcher

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

const (
	// pulseInterval is how often the loop checks that the folder is still the same
	// and that the machine did not sleep. A check is two system calls.
	pulseInterval = 5 * time.Second

	// reattachInterval is how often the loop looks for a missing folder.
	reattachInterval = time.Second

	// These factors limit the time that looks at a huge tree take. The pause after a look is
	// this many times its duration: for polling 2 % of a core, for sweeps 0.5 %. For events it
	// is at most MaxDelay, because a look that found much takes long.
	pauseFactor      = 2
	pollPauseFactor  = 50
	sweepPauseFactor = 200

	// maxSweepIntervals limits the pause after a sweep: ten minutes.
	maxSweepIntervals = 10

	// maxListings is how often folders are listed again at once because there were new
	// ones. Others may have been created in them before they were watched.
	maxListings = 10

	// missedSweeps is how many sweeps in a row find a change of which no event told, until
	// the loop polls. One of them may be ahead of its event.
	missedSweeps = 2

	// sleepThreshold is by how much the wall clock must advance more than the
	// monotonic clock, which stops while the machine sleeps.
	sleepThreshold = 5 * time.Second

	// minBackoff and maxBackoff limit the wait after a look failed.
	minBackoff = time.Second
	maxBackoff = time.Minute
)

// Run watches until ctx is done, which is no error. It calls look when something may have
// changed, one call at a time, and first at the start. It repeats a look that fails.
func (w *Watcher) Run(ctx context.Context, look Look) error {
	l := &loop{w: w, look: look, pending: &pending{tree: w.tree, wake: make(chan struct{}, 1)},
		lastPulse: time.Now(), lastWall: w.wall(), foundReason: "start"}
	defer l.detach()
	l.pending.noteAll("start", time.Now())
	for ctx.Err() == nil {
		l.step(ctx, time.Now())
		l.wait(ctx)
	}
	w.setMode(modeOff, "stopped")
	return nil
}

// sweepReason is the reason of a look without an event.
const sweepReason = "sweep"

// loop is the state of Run.
type loop struct {
	w       *Watcher
	look    Look
	pending *pending

	source         source // nil: none
	receiver       sync.WaitGroup
	rootInfo       os.FileInfo // of the attached folder; nil: not attached
	foundReason    string      // of the look when the folder is found
	pollReason     string      // why the loop polls; empty: events come
	tooManyFolders bool        // it polls because the system cannot watch every folder
	missed         int         // sweeps in a row that found what had no event

	attachAt, sweepAt, pollAt, lookAt time.Time // the earliest time of each
	lastPulse, lastWall               time.Time // the last pulse, by the monotonic and by the wall clock
	backoff                           time.Duration
}

func (l *loop) step(ctx context.Context, now time.Time) {
	if now.Sub(l.lastPulse) >= pulseInterval {
		l.pulse(now)
	}
	if l.pending.takeRootRemoved() && l.attached() {
		l.treeGone("the folder was removed", now)
	}
	switch {
	case !l.attached():
		if !now.Before(l.attachAt) {
			l.attach(ctx, now)
		}
	case !now.Before(l.sweepAt):
		l.lookNow(ctx, sweepReason, true)
	case l.pollReason != "" && !now.Before(l.pollAt):
		l.lookNow(ctx, "polling", true)
	}
	if due := l.pending.dueAt(l.w.options); !due.IsZero() && !now.Before(due) && !now.Before(l.lookAt) {
		l.lookNow(ctx, "", false)
	}
}

func (l *loop) attached() bool { return l.rootInfo != nil }

// attach starts to receive events before it looks, so that no change is missed.
func (l *loop) attach(ctx context.Context, now time.Time) {
	l.attachAt = now.Add(reattachInterval)
	folder, err := os.Stat(l.w.tree.Dir())
	if err != nil {
		l.w.setMode(modeOff, err.Error())
		return
	}
	l.rootInfo, l.pollReason, l.tooManyFolders, l.missed = folder, "", false, 0
	if l.source, err = l.w.openSource(l.w.tree.Dir()); err != nil {
		l.source, l.pollReason = nil, err.Error()
	} else {
		from := l.source
		l.receiver.Go(func() { l.pending.receive(from) })
	}
	if l.lookNow(ctx, l.foundReason, true); l.attached() {
		l.foundReason = "the folder is there again"
	}
}

// treeGone detaches from a folder that is missing or cannot be listed any more.
func (l *loop) treeGone(reason string, now time.Time) {
	l.detach()
	l.w.setMode(modeOff, reason)
	l.attachAt = now
	l.pending.noteAll(reason, now) // the receiver learns that the folder is gone
}

func (l *loop) detach() {
	if l.source != nil {
		_ = l.source.Close() // it is not used again
		l.receiver.Wait()
	}
	l.source, l.rootInfo = nil, nil
}

// lookNow watches the folders that came, and lets the receiver look. everything lists all
// folders again, and looks at all files. Without a reason, it is that of the events.
func (l *loop) lookNow(ctx context.Context, reason string, everything bool) {
	began, t := time.Now(), l.pending.take()
	if l.attached() && (t.folders || everything) && !l.listFolders(ctx, t.renew) {
		return
	}
	if everything {
		t.paths = nil
	}
	reason = cmp.Or(reason, t.reason)
	changed, err := l.look(ctx, t.paths, reason)
	now := time.Now()
	took := now.Sub(began)
	if len(t.paths) == 0 {
		pause := l.w.options.SweepInterval
		if reason == sweepReason { // another look may have taken long because it found much, or waited
			pause = min(max(pause, sweepPauseFactor*took), maxSweepIntervals*pause)
		}
		l.sweepAt = now.Add(pause)
		l.pollAt = now.Add(max(l.w.options.PollInterval, pollPauseFactor*took))
	}
	l.lookAt = now.Add(min(pauseFactor*took, l.w.options.MaxDelay))
	if err != nil && !errors.Is(err, ctx.Err()) {
		l.backoff = min(max(2*l.backoff, minBackoff), maxBackoff)
		l.lookAt = now.Add(l.backoff)
		l.pending.noteFailed(reason, now)
		return
	}
	l.backoff = 0
	if reason == sweepReason {
		l.countMissed(changed && t.reason == "" && l.pending.dueAt(l.w.options).IsZero())
	}
}

// countMissed counts the sweeps that find what had no event, and starts to poll.
func (l *loop) countMissed(missed bool) {
	if !missed {
		l.missed = 0
		return
	}
	if l.missed++; l.missed >= missedSweeps && l.pollReason == "" {
		l.pollReason, l.pollAt = "changes had no events", time.Now()
		l.updateMode()
	}
}

func (l *loop) updateMode() {
	if l.pollReason == "" {
		l.w.setMode(modeEvents, "")
	} else {
		l.w.setMode(modePolling, l.pollReason)
	}
}

// listFolders watches the folders that the tree has now. It returns false where the tree is
// gone or ctx is done.
func (l *loop) listFolders(ctx context.Context, renew bool) bool {
	for added, n := true, 0; added && n < maxListings; n++ {
		folders, err := l.w.tree.Folders(ctx)
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			l.treeGone(err.Error(), time.Now())
			l.attachAt = time.Now().Add(reattachInterval)
			return false
		}
		added = l.setFolders(folders, renew && n == 0)
	}
	l.updateMode()
	return true
}

// setFolders watches these folders, and reports whether any is new. If the system
// cannot watch so many, the loop polls until it can.
func (l *loop) setFolders(folders []string, renew bool) (added bool) {
	if l.source == nil {
		return false
	}
	l.pending.setWatched(folders)
	added, err := l.source.SetFolders(folders, renew)
	switch {
	case err != nil && l.pollReason == "":
		l.tooManyFolders, l.pollReason = true, err.Error()
	case err == nil && l.tooManyFolders:
		l.tooManyFolders, l.pollReason = false, ""
	}
	return added
}

// pulse checks that the machine did not sleep and that the folder is still the same.
func (l *loop) pulse(now time.Time) {
	wall := l.w.wall()
	if wall.Sub(l.lastWall)-now.Sub(l.lastPulse) > sleepThreshold {
		l.pending.noteAll("the machine slept", now)
	}
	l.lastPulse, l.lastWall = now, wall
	if !l.attached() {
		return
	}
	root, err := os.Stat(l.w.tree.Dir())
	if err != nil || !os.SameFile(root, l.rootInfo) {
		l.treeGone("the folder was replaced", now)
	}
}

// wait sleeps until the next step, or until an event comes.
func (l *loop) wait(ctx context.Context) {
	at := l.lastPulse.Add(pulseInterval)
	if due := l.pending.dueAt(l.w.options); !due.IsZero() {
		at = earlier(at, later(due, l.lookAt))
	}
	switch {
	case !l.attached():
		at = earlier(at, l.attachAt)
	case l.pollReason != "":
		at = earlier(at, earlier(l.sweepAt, l.pollAt))
	default:
		at = earlier(at, l.sweepAt)
	}
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-l.pending.wake:
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
