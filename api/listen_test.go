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
	"github.com/memory-tiered/memory/internal/must"
)

func TestListenProtectsTheSocket(t *testing.T) {
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
		t.Errorf("a second listener: %v", err)
	}
	must.Do(t, l.Close())
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there after Close: %v", err)
	}
}

func TestListenReplacesADeadSocket(t *testing.T) {
	path := socketPath(t)
	first := must.Get(api.Listen(path))(t)
	first.(*net.UnixListener).SetUnlinkOnClose(false) // as after kill -9
	_ = first.Close()
	if _, err := api.Dial(path).Health(t.Context()); !errors.Is(err, memory.ErrUnavailable) || api.Describe(err).Hint == "" {
		t.Errorf("a client of a dead socket: %v", err)
	}
	second := must.Get(api.Listen(path))(t)
	_ = second.Close()
}

func TestListenKeepsOtherFiles(t *testing.T) {
	path := socketPath(t)
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte("precious"), 0o644))
	if _, err := api.Listen(path); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a regular file at the path: %v", err)
	}
	if src, _ := os.ReadFile(path); string(src) != "precious" {
		t.Errorf("the file now holds %q", src)
	}
	if _, err := api.Listen(filepath.Join(path, "below", "s.sock")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a file in place of the folder: %v", err)
	}
}

func TestListenRefusesALongPath(t *testing.T) {
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
		t.Errorf("a client of that path: %+v", api.Describe(err))
	}
}
