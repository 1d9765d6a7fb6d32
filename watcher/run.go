package watcher

import (
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

	// folderScanDelay is the wait between an event of a folder and the scan. mkdir
	// -p and git create many folders at a time, and fsnotify must first notice that
	// a renamed folder is gone. A file in a new folder is reported within this delay
	// and DefaultQuiet.
	folderScanDelay = 25 * time.Millisecond

	// eventGrace is how late the event of a change may come that a sweep found.
	eventGrace = time.Second

	// scanPauseFactor and pollPauseFactor limit the time that scans of a huge tree
	// take. The pause after a scan is at least this many times its duration. Scans
	// for new folders take a third of a core at most, polling 2 %.
	scanPauseFactor = 2
	pollPauseFactor = 50

	// maxRescans is how often a scan is repeated at once because it found new
	// folders. Files may have been created in them before they were watched.
	maxRescans = 10

	// sleepThreshold is by how much the wall clock must advance more than the
	// monotonic clock, which stops while the machine sleeps.
	sleepThreshold = 5 * time.Second

	// minBackoff and maxBackoff limit the wait after emit failed.
	minBackoff = time.Second
	maxBackoff = time.Minute
)

// Run watches until ctx is done, which is no error. It calls emit with what may
// have changed, one call at a time; the first hint is about everything. When emit
// fails, Run repeats the hint later, together with the changes since then.
func (w *Watcher) Run(ctx context.Context, emit func(context.Context, Hint) error) error {
	l := &loop{w: w, emit: emit, tracker: newTracker(w.tree, w.options), lastPulse: time.Now(), lastWall: w.wall(), foundReason: "start"}
	defer l.detach()
	l.tracker.changes.noteAll("start", time.Now())
	for ctx.Err() == nil {
		l.step(ctx, time.Now())
		l.wait(ctx)
	}
	w.setMode(modeOff, "stopped")
	return nil
}

// loop is the state of Run.
type loop struct {
	w       *Watcher
	emit    func(context.Context, Hint) error
	tracker *tracker

	source         source // nil: none
	receiver       sync.WaitGroup
	rootInfo       os.FileInfo // of the attached folder; nil: not attached
	found          bool        // the folder was scanned
	foundReason    string      // for the hint when the folder is found
	pollReason     string      // why the loop polls; empty: events come
	tooManyFolders bool        // it polls because the system cannot watch every folder

	attachAt, sweepAt, pollAt, scanAt, emitAt time.Time // the earliest time of each
	lastPulse, lastWall                       time.Time // the last pulse, by the monotonic and by the wall clock
	backoff                                   time.Duration
}

func (l *loop) step(ctx context.Context, now time.Time) {
	if now.Sub(l.lastPulse) >= pulseInterval {
		l.pulse(now)
	}
	if l.attached() && l.tracker.isRootRemoved() {
		l.treeGone("the folder was removed", now)
	}
	switch {
	case !l.attached():
		if !now.Before(l.attachAt) {
			l.attach(ctx, now)
		}
	case !now.Before(l.sweepAt):
		l.sweepAt = now.Add(l.w.options.SweepInterval)
		l.scan(ctx, l.pollReason == "")
	case l.pollReason != "" && !now.Before(l.pollAt), l.folderScanDue(now):
		l.scan(ctx, false)
	}
	if path, found := l.tracker.takeMissedEvent(now); found && l.pollReason == "" {
		l.startPolling("there was no event for a change of " + path)
	}
	if !now.Before(l.emitAt) {
		l.emitDue(ctx)
	}
}

func (l *loop) attached() bool { return l.rootInfo != nil }

// attach starts to receive events before it scans, so that no change is missed.
func (l *loop) attach(ctx context.Context, now time.Time) {
	l.attachAt = now.Add(reattachInterval)
	folder, err := os.Stat(l.w.tree.Dir())
	if err != nil {
		l.w.setMode(modeOff, err.Error())
		return
	}
	l.rootInfo, l.pollReason, l.tooManyFolders = folder, "", false
	l.sweepAt = now.Add(l.w.options.SweepInterval)
	if l.source, err = l.w.openSource(l.w.tree.Dir()); err != nil {
		l.source, l.pollReason = nil, err.Error()
	} else {
		from := l.source
		l.receiver.Go(func() { l.tracker.receive(from) })
	}
	result, ok := l.scanTree(ctx)
	if !ok {
		return
	}
	l.tracker.treeFound(result, l.foundReason)
	l.found, l.foundReason = true, "the folder is there again"
	l.updateMode()
}

// treeGone detaches from a folder that is missing or cannot be listed any more.
func (l *loop) treeGone(reason string, now time.Time) {
	l.detach()
	l.w.setMode(modeOff, reason)
	l.attachAt = now
	if l.found {
		l.found = false
		l.tracker.treeLost(reason, now)
	}
}

