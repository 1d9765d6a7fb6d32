package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/memory-tiered/memory"
)

// Client is the backend on the other side of a socket. It is safe for
// concurrent use; how long a call may take is its context's to say.
type Client struct {
	// Version is the caller's own. Where the daemon's is another major one, Warn
	// is told, once. Both may be set before the first call.
	Version string
	Warn    func(message string)

	path string
	http *http.Client
	warn sync.Once
}

// idleConns is how many connections a client keeps open between calls: as many
// as it may have use for at once.
const idleConns = 16

// Dial makes a client of the daemon's socket. It connects when it is first
// asked something: a daemon that is not there is an error that
// [memory.ErrUnavailable] is, of every call.
func Dial(path string) *Client {
	dialer := &net.Dialer{}
	return &Client{path: path, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, "unix", path)
			},
			MaxIdleConnsPerHost: idleConns,
			IdleConnTimeout:     time.Minute, // less than the server's, so that none is used that it closes
			DisableCompression:  true,        // it would cost more than the copy that it saves
		}}}
}

// Close closes the connections that are kept for the next call.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// call asks a route and reads its answer. request holds the fields of the body,
// or on GET and DELETE of the query.
func call[A any](ctx context.Context, c *Client, method, path string, request any) (answer A, err error) {
	response, err := c.open(ctx, method, path, contentJSON, request)
	if err != nil {
		return answer, err
	}
	defer closeBody(response)
	var body bytes.Buffer
	body.Grow(int(min(max(0, response.ContentLength), maxBody)) + bytes.MinRead)
	_, err = body.ReadFrom(response.Body)
	if err == nil {
		err = json.Unmarshal(body.Bytes(), &answer)
	}
	if err != nil {
		return answer, c.failure(ctx, err)
	}
	return answer, nil
}

// open asks a route and gives its answer, which is a success; a failure is the
// error that it tells of.
func (c *Client) open(ctx context.Context, method, path, accept string, request any) (*http.Response, error) {
	r, err := c.request(ctx, method, path, request)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", accept)
	response, err := c.http.Do(r)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	c.compare(response.Header.Get("Memory-Version"))
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer closeBody(response)
	return nil, c.told(ctx, response)
}

func (c *Client) request(ctx context.Context, method, path string, request any) (*http.Request, error) {
	plain, err := url.PathUnescape(path)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", path, err)
	}
	u := url.URL{Scheme: "http", Host: "localhost", Path: plain, RawPath: path}
	var body io.Reader
	if request != nil {
		if method == http.MethodGet || method == http.MethodDelete {
			u.RawQuery = encodeQuery(request).Encode()
		} else {
			src, err := encode(request)
			if err != nil {
				return nil, memory.Invalid("", "the request cannot be written as JSON: %v", err)
			}
			body = bytes.NewReader(src)
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err == nil && body != nil {
		r.Header.Set("Content-Type", contentJSON)
	}
	return r, err
}

// told is the error that an answer tells of.
func (c *Client) told(ctx context.Context, response *http.Response) error {
	src, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return c.failure(ctx, err)
	}
	var body failed
	if json.Unmarshal(src, &body) == nil && body.Error.Code != "" {
		return body.Error.Err()
	}
	k := kindOfStatus(response.StatusCode)
	return &memory.Error{Kind: k.sentinel, Message: "the daemon answers " + response.Status, Hint: k.hint}
}

// failure is an error on the way to the daemon or back.
func (c *Client) failure(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return memory.Unavailable(ctx.Err(), "the daemon did not answer in time").
			WithHint("memory status says how it is")
	}
	var over *url.Error // says "Get http://localhost/…", which nobody asked for
	if errors.As(err, &over) {
		err = over.Err
	}
	start := "memory serve starts it"
	switch {
	case len(c.path) > maxSocketPath:
		return memory.Unavailable(checkLength(c.path), "no daemon can be there").WithHint("choose a state folder with a shorter path: --state-dir or MEMORY_STATE_DIR")
	case errors.Is(err, os.ErrNotExist):
		return memory.Unavailable(nil, "no daemon runs: there is no socket %s", c.path).WithHint("%s", start)
	case errors.Is(err, syscall.ECONNREFUSED):
		return memory.Unavailable(nil, "no daemon runs: nobody answers on %s", c.path).WithHint("%s", start)
	case errors.Is(err, os.ErrPermission):
		return &memory.Error{Kind: memory.ErrForbidden, Message: "the daemon belongs to another user", Cause: err,
			Hint: "choose a state folder of your own: --state-dir or MEMORY_STATE_DIR"}
	}
	return memory.Unavailable(err, "the daemon on %s broke off", c.path).WithHint("memory status says how it is; %s", start)
}

// compare warns once about a daemon that may speak another protocol.
func (c *Client) compare(daemon string) {
	ours, theirs := major(c.Version), major(daemon)
	if c.Warn == nil || ours == "" || theirs == "" || ours == theirs {
		return
	}
	c.warn.Do(func() {
		c.Warn(fmt.Sprintf("the daemon is version %s, this command %s: restart the daemon with this version", daemon, c.Version))
	})
}

// major is the first number of a version; other texts, such as a commit, have none.
func major(version string) string {
	first, _, ok := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	if !ok || first == "" || strings.Trim(first, "0123456789") != "" {
		return ""
	}
	return first
}

func closeBody(r *http.Response) { _ = r.Body.Close() } // read to its end, or given up
