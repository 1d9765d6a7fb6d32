package memory

import (
	"errors"
	"fmt"
)

// The kinds of failure that a caller can distinguish. Every error that the engine
// returns wraps exactly one of them, or none for a bug. The socket maps them to
// an HTTP status and the command line to an exit code.
var (
	ErrInvalid     = errors.New("invalid")     // the request is wrong: 400, exit 2
	ErrNotFound    = errors.New("not found")   // 404, exit 3
	ErrConflict    = errors.New("conflict")    // ambiguous, or changed meanwhile: 409, exit 4
	ErrForbidden   = errors.New("forbidden")   // 403, exit 1
	ErrUnavailable = errors.New("unavailable") // service, provider, lock or disk: 503, exit 5
)

// Error is a failure with a hint for the person who has to solve it.
type Error struct {
	Kind    error  // one of the sentinels above; nil: a bug (internal)
	Message string // one sentence; some have a fixed wording
	Hint    string // how to solve it; may be empty
	Field   string // the request field at fault, in snake case; may be empty
	Cause   error  // the underlying error; may be nil
}

func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.Cause.Error()
}

// Unwrap returns the kind and the cause, so that errors.Is matches both.
func (e *Error) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Kind, e.Cause} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// Invalid returns an error for a request that can never succeed. field is the
// field at fault.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Kind: ErrInvalid, Field: field, Message: fmt.Sprintf(format, args...)}
}

// NotFound returns the error for an id that matches no memory.
func NotFound(id string) *Error {
	return &Error{Kind: ErrNotFound, Field: "id", Message: "Memory not found: " + id,
		Hint: "search for it, or list what there is: memory search WORDS, memory list --json"}
}

// Conflict returns an error for a request that the present state does not allow.
func Conflict(format string, args ...any) *Error {
	return &Error{Kind: ErrConflict, Message: fmt.Sprintf(format, args...)}
}

// Unavailable returns an error for a temporary failure. A later attempt may
// succeed.
func Unavailable(cause error, format string, args ...any) *Error {
	return &Error{Kind: ErrUnavailable, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// WithHint adds how to solve the problem.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}
