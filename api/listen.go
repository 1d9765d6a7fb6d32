package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// probeTimeout is how long an existing socket has to accept a connection. The
// kernel of a live service accepts at once.
const probeTimeout = time.Second

// Listen makes the service's socket with mode 0600, and its folder with mode 0700
// if there is none. It replaces a socket on which no process answers, so the
// caller must own the lock of the state folder. Closing the listener removes the
// socket.
func Listen(path string) (net.Listener, error) {
	if err := checkPathLength(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, memory.Unavailable(err, "make the socket's folder").
			WithHint("choose another state folder with --state-dir or MEMORY_STATE_DIR")
	}
	if err := removeStaleSocket(path); err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", path) // making a socket never waits
	if err != nil {
		return nil, memory.Unavailable(err, "listen on %s", path).
			WithHint("you need write access to the state folder; choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	// Until Chmod, the mode of the folder and checkPeer keep other users out.
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("protect %s: %w", path, err), l.Close())
	}
	return l, nil
}

func checkPathLength(path string) error {
	if len(path) <= machine.MaxSocketPath {
		return nil
	}
	return memory.Invalid("state_dir", "the path of the socket has %d bytes, and this system allows %d: %s", len(path), machine.MaxSocketPath, path).
		WithHint("choose a state folder with a shorter path: --state-dir or MEMORY_STATE_DIR")
}

// removeStaleSocket removes a socket that a dead service left, and nothing else.
func removeStaleSocket(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return memory.Unavailable(err, "look at %s", path)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return memory.Conflict("%s exists and is not a socket", path).WithHint("move it away, or choose another --state-dir")
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		_ = conn.Close() // it was only a test
		return memory.Unavailable(nil, "another service answers on %s", path).WithHint("memory status shows it")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return memory.Unavailable(err, "test whether a service answers on %s", path).WithHint("stop the service, or remove the socket")
	}
	if err := os.Remove(path); err != nil {
		return memory.Unavailable(err, "remove the socket of a dead service")
	}
	return nil
}
