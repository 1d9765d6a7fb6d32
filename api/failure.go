package api

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"syscall"

	"github.com/memory-tiered/memory"
)

// Failure is an error as it crosses the socket. The command line prints it with
// --json under the key "error".
type Failure struct {
	Code    string `json:"code"`    // invalid, not_found, conflict, forbidden, unavailable or internal
	Message string `json:"message"` // one sentence
	Hint    string `json:"hint"`    // what to do about it; never empty
	Field   string `json:"field"`   // the field of the request that is wrong; empty if there is none
}

// failureBody is the body of every error answer.
type failureBody struct {
	Error Failure `json:"error"`
}

// kind is one row of the table that maps sentinel errors to codes, HTTP
// statuses and exit codes.
type kind struct {
	sentinel error // nil: a bug
	code     string
	status   int
	exit     int
	hint     string // for a failure without a hint of its own
}

// InvalidHint is the hint of an invalid request that has none of its own. A command
// replaces it by one about itself.
const InvalidHint = "memory COMMAND --help shows what a command takes; docs/protocol.md lists what a request takes"

var kinds = []kind{
	{memory.ErrInvalid, "invalid", http.StatusBadRequest, 2,
		InvalidHint},
	{memory.ErrNotFound, "not_found", http.StatusNotFound, 3,
		"memory list --json lists the memories, memory workspace list the workspaces"},
	{memory.ErrConflict, "conflict", http.StatusConflict, 4,
		"look at the current state with memory status, memory list or memory show; then try again"},
	{memory.ErrForbidden, "forbidden", http.StatusForbidden, 1,
		"only the user who runs the service may use it, and never from a browser"},
	{memory.ErrUnavailable, "unavailable", http.StatusServiceUnavailable, 5,
		"try again in a moment; memory status shows how the service is"},
	internal,
}

var internal = kind{nil, "internal", http.StatusInternalServerError, 1,
	"this is a bug in memory; please report it, with the service's log"}

// Describe converts an error into a Failure. An error without a sentinel is a
// bug and becomes internal.
func Describe(err error) Failure {
	k := kindOf(err)
	f := Failure{Code: k.code, Message: err.Error(), Hint: k.hint}
	var detail *memory.Error
	switch {
	case errors.As(err, &detail):
		f.Message, f.Field = detail.Error(), detail.Field
	case errors.Is(err, context.DeadlineExceeded):
		f.Message = "it took too long: " + err.Error()
	}
	switch {
	case detail != nil && detail.Hint != "":
		f.Hint = detail.Hint
	case k.code != "unavailable":
	case diskFull(err):
		f.Hint = "free some space on the disk, then try again; nothing is lost"
	case notPermitted(err):
		f.Hint = "check the permissions of the file and its folder, and whether the disk is read-only; then try again"
	case deviceFailed(err):
		f.Hint = "check the disk and the permissions, then try again; memory status shows how the service is"
	}
	return f
}

// Err converts a Failure back into an error, so that errors.Is and errors.As
// give the same results on both sides of the socket.
func (f Failure) Err() error {
	return &memory.Error{Kind: f.kind().sentinel, Message: f.Message, Hint: f.Hint, Field: f.Field}
}

// Exit returns the exit code of a command that failed with f.
func (f Failure) Exit() int { return f.kind().exit }

func (f Failure) kind() kind {
	for _, k := range kinds {
		if k.code == f.Code {
			return k
		}
	}
	return internal
}

func kindOf(err error) kind {
	for _, k := range kinds {
		if k.sentinel != nil && errors.Is(err, k.sentinel) {
			return k
		}
	}
	// These errors come from the system, and end when their cause ends.
	if diskFull(err) || deviceFailed(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return Failure{Code: "unavailable"}.kind()
	}
	return internal
}

// Status returns the HTTP status of an error: the status of its kind, unless
// the error concerns HTTP itself or a full disk.
func Status(err error) int {
	var h *httpError
	k := kindOf(err)
	switch {
	case errors.As(err, &h):
		return h.status
	case k.code == "unavailable" && diskFull(err):
		return http.StatusInsufficientStorage
	}
	return k.status
}

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

func notPermitted(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// deviceFailed reports whether the system refused or failed: the disk, the network
// behind it, the permissions, or the limits of the process.
func deviceFailed(err error) bool {
	var code syscall.Errno
	return errors.As(err, &code) && slices.Contains([]syscall.Errno{syscall.EIO, syscall.ENXIO, syscall.ENODEV, syscall.ESTALE,
		syscall.ETIMEDOUT, syscall.EROFS, syscall.EACCES, syscall.EPERM, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM}, code)
}

// httpError is an error with a more exact HTTP status than its kind has.
type httpError struct {
	error
	status int
}

func (e *httpError) Unwrap() error { return e.error }

// kindOfStatus returns the kind of an answer that has only a status, such as
// net/http's own answer to input that is not HTTP.
func kindOfStatus(status int) kind {
	for _, k := range kinds {
		if k.status == status {
			return k
		}
	}
	if status >= 400 && status < 500 {
		return kinds[0]
	}
	return internal
}
