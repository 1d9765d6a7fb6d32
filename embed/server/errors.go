package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// requestError tells why a request failed.
type requestError struct {
	host       string
	text       string        // what the server does, as a part of a sentence
	status     int           // of the answer; 0: none came
	isInvalid  bool          // an answer came, and cannot be used
	retryAfter time.Duration // the wait that the server asks for; 0: none
	cause      error
}

func (e *requestError) Error() string {
	if e.cause == nil {
		return e.host + " " + e.text
	}
	return fmt.Sprintf("%s %s: %v", e.host, e.text, e.cause)
}

func (e *requestError) Unwrap() error { return e.cause }

// isTemporary reports whether the same request may succeed later.
func (e *requestError) isTemporary() bool {
	switch e.status {
	case 0:
		return !e.isInvalid
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.status >= http.StatusInternalServerError && e.status != http.StatusNotImplemented
}

// isTooLarge reports whether a request with fewer or shorter texts may succeed.
func (e *requestError) isTooLarge() bool {
	return e.status == http.StatusBadRequest || e.status == http.StatusRequestEntityTooLarge || e.status == http.StatusUnprocessableEntity
}

// connectError reports that a server cannot be reached, or that the time is over.
func (c *client) connectError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &requestError{host: c.base.Host, text: "cannot be reached", cause: err}
}

func (c *client) invalid(err error) error {
	return &requestError{host: c.base.Host, text: "returns an invalid answer", isInvalid: true, cause: err}
}

// statusError describes an answer with another status than 200.
func (c *client) statusError(answer *http.Response, body []byte) error {
	e := &requestError{host: c.base.Host, status: answer.StatusCode, text: fmt.Sprintf("answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))}
	if s, err := strconv.ParseFloat(answer.Header.Get("Retry-After"), 64); err == nil && s > 0 && s < 1e6 {
		e.retryAfter = time.Duration(s * float64(time.Second))
	}
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.text = fmt.Sprintf("refuses the key (%d); it is set by embedding.apiKey", e.status)
	case http.StatusNotFound:
		e.text = "does not know the model or the address (404); see embedding.model and embedding.baseUrl"
	case http.StatusTooManyRequests:
		e.text = "asks for fewer requests (429)"
		if e.retryAfter > 0 {
			e.text += fmt.Sprintf(", none for %s", e.retryAfter.Round(time.Millisecond))
		}
	}
	if message := c.message(body); message != "" {
		e.text += ": " + message
	}
	return e
}

// message returns the error in an answer for people, without the key.
func (c *client) message(body []byte) string {
	var fields struct {
		Error json.RawMessage `json:"error"` // a text, or an object with one
	}
	var text string
	var detail struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &fields) == nil && json.Unmarshal(fields.Error, &text) != nil && json.Unmarshal(fields.Error, &detail) == nil {
		text = detail.Message
	}
	text = strings.Join(strings.Fields(text), " ")
	if c.Key != "" {
		text = strings.ReplaceAll(text, c.Key, "…")
	}
	if c.Mask != nil {
		text = c.Mask(text)
	}
	const maxRunes = 200 // one line for people
	if runes := []rune(text); len(runes) > maxRunes {
		text = string(runes[:maxRunes]) + "…"
	}
	return text
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

// note opens the breaker after a failure and closes it after an answer.
func (b *breaker) note(err error, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastErr, b.openUntil = err, time.Now().Add(wait)
}
