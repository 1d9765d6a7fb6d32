package wire

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

// Refused is an answer that is no vectors.
type Refused struct {
	Host   string
	Status int
	Said   string        // the server's own words, shortened, without the key
	After  time.Duration // how long it asks to be left alone; 0: it does not say
}

func (r *Refused) Error() string {
	text := fmt.Sprintf("%s answers %d %s", r.Host, r.Status, http.StatusText(r.Status))
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text = fmt.Sprintf("%s refuses the key (%d); embedding.apiKey says which it is", r.Host, r.Status)
	case http.StatusNotFound:
		text = fmt.Sprintf("%s knows no such model or address (404); see embedding.model and embedding.baseUrl", r.Host)
	case http.StatusTooManyRequests:
		text = fmt.Sprintf("%s wants fewer requests (429)", r.Host)
		if r.After > 0 {
			text += fmt.Sprintf(", none for %s", r.After.Round(time.Millisecond))
		}
	}
	if r.Said != "" {
		text += ": " + r.Said
	}
	return text
}

// passes says that the same request may be answered later.
func (r *Refused) passes() bool {
	switch r.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return r.Status >= http.StatusInternalServerError && r.Status != http.StatusNotImplemented
}

// tooMuch says that fewer or shorter texts may be answered.
func (r *Refused) tooMuch() bool {
	return r.Status == http.StatusBadRequest || r.Status == http.StatusRequestEntityTooLarge || r.Status == http.StatusUnprocessableEntity
}

// refusal reads what a server says in one of the ways that servers do.
func (c *Client) refusal(answer *http.Response, body []byte) error {
	var said struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	text := ""
	if json.Unmarshal(body, &said) == nil {
		var detail struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(said.Error, &text) != nil && json.Unmarshal(said.Error, &detail) == nil {
			text = detail.Message
		}
		if text == "" {
			text = said.Message
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if c.o.Key != "" {
		text = strings.ReplaceAll(text, c.o.Key, "…")
	}
	if c.o.Mask != nil {
		text = c.o.Mask(text)
	}
	const most = 200 // a line for people
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return &Refused{Host: c.o.Host, Status: answer.StatusCode, Said: text, After: after(answer.Header, time.Now())}
}

// unreached is a server that does not answer.
type unreached struct {
	host  string
	cause error
}

func (u *unreached) Error() string { return fmt.Sprintf("%s cannot be reached: %v", u.host, u.cause) }
func (u *unreached) Unwrap() error { return u.cause }

// nonsense is an answer that cannot be right.
type nonsense struct {
	host  string
	cause error
}

func (n *nonsense) Error() string { return fmt.Sprintf("%s gives a wrong answer: %v", n.host, n.cause) }
func (n *nonsense) Unwrap() error { return n.cause }

// tooSlow is a server that hangs.
type tooSlow struct {
	host string
	wait time.Duration
}

func (s tooSlow) Error() string { return fmt.Sprintf("%s did not answer within %s", s.host, s.wait) }

// passes says that asking again may help.
func passes(err error) bool {
	var refused *Refused
	if errors.As(err, &refused) {
		return refused.passes()
	}
	var wrong *nonsense
	return !errors.As(err, &wrong)
}

// stopped says that the caller wants no answer any more.
func stopped(ctx context.Context) bool {
	var slow tooSlow
	return ctx.Err() != nil && !errors.As(context.Cause(ctx), &slow)
}

// brake keeps questions from waiting for a server that has just failed one.
type brake struct {
	mu    sync.Mutex
	until time.Time
	why   error
}

func (b *brake) pulled() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.why == nil || time.Now().After(b.until) {
		return nil
	}
	return fmt.Errorf("%w (asked again in %s)", b.why, time.Until(b.until).Round(time.Second))
}

// note pulls the brake after a failure, for as long as the server asks for but
// no longer than four times the usual, and lets it go after an answer.
func (b *brake) note(err error, usual time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.why = err; err == nil {
		return
	}
	wait := usual
	var refused *Refused
	if errors.As(err, &refused) && refused.After > 0 {
		wait = min(refused.After, 4*usual)
	}
	b.until = time.Now().Add(wait)
}
