package watcher

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

const (
	// pulse is how often the loop looks whether the folder is still the same
	// one and whether the machine slept: two system calls.
	pulse = 5 * time.Second

	// returning is how often a folder that is not there is looked for.
	returning = time.Second

	// folderDelay is waited after news of a folder before the tree is looked
	// at: mkdir -p and git make many at a time, and fsnotify must first have
	// seen a renamed one off. A file in it is then told within DefaultQuiet and
	// this.
	folderDelay = 25 * time.Millisecond

	// grace is how long the event of a change that a sweep saw may be on its
	// way still.
	grace = time.Second

	// scanShare and pollShare keep looking at a huge tree from taking all the
	// time: a scan is followed by so many times its duration without one. For
	// folders that come and go that is a third of a core at most, for polling
	// 2 %.
	scanShare = 2
	pollShare = 50

	// maxScans is how often a look is repeated at once because it found new
	// folders, into which files may have come before they were listened to.
	maxScans = 10

	// sleepJump is by how much the wall clock must outrun the monotonic one,
	// which stands still while the machine sleeps.
	sleepJump = 5 * time.Second

	// retryFirst and retryMost bound the wait after emit failed.
	retryFirst = time.Second
	retryMost  = time.Minute
)

// Run watches until ctx is done, which is no error, and calls emit with what
// may have changed, first of all with everything. Calls come one at a time; an
// emit that fails is called again later, with the same and what came since.
func (w *Watcher) Run(ctx context.Context, emit func(context.Context, Hint) error) error {
	l := &loop{w: w, emit: emit, board: newBoard(w.tree, w.o), pulsed: time.Now(), wall: w.wall(), arrival: "start"}
	defer l.detach()
	l.board.settle.everything("start", time.Now())
	for ctx.Err() == nil {
		l.step(ctx, time.Now())
		l.wait(ctx)
	}
	w.setMode(off, "stopped")
	return nil
}

// loop is one Run.
type loop struct {
	w     *Watcher
	emit  func(context.Context, Hint) error
	board *board

	source   source // nil: not attached
	listener sync.WaitGroup
	folder   os.FileInfo // the one attached to
	arrived  bool        // it was found and listed
	arrival  string      // the reason to give when it is found
	why      string      // why it is polled; empty: events come
	limited  bool        // that is because not every folder could be listened to

	attachAt, sweepAt, pollAt, scanAt, emitAt time.Time // not before
	pulsed, wall                              time.Time // the last pulse, by either clock
	backoff                                   time.Duration
}

func (l *loop) step(ctx context.Context, now time.Time) {
	if now.Sub(l.pulsed) >= pulse {
		l.pulse(now)
	}
	if l.attached() && l.board.isLost() {
		l.lose("the folder went away", now)
	}
	switch {
	case !l.attached():
		if !now.Before(l.attachAt) {
			l.attach(ctx, now)
		}
	case !now.Before(l.sweepAt):
		l.sweepAt = now.Add(l.w.o.Sweep)
		l.scan(ctx, l.why == "")
	case l.why != "" && !now.Before(l.pollAt), l.folderScanDue(now):
		l.scan(ctx, false)
	}
	if path, found := l.board.convicted(now); found && l.why == "" {
		l.poll("a change of " + path + " came without an event")
	}
	if !now.Before(l.emitAt) {
		l.tell(ctx)
	}
}

func (l *loop) attached() bool { return l.folder != nil }

// attach begins to listen, and only then looks: nothing falls between.
func (l *loop) attach(ctx context.Context, now time.Time) {
	l.attachAt = now.Add(returning)
	folder, err := os.Stat(l.w.tree.Dir())
	if err != nil {
		l.w.setMode(off, err.Error())
		return
	}
	l.folder, l.why, l.limited = folder, "", false
	l.sweepAt = now.Add(l.w.o.Sweep)
	if l.source, err = l.w.open(l.w.tree.Dir()); err != nil {
		l.source, l.why = nil, err.Error()
	} else {
		from := l.source
		l.listener.Go(func() { l.board.listen(from) })
	}
	found, ok := l.look(ctx)
	if !ok {
		return
	}
	l.board.arrive(found, l.arrival)
	l.arrived, l.arrival = true, "the folder is there again"
	l.showMode()
}

// lose lets go of a folder that is not there, or cannot be listed, any more.
func (l *loop) lose(why string, now time.Time) {
	l.detach()
	l.w.setMode(off, why)
	l.attachAt = now
	if l.arrived {
		l.arrived = false
		l.board.forget(why, now)
	}
}

