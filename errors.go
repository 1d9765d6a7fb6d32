package memory

import (
	"errors"
	"fmt"
)

// The kinds of failure that a caller can tell apart. Every error that leaves
// the engine wraps exactly one of them; the socket and the command line map
// them to a status and an exit code.
var (
	ErrInvalid     = errors.New("invalid")     // the request is wrong: 400, exit 2
	ErrNotFound    = errors.New("not found")   // 404, exit 3
	ErrConflict    = errors.New("conflict")    // ambiguous, or changed underneath: 409, exit 4
	ErrForbidden   = errors.New("forbidden")   // 403, exit 1
	ErrUnavailable = errors.New("unavailable") // daemon, provider, lock or disk: 503, exit 5
)

// Error is a failure with what a person needs to get past it.
type Error struct {
	Kind    error  // one of the sentinels above; nil means a bug (internal)
	Message string // one sentence, in the product's fixed wording where it has one
	Hint    string // what to do about it; may be empty
	Field   string // the request field at fault, in snake case; may be empty
	Cause   error  // what lies beneath; may be nil
}

func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.Cause.Error()
}

// Unwrap makes errors.Is see both the kind and the cause.
func (e *Error) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Kind, e.Cause} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// Invalid is a request that can never work, with the field at fault.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Kind: ErrInvalid, Field: field, Message: fmt.Sprintf(format, args...)}
}

// NotFound says that no memory answers to id.
func NotFound(id string) *Error {
	return &Error{Kind: ErrNotFound, Field: "id", Message: "Memory not found: " + id,
		Hint: "search for it, or list what there is: memory search WORDS, memory list --json"}
}

// Conflict is a request that something else stands in the way of.
func Conflict(format string, args ...any) *Error {
	return &Error{Kind: ErrConflict, Message: fmt.Sprintf(format, args...)}
}

// Unavailable is a failure that passes when its cause does.
func Unavailable(cause error, format string, args ...any) *Error {
	return &Error{Kind: ErrUnavailable, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// WithHint adds the way out.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}
