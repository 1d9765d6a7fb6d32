// Package modelserver sends requests to a server with a model, on this machine or another one.
// It tries again after a temporary failure, limits the time and the size of an answer, follows
// no redirect, and shows the key to nobody.
package modelserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Options are where a server is, and how its errors are told.
type Options struct {
	Base     string              // its address; the paths of requests are below it
	Key      string              // empty: none; never shown, even if the server repeats it
	Mask     func(string) string // masks secrets in messages of the server; nil: no masking
	Settings Settings
}

// Settings names the settings of a server, for errors about them.
type Settings struct{ Base, Key, Model string }

// Attempts says how often a request is sent, and when.
type Attempts struct {
	Max      int
	Limit    time.Duration // of each; 0: that of the context
	Pause    time.Duration // after the first failure; it doubles with each
	MaxPause time.Duration // if the server asks for a longer pause, the request fails
}

// Client sends requests to one server. It is safe for concurrent use.
type Client struct {
	Options
	base   *url.URL
	remote bool
	http   *http.Client
}

// New returns a client. It sends no request.
func New(o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.Base, "/"))
	if err != nil {
		return nil, memory.Invalid(o.Settings.Base, "%v", err)
	}
	ip := net.ParseIP(base.Hostname())
	local := base.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &Client{Options: o, base: base, remote: !local, http: &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		return fmt.Errorf("the server redirects to %s; redirects are not followed, to protect the key", r.URL.Host)
	}}}, nil
}

// Host returns the server's name, with its port.
func (c *Client) Host() string { return c.base.Host }

// Remote reports whether texts leave this machine. They do not to a loopback address.
func (c *Client) Remote() bool { return c.remote }

// Close closes the connections that are not in use.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// maxAnswerBytes is the size limit of an answer: three times 64 vectors of 4096
// numbers with 20 digits each.
const maxAnswerBytes = 16 << 20

// Post sends a request as JSON, and gives the answer to read. An error of read means that the
// answer is not valid. After a temporary failure, it sends the request again.
func (c *Client) Post(ctx context.Context, path string, request any, tries Attempts, read func(answer []byte) error) error {
	body, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("make a request for %s: %w", c.base.Host, err)
	}
	pause := tries.Pause
	for try := 1; ; try++ {
		err := c.send(ctx, path, body, tries.Limit, read)
		var failed *requestError
		if ctx.Err() != nil || !errors.As(err, &failed) || !failed.isTemporary() || try >= tries.Max {
			return err
		}
		wait := cmp.Or(failed.retryAfter, pause)
		if deadline, ok := ctx.Deadline(); wait > tries.MaxPause || ok && time.Until(deadline) < wait {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		pause *= 2
	}
}

// WithTimeout limits the time of a context. The error at its end names the server.
func (c *Client) WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &requestError{host: c.base.Host, text: fmt.Sprintf("did not answer within %s", limit)})
}

// send sends a request once, and reads its answer.
func (c *Client) send(ctx context.Context, path string, body []byte, limit time.Duration, read func([]byte) error) error {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = c.WithTimeout(ctx, limit)
		defer cancel()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make a request for %s: %w", c.base.Host, err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "memory-tiered")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return c.connectError(ctx, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return c.connectError(ctx, err)
	case response.StatusCode != http.StatusOK:
		return c.statusError(response, answer)
	case len(answer) > maxAnswerBytes: // a second one would be as long
		return c.invalid(fmt.Errorf("it has more than %d MiB", maxAnswerBytes>>20))
	}
	if err := read(answer); err != nil {
		return c.invalid(err)
	}
	return nil
}
