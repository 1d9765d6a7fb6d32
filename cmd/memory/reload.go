package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
)

func (a *app) reloadCommand() *cobra.Command {
	return newCommand("reload", arguments{}, func(c *cobra.Command) error {
		return a.withoutRefresh(c.Context(), noWorkspace, func(s *session) error {
			return printed(a, a.printReload)(s.Reload(c.Context()))
		})
	})
}

func (a *app) printReload(w io.Writer, answer memory.ReloadAnswer) {
	a.notes(answer.Problems)
	if len(answer.Applied)+len(answer.Restart) == 0 {
		fmt.Fprintln(w, "nothing changed")
	}
	for _, key := range answer.Applied {
		fmt.Fprintf(w, "%s  in force\n", key)
	}
	for _, key := range answer.Restart {
		fmt.Fprintf(w, "%s  needs a restart: stop the service, and start it with memory serve\n", key)
	}
}

// reloader reads the configuration of a running service again.
type reloader struct {
	app      *app
	stateDir string
	log      *slog.Logger
	level    *slog.LevelVar

	mu      sync.Mutex
	started *config.Loaded // the configuration at the start; settings that need a restart come from it
	current *config.Loaded // the configuration in force
}

// identities returns the identities of the configuration in force.
func (r *reloader) identities() memory.Identities {
	r.mu.Lock()
	defer r.mu.Unlock()
	return identities(r.current)
}

// read returns the options of the configuration as it is now. It changes nothing if
// the configuration is not valid.
func (r *reloader) read(ctx context.Context) (engine.Options, memory.ReloadAnswer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next, _, err := r.app.load()
	var options engine.Options
	if err == nil {
		options, err = r.app.engineOptions(ctx, next, r.stateDir, nil)
	}
	if err != nil {
		r.log.Error("the configuration is not valid; the old one stays in force", "error", err)
		return engine.Options{}, memory.ReloadAnswer{}, err
	}
	answer := memory.ReloadAnswer{File: next.File}
	for _, key := range config.Changed(&r.current.Config, &next.Config) {
		if !config.NeedsRestart(key) {
			answer.Applied = append(answer.Applied, key)
		}
	}
	for _, key := range config.Changed(&r.started.Config, &next.Config) {
		if config.NeedsRestart(key) {
			answer.Restart = append(answer.Restart, key)
		}
	}
	setLevel(r.level, next.Log)
	r.current = next
	r.log.Info("configuration read again", "applied", strings.Join(answer.Applied, " "), "needs_restart", strings.Join(answer.Restart, " "))
	return options, answer, nil
}

// setLevel sets the level of a log. The configuration accepts only levels that parse.
func setLevel(level *slog.LevelVar, c config.Log) { _ = level.UnmarshalText([]byte(c.Level)) }

// reload reloads the configuration at each SIGHUP. It does so at the start too: a command may
// have edited the file after the service read it, and before the socket was there.
func reload(e *engine.Engine, log *slog.Logger) service.Loop {
	return func(ctx context.Context) error {
		hangups := make(chan os.Signal, 1)
		signal.Notify(hangups, syscall.SIGHUP)
		defer signal.Stop(hangups)
		for {
			answer, _ := e.Reload(ctx) // the reloader has logged the error
			for _, problem := range answer.Problems {
				log.Error("a workspace is not served", "problem", problem)
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-hangups:
			}
		}
	}
}