func (l *loop) detach() {
	if l.source != nil {
		_ = l.source.Close() // nothing is left to do with it
		l.listener.Wait()
	}
	l.source, l.folder = nil, nil
}

// poll looks instead of listening from now on.
func (l *loop) poll(why string) {
	l.why, l.pollAt = why, time.Now()
	l.showMode()
}

func (l *loop) showMode() {
	switch {
	case !l.arrived:
	case l.why == "":
		l.w.setMode(events, "")
	default:
		l.w.setMode(polling, l.why)
	}
}

// scan looks for what changed since the last look.
func (l *loop) scan(ctx context.Context, sweep bool) {
	heard := l.board.beginScan()
	if found, ok := l.look(ctx); ok {
		now := time.Now()
		l.board.learn(found, heard, sweep, now.Add(grace), now)
	}
}

// look goes over the whole tree and listens to what folders it has now.
func (l *loop) look(ctx context.Context) (ScanResult, bool) {
	began := time.Now()
	if gone := l.board.takeGone(); l.source != nil {
		for _, folder := range gone {
			l.source.Drop(folder)
		}
	}
	found, err := l.w.tree.Scan(ctx)
	for range maxScans {
		if err != nil || !l.listen(found.Folders) {
			break
		}
		found, err = l.w.tree.Scan(ctx)
	}
	now := time.Now()
	took := now.Sub(began)
	l.scanAt = now.Add(max(folderDelay, scanShare*took))
	l.pollAt = now.Add(max(l.w.o.Poll, pollShare*took))
	switch {
	case ctx.Err() != nil:
		return ScanResult{}, false
	case err != nil:
		l.lose(err.Error(), now)
		l.attachAt = now.Add(returning)
		return ScanResult{}, false
	}
	return found, true
}

// listen says whether it now listens to folders that it did not listen to. The
// system may allow too few: then it is polled until it allows enough.
func (l *loop) listen(folders []string) (added bool) {
	if l.source == nil {
		return false
	}
	l.board.listening(folders)
	added, err := l.source.Listen(folders)
	switch {
	case err != nil && l.why == "":
		l.limited = true
		l.poll(err.Error())
	case err == nil && l.limited:
		l.limited, l.why = false, ""
		l.showMode()
	}
	return added
}

func (l *loop) pulse(now time.Time) {
	wall := l.w.wall()
	if wall.Sub(l.wall)-now.Sub(l.pulsed) > sleepJump {
		l.board.missed("the machine slept", now)
	}
	l.pulsed, l.wall = now, wall
	if !l.attached() {
		return
	}
	folder, err := os.Stat(l.w.tree.Dir())
	if err != nil || !os.SameFile(folder, l.folder) {
		l.lose("the folder was replaced", now)
	}
}

func (l *loop) tell(ctx context.Context) {
	h, ok := l.board.due(time.Now())
	if !ok {
		return
	}
	if err := l.emit(ctx, h); err != nil && !errors.Is(err, ctx.Err()) {
		l.backoff = min(max(2*l.backoff, retryFirst), retryMost)
		l.emitAt = time.Now().Add(l.backoff)
		l.board.putBack(h, time.Now())
		return
	}
	l.backoff = 0
}

// wait sleeps until something is to be done.
func (l *loop) wait(ctx context.Context) {
	at := l.pulsed.Add(pulse)
	if next := l.board.next(); !next.IsZero() {
		at = earlier(at, later(next, l.emitAt))
	}
	switch {
	case !l.attached():
		at = earlier(at, l.attachAt)
	case l.why != "":
		at = earlier(at, earlier(l.sweepAt, l.pollAt))
	default:
		at = earlier(at, l.sweepAt)
	}
	if wanted, scanAt := l.folderScan(); wanted && l.attached() {
		at = earlier(at, scanAt)
	}
	l.board.sleepUntil(at, l.emitAt)
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-l.board.wake:
	}
}

// folderScan says whether folders changed, and when to look at them: news of
// them are given the time to be complete, and scans are kept apart.
func (l *loop) folderScan() (wanted bool, at time.Time) {
	since := l.board.scanWanted()
	return !since.IsZero(), later(since.Add(folderDelay), l.scanAt)
}

func (l *loop) folderScanDue(now time.Time) bool {
	wanted, at := l.folderScan()
	return wanted && !now.Before(at)
}
