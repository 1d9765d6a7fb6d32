package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
	"github.com/memory-tiered/memory/service/unit"
)

func (a *app) serveCommand() *cobra.Command {
	var logFile string
	c := newCommand("serve", arguments{}, func(c *cobra.Command) error {
		return unit.Run(c.Context(), func(ctx context.Context) error { return a.serve(ctx, logFile) })
	})
	c.Flags().StringVar(&logFile, "log-file", "", "write the log to this file, and start another one at 10 MiB; three older ones are kept")
	return c
}

func (a *app) serve(ctx context.Context, logFile string) (err error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return err
	}
	log, closeLog, err := a.openLog(cfg, logFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	lock, err := a.lockForDaemon(ctx, stateDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if cfg, err = a.registerForServe(cfg, stateDir); err != nil {
		return err
	}
	a.hold = quietUntil(time.Now().Add(quietStart))
	e, err := a.engine(ctx, cfg, stateDir, nil, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return a.listenAndRun(ctx, cfg, stateDir, e, log)
}

// quietStart is how long work that nobody waits for is held after the start of the service. It has
// to read the index first, and to answer those who started it.
const quietStart = 10 * time.Second

// quietUntil returns why such work has to wait; empty: it need not.
func quietUntil(end time.Time) func() string {
	return func() string {
		if time.Now().Before(end) {
			return "the service has just started"
		}
		return ""
	}
}

func (a *app) listenAndRun(ctx context.Context, cfg *config.Loaded, stateDir string, e *engine.Engine, log *slog.Logger) error {
	socket := socketPath(stateDir)
	listener, err := api.Listen(socket)
	if err != nil {
		return err
	}
	settings := &reloader{app: a, stateDir: stateDir, log: log, level: &a.logLevel, started: cfg, current: cfg}
	e.SetReload(settings.read)
	network, address, err := networkLoops(ctx, settings, e)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	started := time.Now()
	e.SetDaemonStatus(func() *memory.DaemonStatus {
		return &memory.DaemonStatus{PID: os.Getpid(), Version: version, UptimeSeconds: time.Since(started).Seconds(), Socket: socket, Address: address}
	})
	pages := a.serviceInspector(e)
	e.SetInspector(pages.Open)
	serveSocket := func(ctx context.Context) error {
		service.NotifyReady(log)
		return api.Serve(ctx, listener, e, api.Options{Version: version, Log: log})
	}
	log.Info("serving", "socket", socket, "version", version, "pid", os.Getpid())
	err = service.Run(ctx, e, service.Options{
		Log:   log,
		Loops: append(network, watchdog(socket, log), reload(e, log), serveSocket),
	})
	err = errors.Join(err, pages.Close())
	log.Info("stopped")
	return err
}

// registerForServe registers the folder of the command line, so that a new machine
// needs only one command. The service indexes it once its socket is open. Without
// such a folder, the registered workspaces are served.
func (a *app) registerForServe(cfg *config.Loaded, stateDir string) (*config.Loaded, error) {
	t, err := a.targetFor(registry.Workspaces(cfg), writesIndex)
	if errors.Is(err, memory.ErrNotFound) && a.workspaceFlag == "" && a.env("MEMORY_WORKSPACE") == "" {
		if len(cfg.Workspaces) == 0 {
			a.note("no workspace is registered yet; memory workspace add DIR registers one while the service runs")
		}
		return cfg, nil
	}
	if err != nil || t.dir == "" {
		return cfg, err
	}
	return a.register(cfg, stateDir, &t)
}

// lockForDaemon takes the lock of the state folder for a service. If another service
// runs, it returns an error at once. It waits for a command that is about to finish.
func (a *app) lockForDaemon(ctx context.Context, stateDir string) (*service.Lock, error) {
	serving := false
	lock, err := acquire(ctx, stateDir, a.newLockWait(), func() bool {
		serving = daemonAnswers(ctx, stateDir)
		return !serving
	})
	if _, ok := errors.AsType[*service.LockedError](err); !ok {
		return lock, err
	}
	if serving {
		return nil, memory.Unavailable(err, "not started").WithHint("memory status shows the running service")
	}
	return nil, memory.Unavailable(err, "not started").WithHint("wait until the other command has finished, or stop it")
}

// watchdog returns the loop that tells systemd that the service answers.
func watchdog(socket string, log *slog.Logger) service.Loop {
	return service.Watchdog(log, func(ctx context.Context) error {
		if !daemonAnswers(ctx, filepath.Dir(socket)) {
			return memory.Unavailable(nil, "no answer on %s", socket)
		}
		return nil
	})
}

// openLog returns the service's logger, and what closes its file.
func (a *app) openLog(cfg *config.Loaded, path string) (*slog.Logger, func() error, error) {
	settings := cfg.Log
	if path == "" {
		return newLogger(a.err, settings, &a.logLevel), func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, memory.Unavailable(err, "make the log's folder").WithHint("choose another file with --log-file")
	}
	const maxMiB, keptFiles = 10, 3
	file := &lumberjack.Logger{Filename: path, MaxSize: maxMiB, MaxBackups: keptFiles}
	if _, err := file.Write(nil); err != nil {
		return nil, nil, memory.Unavailable(err, "write the log").WithHint("choose another file with --log-file")
	}
	return newLogger(file, settings, &a.logLevel), file.Close, nil
}

// newLogger makes the log of the service. Its level can be changed later.
func newLogger(w io.Writer, c config.Log, level *slog.LevelVar) *slog.Logger {
	setLevel(level, c)
	o := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
