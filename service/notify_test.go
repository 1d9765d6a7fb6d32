package service

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// systemdSocket stands in for systemd: it returns what the service reports.
func systemdSocket(t *testing.T) <-chan string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NOTIFY_SOCKET", path)
	states := make(chan string, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for buffer := make([]byte, 1000); ; {
			n, err := conn.Read(buffer)
			if err != nil {
				return
			}
			states <- string(buffer[:n])
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return states
}

func TestNotifyReadyReachesSystemd(t *testing.T) {
	states := systemdSocket(t)
	NotifyReady(slog.New(slog.DiscardHandler))
	if got := <-states; got != "READY=1" {
		t.Errorf("systemd got %q", got)
	}
}

func TestWatchdogIsSilentWhileTheDaemonDoesNotAnswer(t *testing.T) {
	states := systemdSocket(t)
	t.Setenv("WATCHDOG_USEC", "30000")
	t.Setenv("WATCHDOG_PID", "")
	ctx, cancel := context.WithCancel(t.Context())
	var asked atomic.Int32
	loop := Watchdog(slog.New(slog.DiscardHandler), func(context.Context) error {
		if asked.Add(1) <= 3 {
			if len(states) > 0 {
				t.Errorf("systemd got %q", <-states)
			}
			return errors.New("no answer")
		}
		return nil
	})
	ended := make(chan error)
	go func() { ended <- loop(ctx) }()
	select {
	case got := <-states:
		if got != "WATCHDOG=1" || asked.Load() < 4 {
			t.Errorf("systemd got %q after %d questions", got, asked.Load())
		}
	case <-time.After(5 * time.Minute):
		t.Error("systemd got nothing")
	}
	cancel()
	<-ended
}

func TestWatchdogWithoutSystemdEndsWithTheService(t *testing.T) {
	t.Setenv("WATCHDOG_USEC", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Watchdog(slog.New(slog.DiscardHandler), func(context.Context) error { t.Error("asked"); return nil })(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the loop returned %v", err)
	}
}
