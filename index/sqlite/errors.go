package sqlite

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"modernc.org/sqlite"

	"github.com/memory-tiered/memory"
)

// The primary result codes of SQLite that this package tells apart.
const (
	codeError    = 1 // of the statement or the schema
	codeBusy     = 5
	codeReadOnly = 8
	codeIO       = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26

	// codeShmSize is the extended code for a shared-memory file that could not
	// grow. SQLite returns it when it opens a database on a full disk.
	codeShmSize = codeIO | 19<<8
)

// isFull reports whether no disk space is left, in any of the ways that SQLite
// or the system reports it.
func isFull(err error) bool {
	var e *sqlite.Error
	return isCode(err, codeFull) || errors.As(err, &e) && e.Code() == codeShmSize ||
		errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isCode reports whether err has one of these primary codes of SQLite.
func isCode(err error, codes ...int) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range codes {
		if e.Code()&0xff == c {
			return true
		}
	}
	return false
}

// ErrForeign reports a database of another program, or a file that is no
// database. [IsCorrupt] includes it.
var ErrForeign = errors.New("not a database of this program")

// ErrDamaged reports damage that a check found. [IsCorrupt] includes it.
var ErrDamaged = errors.New("the database is damaged")

// IsCorrupt reports whether the file is damaged or is no database of this
// program, so that it has to be replaced.
func IsCorrupt(err error) bool {
	return isCode(err, codeCorrupt, codeNotADB) || errors.Is(err, ErrForeign) || errors.Is(err, ErrDamaged)
}

// DamagedSchema returns err as damage, if a statement does not fit the schema of the
// database, or its header forbids to write. The statement has to be one that fits every
// database of this program, and the file one that this process may write.
func DamagedSchema(err error) error {
	if isCode(err, codeError, codeReadOnly) {
		return fmt.Errorf("%w: its schema or its header is wrong: %w", ErrDamaged, err)
	}
	return err
}

// IsDiskFailure reports whether the disk is full, cannot be read or written, or
// returned damaged data. Any other error of a statement comes from the statement.
func IsDiskFailure(err error) bool { return isCode(err, codeFull, codeIO, codeCorrupt) }

// Wrap adds the operation that failed to an error. A cause that can pass (a full
// disk, a lock, a file that cannot be written) becomes [memory.ErrUnavailable].
// An error that has a kind already keeps it. Wrap of nil is nil.
func Wrap(operation string, err error) error {
	var known *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", operation, err)
	case isFull(err):
		return memory.Unavailable(noSpace{err}, "%s", operation).
			WithHint("free some disk space; nothing was changed")
	case isCode(err, codeBusy):
		return memory.Unavailable(err, "%s: another process is writing", operation)
	case IsCorrupt(err):
		return memory.Unavailable(err, "%s: the database is damaged", operation).
			WithHint("try again in a few seconds: the service, or without it the next command, sets the database aside and builds it again from the Markdown")
	case isCode(err, codeReadOnly, codeIO, codeCantOpen), errors.As(err, new(syscall.Errno)):
		return memory.Unavailable(err, "%s: the file cannot be used", operation)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// noSpace adds the system's own error for a full disk, which callers look for. SQLite's
// own text may say "not an error", or name a number.
type noSpace struct{ cause error }

// Error says what a person needs of the cause.
func (noSpace) Error() string { return "no space left on the disk" }

// Unwrap returns the cause and syscall.ENOSPC.
func (e noSpace) Unwrap() []error { return []error{e.cause, syscall.ENOSPC} }
