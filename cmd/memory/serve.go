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
	lock, err := service.Acquire(stateDir)
	if held := (*service.Held)(nil); errors.As(err, &held) {
		return memory.Unavailable(err, "not started").WithHint("memory status shows the one that runs")
	} else if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if cfg, err = a.registerMeant(cfg, stateDir); err != nil {
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
	e.RunsAs(func() *memory.DaemonStatus {
		return &memory.DaemonStatus{PID: os.Getpid(), Version: version, UptimeSeconds: time.Since(started).Seconds(), Socket: socket}
	})
	log.Info("serving", "socket", socket, "version", version, "pid", os.Getpid())
	err = service.Run(ctx, e, service.Options{
		Log:   log,
		Sweep: time.Duration(cfg.Index.SweepSeconds * float64(time.Second)),
		Loops: []service.Loop{func(ctx context.Context) error {
			return api.Serve(ctx, listener, e, api.Options{Version: version, Log: log, Concurrency: cfg.Limits.Concurrency})
		}},
	})
	log.Info("stopped")
	return err
}

// registerMeant registers the folder that the command line or the environment
// names, or that was found here, so that a fresh machine needs one command. The
// service indexes it once its socket is open.
func (a *app) registerMeant(cfg *config.Loaded, stateDir string) (*config.Loaded, error) {
	m, err := a.means(workspacesOf(cfg))
	if errors.Is(err, memory.ErrNotFound) && a.workspaceFlag == "" && a.env("MEMORY_WORKSPACE") == "" {
		if len(cfg.Workspaces) == 0 {
			fmt.Fprintln(a.err, "note: no workspace is registered yet; memory workspace add DIR registers one while this runs")
		}
		return cfg, nil
	}
	if err != nil || m.name != "" {
		return cfg, err
	}
	r := registry{file: cfg.File, environ: a.environ, stateDir: stateDir}
	f, err := r.Add("", m.dir)
	if err != nil {
		return cfg, err
	}
	a.sayRegistered(f.Name, f.Dir)
	cfg, _, err = a.load()
	return cfg, err
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
