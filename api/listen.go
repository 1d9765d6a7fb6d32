package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
)

// maxSocketPath limits a socket's path, in bytes: sun_path holds 108 bytes on
// Linux and Windows, 104 elsewhere, and the last one is zero.
var maxSocketPath = map[bool]int{true: 107, false: 103}[runtime.GOOS == "linux" || runtime.GOOS == "windows"]

// probeTimeout is how long an existing socket has to accept a connection. The
// kernel of a live service accepts at once.
const probeTimeout = time.Second

// Socket is the service's unix socket. It is a net.Listener that survives the
// removal of its file: [Socket.Renew] makes the file again.
type Socket struct {
	path string

	mu       sync.Mutex
	listener *net.UnixListener
	file     fs.FileInfo // of the socket file that listener made
	closed   bool
}

// Listen makes the service's socket with mode 0600, and its folder with mode 0700
// if there is none. It replaces a socket on which no process answers, so the
// caller must own the lock of the state folder. Closing the listener removes the
// socket.
func Listen(path string) (*Socket, error) {
	s := &Socket{path: path}
	if err := checkPathLength(path); err != nil {
		return nil, err
	}
	return s, s.listen()
}

// listen makes the socket file and begins to listen on it.
func (s *Socket) listen() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return memory.Unavailable(err, "make the socket's folder").
			WithHint("choose another state folder with --state-dir or MEMORY_STATE_DIR")
	}
	if err := removeStaleSocket(s.path); err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", s.path) // making a socket never waits
	if err != nil {
		return memory.Unavailable(err, "listen on %s", s.path).
			WithHint("you need write access to the state folder; choose another one with --state-dir or MEMORY_STATE_DIR")
	}
	// Until Chmod, the mode of the folder and checkPeer keep other users out.
	err = os.Chmod(s.path, 0o600)
	if err == nil {
		s.file, err = os.Lstat(s.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("protect %s: %w", s.path, err), l.Close())
	}
	s.listener = l.(*net.UnixListener)
	return nil
}

// Accept waits for the next connection, also across a renewal of the file.
func (s *Socket) Accept() (net.Conn, error) {
	for {
		l := s.current()
		c, err := l.Accept()
		if err == nil || s.current() == l {
			return c, err
		}
	}
}

func (s *Socket) current() *net.UnixListener {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listener
}

// Addr returns the path of the socket.
func (s *Socket) Addr() net.Addr { return &net.UnixAddr{Name: s.path, Net: "unix"} }

// Close ends Accept and removes the socket file.
func (s *Socket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.closed = true
	if !s.isOurs() {
		s.listener.SetUnlinkOnClose(false) // the file is another process's
	}
	return s.listener.Close()
}

// Renew makes the socket file again where it was removed or replaced. It reports
// whether it had to.
func (s *Socket) Renew() (renewed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.isOurs() {
		return false, nil
	}
	old := s.listener
	if err := s.listen(); err != nil {
		return false, err
	}
	old.SetUnlinkOnClose(false) // the file at the path belongs to the new listener
	return true, old.Close()
}

// isOurs reports whether the file at the path is the one that listener made.
func (s *Socket) isOurs() bool {
	info, err := os.Lstat(s.path)
	return err == nil && os.SameFile(info, s.file)
}

// renewInterval is how often a server looks for its socket file. A removed one
// is back within 2 s.
const renewInterval = time.Second

// keep makes the socket file again whenever it vanishes, until ctx is done. It
// logs the first of several equal failures.
func (s *Socket) keep(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(renewInterval)
	defer tick.Stop()
	for logged := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		renewed, err := s.Renew()
		if err != nil && !logged {
			log.Error("the socket is gone and cannot be made again; no client can connect", "socket", s.path, "error", err)
		} else if renewed {
			log.Warn("the socket was removed; it was made again", "socket", s.path)
		}
		logged = err != nil
	}
}

func checkPathLength(path string) error {
	if len(path) <= maxSocketPath {
		return nil
	}
	return memory.Invalid("state_dir", "the path of the socket has %d bytes, and this system allows %d: %s", len(path), maxSocketPath, path).
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
