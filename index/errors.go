package index

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"modernc.org/sqlite"

	"github.com/memory-tiered/memory"
)

// SQLite's primary result codes that mean something to us.
const (
	codeBusy     = 5
	codeReadOnly = 8
	codeIO       = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26

	// codeShmSize is the extended code for a shared-memory file that could not
	// grow: SQLite's way to say that the disk is full when it opens a database.
	codeShmSize = codeIO | 19<<8
)

// isFull says that there is no room left, however SQLite words it.
func isFull(err error) bool {
	var e *sqlite.Error
	return isCode(err, codeFull) || errors.As(err, &e) && e.Code() == codeShmSize ||
		errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isCode says whether err is one of SQLite's with one of these primary codes.
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

// errForeign is a database of another program, or none at all.
var errForeign = errors.New("not a database of this program")

func isCorrupt(err error) bool {
	return isCode(err, codeCorrupt, codeNotADB) || errors.Is(err, errForeign) || errors.Is(err, errDamaged)
}

// failed says what could not be done. What passes when its cause does (a full
// disk, a lock, a file that cannot be written) is unavailable; an error that has
// a kind already keeps it.
func failed(what string, err error) error {
	var known *memory.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", what, err)
	case isFull(err):
		return memory.Unavailable(noSpace{err}, "%s: no space left", what).
			WithHint("free some disk space; nothing was changed")
	case isCode(err, codeBusy):
		return memory.Unavailable(err, "%s: another process is writing", what)
	case isCorrupt(err):
		return memory.Unavailable(err, "%s: the database is damaged", what).
			WithHint("restart the service: it sets the database aside and builds it again from the Markdown")
	case isCode(err, codeReadOnly, codeIO, codeCantOpen), errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EROFS):
		return memory.Unavailable(err, "%s: the file cannot be used", what)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// noSpace makes every way to say so the system's own, which callers look for.
type noSpace struct{ error }

// Unwrap gives the cause and syscall.ENOSPC.
func (e noSpace) Unwrap() []error { return []error{e.error, syscall.ENOSPC} }
