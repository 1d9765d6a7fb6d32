package postgres

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/memory-tiered/memory/index/sqldb"
)

// Codes of errors that PostgreSQL documents in its appendix A. A code of two characters is a
// class.
const (
	classConnection = "08"
	classStatement  = "42"
	classSystem     = "58" // errors of the operating system
	diskFull        = "53100"
	tooManyClients  = "53300"
	readOnly        = "25006"
	serialization   = "40001"
	deadlock        = "40P01"
	lockTimeoutCode = "55P03"
	noPrivilege     = "42501"
	classShutdown   = "57P" // the server stops, or has not started yet
	classInternal   = "XX"  // damaged pages
)

// Fault classifies an error. Damage is a failure of the disk here: only the administrator of
// the server can repair it.
func (b *backend) Fault(err error) sqldb.Fault {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		if isLost(err) {
			return sqldb.Lost
		}
		return sqldb.None
	}
	switch code := e.Code; {
	case code == diskFull:
		return sqldb.Full
	case code == serialization, code == deadlock, code == lockTimeoutCode:
		return sqldb.Busy
	case code == readOnly, code == noPrivilege:
		return sqldb.ReadOnly
	case code == tooManyClients, strings.HasPrefix(code, classConnection), strings.HasPrefix(code, classShutdown):
		return sqldb.Lost
	case strings.HasPrefix(code, classSystem), strings.HasPrefix(code, classInternal):
		return sqldb.IO
	case strings.HasPrefix(code, classStatement):
		return sqldb.Statement
	}
	return sqldb.None
}

// isLost reports whether the connection is gone, or none could be made.
func isLost(err error) bool {
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.As(err, new(*pgconn.ConnectError)) || errors.As(err, new(*net.OpError))
}

// isPrivilege reports whether the role lacks a right.
func isPrivilege(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == noPrivilege
}
