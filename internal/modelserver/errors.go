package modelserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
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

// MayAcceptAnother reports whether a server refused a request, and may accept a smaller or simpler
// one.
func MayAcceptAnother(err error) bool {
	e := (*requestError)(nil)
	return errors.As(err, &e) && (e.status == http.StatusBadRequest || e.status == http.StatusRequestEntityTooLarge || e.status == http.StatusUnprocessableEntity)
}

// IsRefused reports whether a server refused a request, so that no model worked on it. A model may
// have worked on one that failed in the server.
func IsRefused(err error) bool {
	e := (*requestError)(nil)
	return errors.As(err, &e) && e.status >= http.StatusBadRequest && e.status < http.StatusInternalServerError
}

// connectError reports that a server cannot be reached, or that the time is over.
func (c *Client) connectError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &requestError{host: c.base.Host, text: "cannot be reached", cause: err}
}

func (c *Client) invalid(err error) error {
	return &requestError{host: c.base.Host, text: "returns an invalid answer", isInvalid: true, cause: err}
}

// statusError describes an answer with another status than 200.
func (c *Client) statusError(answer *http.Response, body []byte) error {
	e := &requestError{host: c.base.Host, status: answer.StatusCode, text: fmt.Sprintf("answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))}
	if s, err := strconv.ParseFloat(answer.Header.Get("Retry-After"), 64); err == nil && s > 0 && s < 1e6 {
		e.retryAfter = time.Duration(s * float64(time.Second))
	}
	switch e.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.text = fmt.Sprintf("refuses the key (%d); it is set by %s", e.status, c.Settings.Key)
	case http.StatusNotFound:
		e.text = fmt.Sprintf("does not know the model or the address (404); see %s and %s", c.Settings.Model, c.Settings.Base)
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
func (c *Client) message(body []byte) string {
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