func (l *loop) detach() {
	if l.source != nil {
		_ = l.source.Close() // it is not used again
		l.receiver.Wait()
	}
	l.source, l.rootInfo = nil, nil
}

// startPolling scans periodically from now on.
func (l *loop) startPolling(reason string) {
	l.pollReason, l.pollAt = reason, time.Now()
	l.updateMode()
}

func (l *loop) updateMode() {
	switch {
	case !l.found:
	case l.pollReason == "":
		l.w.setMode(modeEvents, "")
	default:
		l.w.setMode(modePolling, l.pollReason)
	}
}

// scan finds what changed since the last scan.
func (l *loop) scan(ctx context.Context, sweep bool) {
	eventPaths, requested := l.tracker.beginScan()
	if result, ok := l.scanTree(ctx); ok {
		now := time.Now()
		l.tracker.applyScan(result, eventPaths, sweep && !requested, now.Add(eventGrace), now)
	}
}

// scanTree scans the whole tree and watches the folders that it has now. ok is false
// where the tree is gone or ctx is done.
func (l *loop) scanTree(ctx context.Context) (result ScanResult, ok bool) {
	began := time.Now()
	if removed := l.tracker.takeRemovedFolders(); l.source != nil {
		for _, folder := range removed {
			l.source.RemoveFolder(folder)
		}
	}
	result, err := l.w.tree.Scan(ctx)
	added := err == nil && l.setFolders(result.Folders)
	for n := 0; added && n < maxRescans; n++ {
		result, err = l.w.tree.Scan(ctx)
		added = err == nil && l.setFolders(result.Folders)
	}
	now := time.Now()
	if added { // the folders of the last scan are watched, and may have got files before
		l.tracker.scanAgain(now)
	}
	took := now.Sub(began)
	l.scanAt = now.Add(max(folderScanDelay, scanPauseFactor*took))
	l.pollAt = now.Add(max(l.w.options.PollInterval, pollPauseFactor*took))
	switch {
	case ctx.Err() != nil:
		return ScanResult{}, false
	case err != nil:
		l.treeGone(err.Error(), now)
		l.attachAt = now.Add(reattachInterval)
		return ScanResult{}, false
	}
	return result, true
}

// setFolders watches these folders, and reports whether any is new. If the system
// cannot watch so many, the loop polls until it can.
func (l *loop) setFolders(folders []string) (added bool) {
	if l.source == nil {
		return false
	}
	l.tracker.setWatched(folders)
	added, err := l.source.SetFolders(folders)
	switch {
	case err != nil && l.pollReason == "":
		l.tooManyFolders = true
		l.startPolling(err.Error())
	case err == nil && l.tooManyFolders:
		l.tooManyFolders, l.pollReason = false, ""
		l.updateMode()
	}
	return added
}

// pulse checks that the machine did not sleep and that the folder is still the same.
func (l *loop) pulse(now time.Time) {
	wall := l.w.wall()
	if wall.Sub(l.lastWall)-now.Sub(l.lastPulse) > sleepThreshold {
		l.tracker.eventsLost("the machine slept", now)
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

// emitDue emits the changes that are due.
func (l *loop) emitDue(ctx context.Context) {
	h, ok := l.tracker.takeDue(time.Now())
	if !ok {
		return
	}
	if err := l.emit(ctx, h); err != nil && !errors.Is(err, ctx.Err()) {
		l.backoff = min(max(2*l.backoff, minBackoff), maxBackoff)
		l.emitAt = time.Now().Add(l.backoff)
		l.tracker.putBack(h, time.Now())
		return
	}
	l.backoff = 0
}

// wait sleeps until the next step.
func (l *loop) wait(ctx context.Context) {
	at := l.lastPulse.Add(pulseInterval)
	if next := l.tracker.nextDue(); !next.IsZero() {
		at = earlier(at, later(next, l.emitAt))
	}
	switch {
	case !l.attached():
		at = earlier(at, l.attachAt)
	case l.pollReason != "":
		at = earlier(at, earlier(l.sweepAt, l.pollAt))
	default:
		at = earlier(at, l.sweepAt)
	}
	if requested, scanAt := l.folderScanTime(); requested && l.attached() {
		at = earlier(at, scanAt)
	}
	l.tracker.sleepUntil(at, l.emitAt)
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-l.tracker.wake:
	}
}

// folderScanTime reports whether folders changed, and when to scan them: not before
// folderScanDelay has passed, and not too soon after the last scan.
func (l *loop) folderScanTime() (requested bool, at time.Time) {
	since := l.tracker.scanRequestedAt()
	return !since.IsZero(), later(since.Add(folderScanDelay), l.scanAt)
}

func (l *loop) folderScanDue(now time.Time) bool {
	requested, at := l.folderScanTime()
	return requested && !now.Before(at)
}
