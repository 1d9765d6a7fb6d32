package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// StatusError is an HTTP answer with another status than 200.
type StatusError struct {
	Host       string
	Status     int
	Message    string        // of the server, shortened, without the key
	RetryAfter time.Duration // the wait that the server asks for; 0: none
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answers %d %s", e.Host, e.Status, http.StatusText(e.Status))
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text = fmt.Sprintf("%s refuses the key (%d); it is set by embedding.apiKey", e.Host, e.Status)
	case http.StatusNotFound:
		text = fmt.Sprintf("%s does not know the model or the address (404); see embedding.model and embedding.baseUrl", e.Host)
	case http.StatusTooManyRequests:
		text = fmt.Sprintf("%s asks for fewer requests (429)", e.Host)
		if e.RetryAfter > 0 {
			text += fmt.Sprintf(", none for %s", e.RetryAfter.Round(time.Millisecond))
		}
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// temporary reports whether the same request may succeed later.
func (e *StatusError) temporary() bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.Status >= http.StatusInternalServerError && e.Status != http.StatusNotImplemented
}

// tooLarge reports whether a request with fewer or shorter texts may succeed.
func (e *StatusError) tooLarge() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusUnprocessableEntity
}

// statusError reads the message of an answer, in one of the formats that servers
// use.
func (c *client) statusError(answer *http.Response, body []byte) error {
	var fields struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	text := ""
	if json.Unmarshal(body, &fields) == nil {
		var detail struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(fields.Error, &text) != nil && json.Unmarshal(fields.Error, &detail) == nil {
			text = detail.Message
		}
		if text == "" {
			text = fields.Message
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if c.options.Key != "" {
		text = strings.ReplaceAll(text, c.options.Key, "…")
	}
	if c.options.Mask != nil {
		text = c.options.Mask(text)
	}
	const maxRunes = 200 // one line for people
	if runes := []rune(text); len(runes) > maxRunes {
		text = string(runes[:maxRunes]) + "…"
	}
	return &StatusError{Host: c.format.host, Status: answer.StatusCode, Message: text, RetryAfter: retryAfter(answer.Header, time.Now())}
}

// connectError reports that a server cannot be reached.
type connectError struct {
	host  string
	cause error
}

func (e *connectError) Error() string {
	return fmt.Sprintf("%s cannot be reached: %v", e.host, e.cause)
}
func (e *connectError) Unwrap() error { return e.cause }

// answerError reports an invalid answer.
type answerError struct {
	host  string
	cause error
}

func (e *answerError) Error() string {
	return fmt.Sprintf("%s returns an invalid answer: %v", e.host, e.cause)
}
func (e *answerError) Unwrap() error { return e.cause }

// timeoutError reports that a server took too long.
type timeoutError struct {
	host string
	wait time.Duration
}

func (e timeoutError) Error() string {
	return fmt.Sprintf("%s did not answer within %s", e.host, e.wait)
}

// isTemporary reports whether another attempt may succeed.
func isTemporary(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.temporary()
	}
	var invalid *answerError
	return !errors.As(err, &invalid)
}

// callerStopped reports whether the caller's context is done, and not only our own
// time limit.
func callerStopped(ctx context.Context) bool {
	var timeout timeoutError
	return ctx.Err() != nil && !errors.As(context.Cause(ctx), &timeout)
}

// breaker is a circuit breaker: after a failure, queries fail at once for a while
// and do not wait for the server.
type breaker struct {
	mu        sync.Mutex
	openUntil time.Time
	lastErr   error // nil: the last request succeeded
}

// check returns the last error while the breaker is open.

func (b *breaker) check() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lastErr == nil || time.Now().After(b.openUntil) {
		return nil
	}
	return fmt.Errorf("%w (next request in %s)", b.lastErr, time.Until(b.openUntil).Round(time.Second))
}

// note opens the breaker after a failure and closes it after an answer. It stays open
// as long as the server asks for, but at most four times the default.
func (b *breaker) note(err error, defaultTime time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lastErr = err; err == nil {
		return
	}
	wait := defaultTime
	var status *StatusError
	if errors.As(err, &status) && status.RetryAfter > 0 {
		wait = min(status.RetryAfter, 4*defaultTime)
	}
	b.openUntil = time.Now().Add(wait)
}
