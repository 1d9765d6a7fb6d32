package api_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

func TestFailuresOfTheSystemAreNoBugs(t *testing.T) {
	tests := []struct {
		name string
		err  error
		code string
	}{
		{"input/output error", &fs.PathError{Op: "read", Path: "MEMORY.md", Err: syscall.EIO}, "unavailable"},
		{"wrapped", fmt.Errorf("open the folder: %w", &fs.PathError{Op: "open", Path: "memory", Err: syscall.EMFILE}), "unavailable"},
		{"disk full", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, "unavailable"},
		{"wrong argument", &fs.PathError{Op: "seek", Path: "x", Err: syscall.EINVAL}, "internal"},
		{"any other error", errors.New("index out of range"), "internal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if f := api.Describe(tt.err); f.Code != tt.code || f.Hint == "" {
				t.Errorf("%+v, want the code %s", f, tt.code)
			}
		})
	}
}

// The cause tells what a person can do, where the error itself has no hint.
func TestHintFitsTheCause(t *testing.T) {
	for cause, want := range map[error]string{syscall.EROFS: "read-only", syscall.EACCES: "permissions", fs.ErrPermission: "permissions", syscall.ENOSPC: "free some space", syscall.ECONNREFUSED: "in a moment"} {
		err := memory.Unavailable(&fs.PathError{Op: "open", Path: "x", Err: cause}, "write x")
		if f := api.Describe(err); !strings.Contains(f.Hint, want) {
			t.Errorf("%v: %q", cause, f.Hint)
		}
		if f := api.Describe(memory.Unavailable(cause, "write x").WithHint("mine")); f.Hint != "mine" {
			t.Errorf("%v: its own hint becomes %q", cause, f.Hint)
		}
	}
}
