package api

import (
	"context"
	"errors"
	"net/http"
	"syscall"

	"github.com/memory-tiered/memory"
)

// Failure is an error as it crosses the socket and as the command line prints
// it with --json, there under the key "error".
type Failure struct {
	Code    string `json:"code"`    // invalid, not_found, conflict, forbidden, unavailable or internal
	Message string `json:"message"` // one sentence
	Hint    string `json:"hint"`    // what to do about it; never empty
	Field   string `json:"field"`   // the request's field at fault; empty where none is
}

// failed is the body of every answer that is not a success.
type failed struct {
	Error Failure `json:"error"`
}

// kind is one row of the contract between sentinel, code, status and exit.
type kind struct {
	sentinel error // nil: a bug
	code     string
	status   int
	exit     int
	hint     string // where the failure has none of its own
}

var kinds = []kind{
	{memory.ErrInvalid, "invalid", http.StatusBadRequest, 2,
		"GET /v1/openapi.yaml says what each request takes"},
	{memory.ErrNotFound, "not_found", http.StatusNotFound, 3,
		"GET /v1/memories lists what there is, GET /v1/workspaces where"},
	{memory.ErrConflict, "conflict", http.StatusConflict, 4,
		"look at what is there now, then ask again"},
	{memory.ErrForbidden, "forbidden", http.StatusForbidden, 1,
		"only the user who runs the daemon may ask it, and never from a browser"},
	{memory.ErrUnavailable, "unavailable", http.StatusServiceUnavailable, 5,
		"try again in a moment; memory status says how the service is"},
	internal,
}

var internal = kind{nil, "internal", http.StatusInternalServerError, 1,
	"this is a bug in memory: please report it with what the daemon logged"}

// Describe says an error in the words of the protocol. Without a sentinel it is
// a bug, and internal.
func Describe(err error) Failure {
	k := kindOf(err)
	f := Failure{Code: k.code, Message: err.Error(), Hint: k.hint}
	var said *memory.Error
	switch {
	case errors.As(err, &said):
		f.Message, f.Field = said.Error(), said.Field
		if said.Hint != "" {
			f.Hint = said.Hint
		}
	case errors.Is(err, context.DeadlineExceeded):
		f.Message = "it took too long: " + err.Error()
	case diskFull(err):
		f.Hint = "make room on the disk, then try again; nothing is lost"
	}
	return f
}

// Err is the failure as the error that it was, so that errors.Is and errors.As
// answer on this side of the socket as they do on the other.
func (f Failure) Err() error {
	return &memory.Error{Kind: f.kind().sentinel, Message: f.Message, Hint: f.Hint, Field: f.Field}
}

// Exit is the code with which a command ends that failed so.
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
	// What the system says of itself passes when its cause does.
	if diskFull(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return Failure{Code: "unavailable"}.kind()
	}
	return internal
}

// status is the HTTP status of an error: its kind's, unless the error is about
// HTTP itself or about the disk.
func status(err error) int {
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

// httpError is a failure that HTTP has a finer status for than its kind's.
type httpError struct {
	error
	status int
}

func (e *httpError) Unwrap() error { return e.error }

// kindOfStatus reads an answer that says nothing but its status, as net/http
// itself gives to what is no HTTP.
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
