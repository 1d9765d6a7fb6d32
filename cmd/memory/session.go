package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
)

// access says what a command needs of a workspace.
type access int

const (
	reads    access = iota // answers from the index, stale if it must be
	writes                 // changes something, so needs the index to itself
	anywhere               // needs no workspace
)

// session is one command's way to the use cases: over the socket where a daemon
// runs, else in-process. The command does not know which.
type session struct {
	api.Backend
	Workspace string // its registered name
	Dir       string // its folder
	Daemon    bool
	close     func() error
}

// Close ends the session; in-process, what is still to be written is.
func (s *session) Close() error { return s.close() }

// with opens a session, runs a command in it, and closes it.
func (a *app) with(ctx context.Context, need access, run func(*session) error) (err error) {
	s, err := a.open(ctx, need, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return run(s)
}

// open finds the daemon or opens the engine in-process. refresh brings the
// index up to date first; with a daemon that is its own care.
func (a *app) open(ctx context.Context, need access, refresh bool) (*session, error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return nil, err
	}
	if s, err := a.dial(ctx, stateDir, need); s != nil || err != nil {
		return s, err
	}
	lock, err := a.lock(ctx, stateDir, need)
	if lock == nil && err == nil { // a daemon has come up meanwhile
		return a.dial(ctx, stateDir, need)
	}
	if err != nil && need == writes {
		return nil, err
	}
	return a.inProcess(ctx, cfg, stateDir, lock, need, refresh)
}

// dial gives a session with the daemon, or nil where none runs.
func (a *app) dial(ctx context.Context, stateDir string, need access) (*session, error) {
	client := api.Dial(socketPath(stateDir))
	client.Version, client.Warn = version, func(message string) { fmt.Fprintf(a.err, "note: %s\n", message) }
	if _, err := client.Health(ctx); err != nil {
		return nil, client.Close()
	}
	s := &session{Backend: client, Daemon: true, close: client.Close}
	listed, err := client.Workspaces(ctx)
	if err == nil && need != anywhere {
		err = a.choose(ctx, s, listed.Workspaces, need)
	}
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return s, nil
}

// A command that writes waits for another one to finish, three tries within
// five seconds; one that reads does not wait.
const (
	lockTries = 3
	lockPause = 2 * time.Second
)

// lock takes the state folder. Nil without an error means that a daemon
// answers after all.
func (a *app) lock(ctx context.Context, stateDir string, need access) (*service.Lock, error) {
	var held *service.LockedError
	for try := 1; ; try++ {
		lock, err := service.Acquire(stateDir)
		if err == nil || !errors.As(err, &held) {
			return lock, err
		}
		if answers(ctx, stateDir) {
			return nil, nil
		}
		if need != writes || try == lockTries {
			return nil, memory.Unavailable(err, "the index is in use").WithHint("try again when that command has finished")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// answers says whether a daemon serves a state folder.
func answers(ctx context.Context, stateDir string) bool {
	client := api.Dial(socketPath(stateDir))
	_, err := client.Health(ctx)
	return errors.Join(err, client.Close()) == nil
}

// inProcess opens the same engine as the daemon does. Without the lock it
// answers from the index as it stands, and says so.
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
	if need != anywhere && lock != nil {
		if cfg, err = a.registerMeant(cfg, stateDir, need); err != nil {
			return nil, err
		}
	}
	only := a.meant(cfg, need)
	if e, err = a.engine(ctx, cfg, stateDir, only, lock == nil); err != nil {
		return nil, err
	}
	s.Backend = e
	for _, notice := range e.Notices() {
		fmt.Fprintf(a.err, "note: %s\n", notice)
	}
	if need == anywhere {
		return s, nil
	}
	if err := a.choose(ctx, s, workspacesOf(cfg), need); err != nil {
		return nil, err
	}
	if refresh && lock != nil {
		return s, a.refresh(ctx, s)
	}
	return s, nil
}

// refreshPatience is how long a command waits for the vectors of what is new: the
// model in the binary makes some 20,000 in that time, and a server that hangs
// keeps nobody longer. What is left the next command goes on with.
const refreshPatience = 5 * time.Second

// refresh looks at the disk before a command answers. A folder that is not
// there keeps nobody from asking what was indexed.
func (a *app) refresh(ctx context.Context, s *session) error {
	bar := a.progress()
	defer bar.done()
	_, err := s.Index(ctx, memory.IndexRequest{Workspace: s.Workspace, EmbedWithin: refreshPatience}, bar.show)
	if err != nil && errors.Is(err, memory.ErrUnavailable) && ctx.Err() == nil {
		fmt.Fprintf(a.err, "note: answering from the index as it stands: %v\n", err)
		return nil
	}
	return err
}

// stateDir is the one folder, besides the workspace, that is ever touched.
func (a *app) stateDir() (string, error) {
	for _, dir := range []string{a.stateDirFlag, a.env("MEMORY_STATE_DIR")} {
		if dir != "" {
			return filepath.Abs(dir)
		}
	}
	if dir := a.env("OPENCLAW_STATE_DIR"); dir != "" {
		return filepath.Abs(filepath.Join(dir, "memory"))
	}
	home, err := a.home()
	return filepath.Join(home, ".openclaw", "memory"), err
}

func (a *app) home() (string, error) {
	if home := a.env("HOME"); home != "" {
		return home, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", memory.Unavailable(err, "no home folder").WithHint("say where the state is kept: --state-dir or MEMORY_STATE_DIR")
	}
	return home, nil
}

func socketPath(stateDir string) string { return filepath.Join(stateDir, "tiered.sock") }

// load reads the configuration of a state folder.
func (a *app) load() (*config.Loaded, string, error) {
	stateDir, err := a.stateDir()
	if err != nil {
		return nil, "", err
	}
	file := a.configFlag
	if file == "" {
		file = a.env("MEMORY_CONFIG")
	}
	if file == "" {
		file = filepath.Join(stateDir, "config.yaml")
	}
	cfg, err := config.Load(file, a.environ)
	return cfg, stateDir, err
}
