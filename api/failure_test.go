package api_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

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
