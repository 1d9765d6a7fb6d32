package main

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/service"
)

// access is what a command needs of a workspace.
type access int

const (
	readsIndex     access = iota // reads the index, which may be stale
	writesIndex                  // changes something, so it needs the lock of the state folder
	noWorkspace                  // reads, and needs no workspace
	writesSettings               // changes something, and needs no workspace
	writesAmongAll               // writesIndex, and looks into the other workspaces
)

// writesUnless returns what a command needs that changes the index unless it previews.
func writesUnless(preview bool) access {
	if preview {
		return readsIndex
	}
	return writesIndex
}

// waits reports whether a command waits until no other process holds the lock.
func (need access) waits() bool { return need != readsIndex && need != noWorkspace }

// selectsWorkspace reports whether a command is about one workspace.
func (need access) selectsWorkspace() bool {
	return need != noWorkspace && need != writesSettings
}

// session gives a command the use cases: over the socket if a service runs,
// otherwise in this process. The command does not know which.
type session struct {
	api.Backend
	Workspace string // its registered name
	Dir       string // its folder; empty on another machine
	Daemon    bool
	Remote    bool  // the service is on another machine
	ownerPID  int   // the process that owns the state folder and does not answer; 0: none
	invalid   error // why the configuration cannot be used, while the service keeps its settings
	close     func() error
}

// Close ends the session. In this process it also writes what is still pending.
func (s *session) Close() error { return s.close() }

// withSession opens a session, runs a command in it, and closes it. The index is up to date.
func (a *app) withSession(ctx context.Context, need access, run func(*session) error) error {
	return a.runIn(ctx, need, true, run)
}

// withoutRefresh is withSession for a command that does not need an index that is up to date.
func (a *app) withoutRefresh(ctx context.Context, need access, run func(*session) error) error {
	return a.runIn(ctx, need, false, run)
}

func (a *app) runIn(ctx context.Context, need access, refresh bool, run func(*session) error) (err error) {
	s, err := a.open(ctx, need, refresh)
	if err != nil {
		return err
	}
	defer func() { a.endProgress(); err = errors.Join(err, s.Close()) }()
	return run(s)
}

// open connects, and notes a configuration that cannot be used.
func (a *app) open(ctx context.Context, need access, refresh bool) (*session, error) {
	s, err := a.connect(ctx, need, refresh)
	if err == nil && s.invalid != nil {
		a.note("the service keeps its settings, because the configuration is not valid: %v\nhint: %s", s.invalid, api.Describe(s.invalid).Hint)
	}
	return s, err
}

// connect connects to the service, or opens the engine in this process. refresh updates
// the index first; a service does that by itself. While another process makes the
// index, connect waits.
func (a *app) connect(ctx context.Context, need access, refresh bool) (*session, error) {
	wait := a.newLockWait()
	for {
		s, err := a.tryOpen(ctx, need, refresh, wait)
		if !errors.Is(err, index.ErrNotReady) || !wait.pause(ctx, 0) {
			return s, err
		}
	}
}

func (a *app) tryOpen(ctx context.Context, need access, refresh bool, wait *lockWait) (*session, error) {
	if address := a.env("MEMORY_REMOTE_URL"); address != "" {
		return a.dialRemote(ctx, address, need)
	}
	cfg, stateDir, invalid := a.load()
	if stateDir == "" {
		return nil, invalid
	}
	if err := service.CheckOwner(stateDir); err != nil {
		return nil, err
	}
	s, err := a.dial(ctx, stateDir, need)
	silent := errors.Is(err, api.ErrNoAnswer)
	switch {
	case s != nil:
		s.invalid = invalid
		return s, nil
	case err != nil && !silent:
		return nil, err
	case invalid != nil: // this process would have to use it
		return nil, invalid
	}
	return a.inTurn(ctx, wait, func() (*session, error) {
		lock, err := a.lock(ctx, stateDir, need, silent, wait)
		if lock == nil && err == nil { // a service has started meanwhile
			return a.dial(ctx, stateDir, need)
		}
		if err != nil && need.waits() {
			return nil, err
		}
		s, openErr := a.inProcess(ctx, cfg, stateDir, lock, need, refresh)
		if openErr == nil {
			s.noteOwner(err)
		}
		return s, openErr
	})
}

