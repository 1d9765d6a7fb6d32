package sqldb_test

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

func TestWrapKeepsTheKindOfAnError(t *testing.T) {
	tests := []struct {
		name string
		err  error
		kind error  // nil: none
		text string // in the message
	}{
		{"a missing permission", syscall.EACCES, memory.ErrUnavailable, "cannot be used"},
		{"a read-only file system", syscall.EROFS, memory.ErrUnavailable, "cannot be used"},
		{"a full disk", syscall.ENOSPC, memory.ErrUnavailable, "no space left"},
		{"a full quota", syscall.EDQUOT, memory.ErrUnavailable, "no space left"},
		{"another program's database", sqldb.ErrForeign, memory.ErrUnavailable, "damaged"},
		{"an error with a kind", memory.NotFound("no such file"), memory.ErrNotFound, "no such file"},
		{"a cancelled context", context.Canceled, context.Canceled, "canceled"},
		{"anything else", errors.New("a bug"), nil, "a bug"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := sqldb.Wrap("read", tt.err)
			if tt.kind != nil && !errors.Is(err, tt.kind) || !errors.Is(err, tt.err) {
				t.Errorf("%v is of another kind", err)
			}
			if tt.kind == nil && errors.Is(err, memory.ErrUnavailable) {
				t.Errorf("%v is unavailable", err)
			}
			if !strings.HasPrefix(err.Error(), "read: ") || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("message %q", err)
			}
		})
	}
	if err := sqldb.Wrap("read", nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}
