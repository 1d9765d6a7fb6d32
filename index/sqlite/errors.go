package sqlite

import (
	"errors"
	"syscall"

	"modernc.org/sqlite"

	"github.com/memory-tiered/memory/index/sqldb"
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

// faultOf classifies an error of SQLite or of the system.
func faultOf(err error) sqldb.Fault {
	switch {
	case isFull(err):
		return sqldb.Full
	case isCode(err, codeBusy):
		return sqldb.Busy
	case isCode(err, codeIO, codeCantOpen):
		return sqldb.IO
	case isCode(err, codeReadOnly):
		return sqldb.ReadOnly
	case isCode(err, codeCorrupt, codeNotADB):
		return sqldb.Damaged
	case isCode(err, codeError):
		return sqldb.Statement
	}
	return sqldb.None
}

// wrap adds the operation that failed to an error that is not classified yet.
func wrap(operation string, err error) error {
	return sqldb.Wrap(operation, sqldb.Classify((*file)(nil), err))
}
