package service

import (
	"context"
	"log/slog"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// NotifyReady tells systemd that the service serves. Without systemd it does nothing.
// There is no notice of the end: systemd would kill a service that gave it and then
// started a new binary in the same process.
func NotifyReady(log *slog.Logger) { notify(log, daemon.SdNotifyReady) }

func notify(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd is not told", "state", state, "error", err)
	}
}

// Watchdog returns a loop that tells systemd that the service is alive, as often as
// systemd asks for it. answers asks the service something over its own socket. While
// that fails, systemd is told nothing, and restarts the service at its time limit.
func Watchdog(log *slog.Logger, answers func(context.Context) error) Loop {
	return func(ctx context.Context) error {
		limit, err := daemon.SdWatchdogEnabled(false)
		if err != nil || limit == 0 {
			<-ctx.Done()
			return ctx.Err()
		}
		for sleep(ctx, limit/3) {
			if err := askWithin(ctx, limit/3, answers); err != nil {
				log.Warn("the service does not answer itself; systemd restarts it soon", "error", err, "limit", limit)
				continue
			}
			notify(log, daemon.SdNotifyWatchdog)
		}
		return ctx.Err()
	}
}

func askWithin(ctx context.Context, limit time.Duration, answers func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return answers(ctx)
}