// inTurn opens a session when the one before it in this process is closed, if this process has
// several at once. Otherwise they would wait for each other's lock, for a limited time.
func (a *app) inTurn(ctx context.Context, wait *lockWait, open func() (*session, error)) (*session, error) {
	if a.turns == nil {
		return open()
	}
	select {
	case a.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	wait.begin = time.Now()
	s, err := open()
	if s == nil {
		<-a.turns
		return nil, err
	}
	closeSession := s.close
	s.close = func() error { defer func() { <-a.turns }(); return closeSession() }
	return s, nil
}

// noteOwner keeps the id of the process that holds the lock without answering.
func (s *session) noteOwner(err error) {
	if locked, ok := errors.AsType[*service.LockedError](err); ok {
		s.ownerPID = locked.PID
	}
}

// probeTimeout is how long a service has to show that it answers at all. A running
// one takes less than a millisecond.
const probeTimeout = 2 * time.Second

// dial returns a session with the service, or nil if none runs. An error that matches
// api.ErrNoAnswer means that a service runs and is stopped or overloaded.
func (a *app) dial(ctx context.Context, stateDir string, need access) (*session, error) {
	client := api.Dial(socketPath(stateDir))
	client.Version, client.Warn = version, func(message string) { a.note("%s", message) }
	if err := probe(ctx, client); errors.Is(err, api.ErrNoAnswer) || errors.Is(err, memory.ErrForbidden) {
		return nil, errors.Join(err, client.Close())
	} else if err != nil {
		return nil, client.Close()
	}
	s := &session{Backend: client, Daemon: true, close: client.Close}
	listed, err := client.Workspaces(ctx)
	if err == nil && need.selectsWorkspace() {
		err = a.selectWorkspace(ctx, s, listed.Workspaces, need)
	}
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return s, nil
}

// lock takes the lock of the state folder. It returns nil without an error if a
// service has started. A command that writes waits for another one.
func (a *app) lock(ctx context.Context, stateDir string, need access, silent bool, wait *lockWait) (*service.Lock, error) {
	started := false
	lock, err := acquire(ctx, stateDir, wait, func() bool {
		started = !silent && daemonAnswers(ctx, stateDir)
		return !silent && !started && need.waits()
	})
	locked := (*service.LockedError)(nil)
	switch {
	case !errors.As(err, &locked):
		return lock, err
	case started:
		return nil, nil
	case silent:
		return nil, memory.Unavailable(err, "the service does not answer").
			WithHint("it may be stopped or overloaded: end the process %d and start it again with memory serve", locked.PID)
	}
	return nil, memory.Unavailable(err, "the index is in use").
		WithHint("try again when the other command has finished")
}

// daemonAnswers reports whether a service serves a state folder.
func daemonAnswers(ctx context.Context, stateDir string) bool {
	client := api.Dial(socketPath(stateDir))
	return errors.Join(probe(ctx, client), client.Close()) == nil
}

// daemonStatus returns the status of the service that serves a state folder.
func daemonStatus(ctx context.Context, stateDir string) (memory.Status, error) {
	client := api.Dial(socketPath(stateDir))
	defer client.Close()
	if err := probe(ctx, client); err != nil {
		return memory.Status{}, err
	}
	return client.Status(ctx)
}

func probe(ctx context.Context, client *api.Client) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_, err := client.Health(ctx)
	return err
}

// inProcess opens the same engine as the service. Without the lock the engine is
// read-only, and its answers are marked as stale.
func (a *app) inProcess(ctx context.Context, cfg *config.Loaded, stateDir string, lock *service.Lock, need access, refresh bool) (_ *session, err error) {
	var e *engine.Engine
	s := &session{close: func() error {
		var closed, released error
		if e != nil {
			closed = e.Close()
		}
		if lock != nil {
			released = lock.Release()
		}
		return errors.Join(closed, released)
	}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	var t target
	var only []string // all of them
	if need.selectsWorkspace() {
		if t, err = a.targetFor(registry.Workspaces(cfg), need); err == nil && t.dir != "" && lock != nil {
			cfg, err = a.register(cfg, stateDir, &t)
		}
		if err != nil {
			return nil, err
		}
		if need != writesAmongAll {
			only = []string{t.name}
		}
	}
	if e, err = a.engine(ctx, cfg, stateDir, only, lock == nil); err != nil {
		return nil, err
	}
	s.Backend = e
	a.notes(e.Notices())
	if !need.selectsWorkspace() {
		return s, nil
	}
	s.use(t, registry.Workspaces(cfg))
	if lock == nil {
		return s, checkReady(e, t)
	}
	if t.isNew {
		if status, err := s.Status(ctx); err == nil && len(status.Workspaces) > 0 {
			a.noteNotCovered(s.Dir, status.Workspaces[0].Coverage)
		}
	}
	if refresh {
		err = a.refresh(ctx, s)
	}
	return s, err
}

// refreshTimeout is how long a command waits for the vectors of new texts. The model
// inside the binary makes some 20,000 in that time, and a server that hangs delays no
// command longer. The next command continues.
const refreshTimeout = 5 * time.Second

// refresh updates the index before a command answers. If the folder is not there, the
// command answers from the index.
func (a *app) refresh(ctx context.Context, s *session) error {
	defer a.endProgress()
	_, err := s.Index(ctx, memory.IndexRequest{Workspace: s.Workspace, EmbedWithin: refreshTimeout}, a.show)
	if err != nil && errors.Is(err, memory.ErrUnavailable) && ctx.Err() == nil {
		a.note("answering from the index without updating it: %v", err)
		return nil
	}
	return err
}
