package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
)

func (a *app) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "run the service in the foreground: watch, index, answer",
		Long: `serve watches every registered workspace, keeps the index in step with each edit,
and answers on a unix socket in the state folder until it is told to stop
(SIGTERM or Ctrl-C). A second one on the same state folder is refused.`,
		Example: `  memory serve
  memory serve -w ~/notes`,
		Args: arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return a.serve(c.Context()) },
	}
}

func (a *app) serve(ctx context.Context) (err error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return err
	}
	lock, err := alone(ctx, stateDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if cfg, err = a.registerHere(cfg, stateDir); err != nil {
		return err
	}
	e, err := a.engine(ctx, cfg, stateDir, nil, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return a.listenAndRun(ctx, cfg, stateDir, e)
}

func (a *app) listenAndRun(ctx context.Context, cfg *config.Loaded, stateDir string, e *engine.Engine) error {
	socket := socketPath(stateDir)
	listener, err := api.Listen(socket)
	if err != nil {
		return err
	}
	log := logger(a.err, cfg.Log)
	started := time.Now()
	e.SetDaemonStatus(func() *memory.DaemonStatus {
		return &memory.DaemonStatus{PID: os.Getpid(), Version: version, UptimeSeconds: time.Since(started).Seconds(), Socket: socket}
	})
	log.Info("serving", "socket", socket, "version", version, "pid", os.Getpid())
	err = service.Run(ctx, e, service.Options{
		Log:           log,
		SweepInterval: time.Duration(cfg.Index.SweepSeconds * float64(time.Second)),
		Loops: []service.Loop{func(ctx context.Context) error {
			return api.Serve(ctx, listener, e, api.Options{Version: version, Log: log, Concurrency: cfg.Limits.Concurrency})
		}},
	})
	log.Info("stopped")
	return err
}

// registerHere registers the folder that is meant, so that a fresh machine needs
// one command. The service indexes it once its socket is open. Where nothing
// says which folder, what is registered is served.
func (a *app) registerHere(cfg *config.Loaded, stateDir string) (*config.Loaded, error) {
	next, err := a.registerMeant(cfg, stateDir, writes)
	if errors.Is(err, memory.ErrNotFound) && a.workspaceFlag == "" && a.env("MEMORY_WORKSPACE") == "" {
		if len(cfg.Workspaces) == 0 {
			fmt.Fprintln(a.err, "note: no workspace is registered yet; memory workspace add DIR registers one while this runs")
		}
		return cfg, nil
	}
	return next, err
}

// alone takes the state folder for a daemon. One that runs already refuses at
// once; a command that is about to finish is waited for.
func alone(ctx context.Context, stateDir string) (*service.Lock, error) {
	const patience, pause = 5 * time.Second, 100 * time.Millisecond
	for end := time.Now().Add(patience); ; {
		lock, err := service.Acquire(stateDir)
		var held *service.LockedError
		if !errors.As(err, &held) {
			return lock, err
		}
		if answers(ctx, stateDir) {
			return nil, memory.Unavailable(err, "not started").WithHint("memory status shows the one that runs")
		}
		if time.Now().After(end) {
			return nil, memory.Unavailable(err, "not started").WithHint("wait until that command has finished, or end it")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func logger(w io.Writer, c config.Log) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // the configuration knows only levels that parse
	o := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
