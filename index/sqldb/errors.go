package sqldb

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/memory-tiered/memory"
)

// Fault is a kind of errors of a database, as [Dialect] tells them apart.
type Fault int

// The kinds of errors.
const (
	None      Fault = iota // any other error
	Full                   // no disk space is left
	Busy                   // another process writes
	IO                     // a file cannot be opened, read or written
	ReadOnly               // the database must not be written
	Damaged                // the database is damaged, or it is no database
	Statement              // the statement does not fit the schema, or is wrong
	Lost                   // the server cannot be reached
)

// Error is an error of a database with its kind.
type Error struct {
	Fault Fault
	cause error
}

// Error returns the text of the cause.
func (e *Error) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Classify adds the kind to an error of the driver. A nil error, and one of no kind or with a
// kind, stay as they are.
func Classify(d Dialect, err error) error {
	if err == nil || errors.As(err, new(*Error)) {
		return err
	}
	if f := d.Fault(err); f != None {
		return &Error{f, err}
	}
	return err
}

// isFault reports whether err is of one of these kinds.
func isFault(err error, faults ...Fault) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	for _, f := range faults {
		if e.Fault == f {
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

// ErrHeld reports that another process writes to the database.
var ErrHeld = errors.New("one process may write")

// IsCorrupt reports whether the database is damaged or is none of this program, so that it
// has to be replaced.
func IsCorrupt(err error) bool {
	return isFault(err, Damaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrDamaged)
}

// DamagedSchema returns err as damage, if a statement does not fit the schema of the
// database, or its header forbids to write. The statement has to be one that fits every
// database of this program, and the file one that this process may write.
func DamagedSchema(err error) error {
	if isFault(err, Statement, ReadOnly) {
		return fmt.Errorf("%w: its schema or its header is wrong: %w", ErrDamaged, err)
	}
	return err
}

// IsDiskFailure reports whether the disk is full, cannot be read or written, or
// returned damaged data. Any other error of a statement comes from the statement.
func IsDiskFailure(err error) bool { return isFault(err, Full, IO, Damaged) }

// Wrap adds the operation that failed to an error. A cause that can pass (a full
// disk, a lock, a file that cannot be written, a server that is away) becomes
// [memory.ErrUnavailable]. An error that has a kind already keeps it. Wrap of nil is nil.
func Wrap(operation string, err error) error {
	var known *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", operation, err)
	case isFault(err, Full), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return memory.Unavailable(noSpace{err}, "%s", operation).
			WithHint("free some disk space; nothing was changed")
	case isFault(err, Busy):
		return memory.Unavailable(err, "%s: another process is writing", operation)
	case isFault(err, Lost):
		return memory.Unavailable(err, "%s: the database server cannot be reached", operation)
	case IsCorrupt(err):
		return memory.Unavailable(err, "%s: the database is damaged", operation).
			WithHint("try again in a few seconds: the service, or without it the next command, sets the database aside and builds it again from the Markdown")
	case isFault(err, ReadOnly, IO), errors.As(err, new(syscall.Errno)):
		return memory.Unavailable(err, "%s: the file cannot be used", operation)
	}
	return fmt.Errorf("%s: %w", operation, err)
}

// noSpace adds the system's own error for a full disk, which callers look for. The
// database's own text may say "not an error", or name a number.
type noSpace struct{ cause error }

// Error says what a person needs of the cause.
func (noSpace) Error() string { return "no space left on the disk" }

// Unwrap returns the cause and syscall.ENOSPC.
func (e noSpace) Unwrap() []error { return []error{e.cause, syscall.ENOSPC} }
