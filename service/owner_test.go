//go:build unix

package service_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/service"
)

func TestStateFolderOfOtherUsersIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	for _, mode := range []os.FileMode{0o777, 0o770, 0o702} {
		must.Do(t, errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, mode)))
		_, err := service.Acquire(dir)
		var known *memory.Error
		if !errors.As(err, &known) || known.Kind != memory.ErrForbidden || !strings.Contains(known.Hint, "chmod 700") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if os.Getuid() == 0 {
		must.Do(t, errors.Join(os.Chmod(dir, 0o700), os.Chown(dir, 65534, 65534)))
		if _, err := service.Acquire(dir); !errors.Is(err, memory.ErrForbidden) {
			t.Errorf("a folder of another user: %v", err)
		}
	}
}

func TestLockDoesNotWriteThroughASymbolicLink(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "precious")
	must.Do(t, errors.Join(os.WriteFile(target, []byte("precious"), 0o600), os.Symlink(target, filepath.Join(dir, "tiered.lock"))))
	if _, err := service.Acquire(dir); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("the lock file is a symbolic link: %v", err)
	}
	if src, _ := os.ReadFile(target); string(src) != "precious" {
		t.Errorf("the target of the link holds %q", src)
	}
}
