package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
)

// maxSocketPath is how many bytes a socket's path may have: sun_path holds 108
// on Linux and Windows, 104 elsewhere, and the last is a zero.
var maxSocketPath = map[bool]int{true: 107, false: 103}[runtime.GOOS == "linux" || runtime.GOOS == "windows"]

// probeTimeout is how long a socket that stands in the way has to accept a
// connection: a live daemon's kernel does at once.
const probeTimeout = time.Second

// Listen makes the daemon's socket: 0600, in a folder that is made 0700 where
// it is missing. A socket that nobody answers on any more is replaced, so the
// caller must own the state folder's lock. Closing the listener removes it.
func Listen(path string) (net.Listener, error) {
	if err := checkLength(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, memory.Unavailable(err, "make the socket's folder").
			WithHint("choose another state folder with --state-dir or MEMORY_STATE_DIR")
	}
	if err := clearWay(path); err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", path) // making a socket waits for nothing
	if err != nil {
		return nil, memory.Unavailable(err, "listen on %s", path).
			WithHint("the state folder must be one that you can write to; choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	// Between the two calls the folder's rights and the check of who asks keep
	// others out.
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("protect %s: %w", path, err), l.Close())
	}
	return l, nil
}

func checkLength(path string) error {
	if len(path) <= maxSocketPath {
		return nil
	}
	return memory.Invalid("state_dir", "the socket's path is %d bytes long, and this system allows %d: %s", len(path), maxSocketPath, path).
		WithHint("choose a state folder with a shorter path: --state-dir or MEMORY_STATE_DIR")
}

// clearWay removes a socket that a dead daemon left behind, and nothing else.
func clearWay(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return memory.Unavailable(err, "look at %s", path)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return memory.Conflict("%s is in the way: it is no socket", path).WithHint("move it away, or choose another --state-dir")
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		_ = conn.Close() // it was only a question
		return memory.Unavailable(nil, "another daemon answers on %s", path).WithHint("memory status shows the one that runs")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return memory.Unavailable(err, "find out whether a daemon answers").WithHint("stop it, or remove %s", path)
	}
	if err := os.Remove(path); err != nil {
		return memory.Unavailable(err, "remove the socket that a dead daemon left")
	}
	return nil
}
