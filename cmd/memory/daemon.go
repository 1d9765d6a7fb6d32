package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/service"
)

// binaryPollInterval is how often the service looks whether its binary was replaced.
const binaryPollInterval = 5 * time.Second

// daemonLoops returns the loops that tie the service to its service manager and to
// its own binary.
func daemonLoops(cfg *config.Loaded, socket string, log *slog.Logger) []service.Loop {
	loops := []service.Loop{service.Watchdog(log, func(ctx context.Context) error {
		if !daemonAnswers(ctx, filepath.Dir(socket)) {
			return memory.Unavailable(nil, "no answer on %s", socket)
		}
		return nil
	})}
	if binary, err := os.Executable(); err == nil && cfg.Service.RestartOnUpgrade {
		loops = append(loops, service.WatchBinary(log, binary, binaryPollInterval))
	}
	return loops
}

// openLog returns the service's logger, and what closes its file.
func (a *app) openLog(cfg *config.Loaded, o serveOptions) (*slog.Logger, func() error, error) {
	settings := cfg.Log
	switch o.logFormat {
	case "":
	case "text", "json":
		settings.Format = o.logFormat
	default:
		return nil, nil, memory.Invalid("log-format", "%q is no log format", o.logFormat).WithHint("the formats are text and json")
	}
	if o.logFile == "" {
		return newLogger(a.err, settings, &a.logLevel), func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(o.logFile), 0o700); err != nil {
		return nil, nil, memory.Unavailable(err, "make the log's folder").WithHint("choose another file with --log-file")
	}
	const maxMiB, keptFiles = 10, 3
	file := &lumberjack.Logger{Filename: o.logFile, MaxSize: maxMiB, MaxBackups: keptFiles}
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
