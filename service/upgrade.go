package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"time"
)

// ErrReplaced ends the service when the file of its binary was replaced. The caller
// starts the new binary.
var ErrReplaced = errors.New("the binary was replaced")

// WatchBinary returns a loop that ends with ErrReplaced after another binary has
// taken the place of the running one. The file must have been unchanged for a whole
// interval, and the new binary must be able to print its version. Half a copy never
// stops the service.
func WatchBinary(log *slog.Logger, binary string, interval time.Duration) Loop {
	running, err := os.Stat(binary)
	return func(ctx context.Context) error {
		if err != nil {
			log.Warn("a replaced binary is not noticed", "error", err)
			<-ctx.Done()
			return ctx.Err()
		}
		for last := running; sleep(ctx, interval); {
			now, err := os.Stat(binary)
			if err != nil { // an upgrade removes the file before it writes the new one
				last = nil
				continue
			}
			settled := last != nil && sameVersion(now, last)
			if last = now; sameVersion(now, running) || !settled {
				continue
			}
			if out, err := exec.CommandContext(ctx, binary, "version").CombinedOutput(); err != nil {
				log.Warn("the new binary does not run; the old one goes on", "binary", binary, "error", err, "output", string(out))
				running = now // asked again when the file changes once more
				continue
			}
			return ErrReplaced
		}
		return ctx.Err()
	}
}

// sameVersion reports whether two looks at a file found the same file, unchanged.
func sameVersion(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
