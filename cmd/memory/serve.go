package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
	"github.com/memory-tiered/memory/service/unit"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	logFile, logFormat string
}

func (a *app) serveCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "run the service in the foreground",
		Long: `serve watches every registered workspace, updates the index after each edit, and
answers on a unix socket in the state folder. SIGTERM or Ctrl-C stops it. Only one
service can run on a state folder. SIGHUP and memory reload make it read its
configuration again.

-w DIR registers a folder first. If it has Markdown files that no pattern matches,
serve reports their number and the command that includes them.`,
		Example: `  memory serve
  memory serve -w ~/notes`,
		Args: argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			err := unit.Run(c.Context(), func(ctx context.Context) error { return a.serve(ctx, o) })
			if errors.Is(err, service.ErrReplaced) {
				return startAgain(err, a.environ)
			}
			return err
		},
	}
	c.Flags().StringVar(&o.logFile, "log-file", "", "write the log to this file, and start another one at 10 MiB; three older ones are kept")
	c.Flags().StringVar(&o.logFormat, "log-format", "", "format of the log: text or json (log.format)")
	return c
}

func (a *app) serve(ctx context.Context, o serveOptions) (err error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return err
	}
	log, closeLog, err := a.openLog(cfg, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	lock, err := lockForDaemon(ctx, stateDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if cfg, err = a.registerForServe(cfg, stateDir); err != nil {
		return err
	}
	a.hold = (&service.Load{}).Hold
	e, err := a.engine(ctx, cfg, stateDir, nil, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return a.listenAndRun(ctx, cfg, stateDir, e, log)
}

func (a *app) listenAndRun(ctx context.Context, cfg *config.Loaded, stateDir string, e *engine.Engine, log *slog.Logger) error {
	socket := socketPath(stateDir)
	listener, err := api.Listen(socket)
	if err != nil {
		return err
	}
	e.SetReload((&reloader{app: a, stateDir: stateDir, log: log, level: &a.logLevel, started: cfg, current: cfg}).read)
	started := time.Now()
	e.SetDaemonStatus(func() *memory.DaemonStatus {
		return &memory.DaemonStatus{PID: os.Getpid(), Version: version, UptimeSeconds: time.Since(started).Seconds(), Socket: socket}
	})
	serveSocket := func(ctx context.Context) error {
		service.NotifyReady(log)
		return api.Serve(ctx, listener, e, api.Options{Version: version, Log: log, Concurrency: cfg.Limits.Concurrency})
	}
	log.Info("serving", "socket", socket, "version", version, "pid", os.Getpid())
	err = service.Run(ctx, e, service.Options{
		Log:           log,
		SweepInterval: time.Duration(cfg.Index.SweepSeconds * float64(time.Second)),
		Loops:         append(daemonLoops(cfg, socket, log), reloadOnHangup(e, log), a.reportNotCovered(cfg, stateDir), serveSocket),
	})
	log.Info("stopped")
	return err
}

// registerForServe registers the folder of the command line, so that a new machine
// needs only one command. The service indexes it once its socket is open. Without
// such a folder, the registered workspaces are served.
func (a *app) registerForServe(cfg *config.Loaded, stateDir string) (*config.Loaded, error) {
	next, _, err := a.registerTarget(cfg, stateDir, writesIndex)
	if errors.Is(err, memory.ErrNotFound) && a.workspaceFlag == "" && a.env("MEMORY_WORKSPACE") == "" {
		if len(cfg.Workspaces) == 0 {
			fmt.Fprintln(a.err, "note: no workspace is registered yet; memory workspace add DIR registers one while the service runs")
		}
		return cfg, nil
	}
	return next, err
}

// lockForDaemon takes the lock of the state folder for a service. If another service
// runs, it returns an error at once. It waits for a command that is about to finish.
func lockForDaemon(ctx context.Context, stateDir string) (*service.Lock, error) {
	const timeout, pause = 5 * time.Second, 100 * time.Millisecond
	for end := time.Now().Add(timeout); ; {
		lock, err := service.Acquire(stateDir)
		var held *service.LockedError
		if !errors.As(err, &held) {
			return lock, err
		}
		if daemonAnswers(ctx, stateDir) {
			return nil, memory.Unavailable(err, "not started").WithHint("memory status shows the running service")
		}
		if time.Now().After(end) {
			return nil, memory.Unavailable(err, "not started").WithHint("wait until the other command has finished, or stop it")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}
