package api_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

func TestListen(t *testing.T) {
	path := socketPath(t)
	l, err := api.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	_, err = api.Listen(path)
	if !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a second one: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("closing leaves the socket: %v", err)
	}
}

func TestListenReplacesADeadSocket(t *testing.T) {
	path := socketPath(t)
	first, err := api.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	first.(*net.UnixListener).SetUnlinkOnClose(false) // as kill -9 leaves it
	_ = first.Close()
	if _, err := api.Dial(path).Health(t.Context()); !errors.Is(err, memory.ErrUnavailable) || api.Describe(err).Hint == "" {
		t.Errorf("asking a dead socket: %v", err)
	}
	second, err := api.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = second.Close()
}

func TestListenTouchesNothingElse(t *testing.T) {
	path := socketPath(t)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := api.Listen(path); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a file in the way: %v", err)
	}
	if src, _ := os.ReadFile(path); string(src) != "precious" {
		t.Errorf("the file is %q", src)
	}
	if _, err := api.Listen(filepath.Join(path, "below", "s.sock")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a file for a folder: %v", err)
	}
}

func TestPathTooLong(t *testing.T) {
	limit := 103
	if runtime.GOOS == "linux" || runtime.GOOS == "windows" {
		limit = 107
	}
	dir := filepath.Dir(socketPath(t))
	fits := filepath.Join(dir, strings.Repeat("s", limit-len(dir)-1))
	l, err := api.Listen(fits)
	if err != nil {
		t.Fatalf("%d bytes: %v", len(fits), err)
	}
	_ = l.Close()
	_, err = api.Listen(fits + "s")
	f := api.Describe(err)
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(f.Message, fmt.Sprint(limit)) || !strings.Contains(f.Hint, "--state-dir") {
		t.Errorf("%d bytes: %+v", len(fits)+1, f)
	}
	if _, err := api.Dial(fits + "s").Health(t.Context()); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(api.Describe(err).Hint, "--state-dir") {
		t.Errorf("asking there: %+v", api.Describe(err))
	}
}
