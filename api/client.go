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
	"github.com/memory-tiered/memory/api/caller"
	"github.com/memory-tiered/memory/internal/machine"
)

// Client is a backend that asks a service over its socket. It is safe for
// concurrent use. Every call has a time limit, so that a stopped service keeps no
// caller waiting. The context of a call may set a shorter one.
type Client struct {
	// Version is the caller's own version. Warn is called once if the service has
	// another one. Set both before the first call.
	Version string
	Warn    func(message string)

	address  string // of the service, for messages: the socket's path, or a URL
	base     url.URL
	token    string // empty over the socket
	http     *http.Client
	warn     sync.Once
	timeouts clientTimeouts
}

// clientTimeouts limits how long a client waits for a service.
type clientTimeouts struct {
	read    time.Duration // for the answer to a request that changes nothing
	write   time.Duration // for the answer to any other request
	silence time.Duration // between two parts of a stream of events
}

// defaultTimeouts suits a service on a busy machine. A read takes milliseconds.
// The server itself answers a write within 30 s, and a stream sends a heartbeat
// every 5 s.
var defaultTimeouts = clientTimeouts{read: 5 * time.Second, write: 35 * time.Second, silence: 4 * heartbeatInterval}

// idleConns is how many connections a client keeps open between calls: as many
// as it may need at once.
const idleConns = 16

// Dial makes a client of a service's socket. It connects at the first call. If
// no service runs, every call returns an error that matches
// [memory.ErrUnavailable].
func Dial(path string) *Client {
	return newClient(path, url.URL{Scheme: "http", Host: "localhost"}, &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dialOwned(ctx, path) },
	})
}

// DialURL makes a client of a service on another machine, such as https://memory.example:7443.
// A token goes only over TLS, or to this machine.
func DialURL(address, token string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !caller.IsLocal(u.Hostname())) {
		return nil, memory.Invalid("MEMORY_REMOTE_URL", "%q is not the address of a service", address).WithHint("such as https://memory.example:7443")
	}
	if token == "" {
		return nil, memory.Invalid("MEMORY_REMOTE_TOKEN", "there is no token for %s", address).WithHint("memory token create makes one on the server; then set MEMORY_REMOTE_TOKEN")
	}
	c := newClient(address, *u, http.DefaultTransport.(*http.Transport).Clone())
	c.token = token
	return c, nil
}

func newClient(address string, base url.URL, t *http.Transport) *Client {
	t.MaxIdleConnsPerHost = idleConns
	t.IdleConnTimeout = time.Minute // shorter than the server's, so that the client uses no connection that the server closes
	t.DisableCompression = true     // compressing costs more than the copying that it saves
	return &Client{address: address, base: base, timeouts: defaultTimeouts, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     t,
	}}
}

// Close closes the connections that the client keeps for the next call.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// dialOwned connects to a socket and checks that the process behind it belongs to
// this user or to root. A prompt never goes to another user's process.
func dialOwned(ctx context.Context, path string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		return nil, errors.Join(errForeignDaemon, conn.Close())
	}
	return conn, nil
}

// errForeignDaemon reports a socket on which a process of another user answers.
var errForeignDaemon = errors.New("a process of another user answers on the socket")

// ask sends a request to a route and reads the answer. The fields of request
// become the body, or the query on GET and DELETE.
func ask[R, A any](ctx context.Context, c *Client, to row[R, A], request R) (answer A, err error) {
	limit := c.timeouts.write
	if to.method == get || to.reads {
		limit = c.timeouts.read
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	response, err := c.send(ctx, to.method, to.pathOf(request), contentJSON, request)
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
		return answer, c.connectionError(ctx, err)
	}
	return answer, nil
}

// send sends a request and returns the response of a successful one. It
// converts an error answer into the error that it holds.
func (c *Client) send(ctx context.Context, method, path, accept string, request any) (*http.Response, error) {
	r, err := c.newRequest(ctx, method, path, request)
	if err != nil {
		return nil, err
	}
	return c.do(ctx, r, accept)
}

// do sends a request that is complete.
func (c *Client) do(ctx context.Context, r *http.Request, accept string) (*http.Response, error) {
	r.Header.Set("Accept", accept)
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	c.checkVersion(response.Header.Get("Memory-Version"))
	if response.StatusCode == http.StatusOK {
		return response, nil
	}
	defer closeBody(response)
	return nil, c.answerError(ctx, response)
}

func (c *Client) newRequest(ctx context.Context, method, path string, request any) (*http.Request, error) {
	unescaped, err := url.PathUnescape(path)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", path, err)
	}
	u := c.base
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/")+unescaped, strings.TrimSuffix(u.EscapedPath(), "/")+path
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

// answerError returns the error that an error answer holds.
func (c *Client) answerError(ctx context.Context, response *http.Response) error {
	src, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return c.connectionError(ctx, err)
	}
	var body failureBody
	if json.Unmarshal(src, &body) == nil && body.Error.Code != "" {
		return body.Error.Err()
	}
	if c.token != "" {
		return c.unreachable(fmt.Errorf("what answers there is no memory service: %s", response.Status))
	}
	k := kindOfStatus(response.StatusCode)
	return &memory.Error{Kind: k.sentinel, Message: "the service answered " + response.Status, Hint: k.hint}
}

// connectionError explains an error on the way to the service or back.
func (c *Client) connectionError(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return c.noAnswer(ctx.Err())
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok { // adds "Get http://localhost/…", which helps no user
		err = wrapped.Err
	}
	const start = "memory serve starts it"
	switch {
	case errors.Is(err, errSilent):
		return c.noAnswer(err)
	case c.token != "":
		return c.unreachable(err)
	case len(c.address) > machine.MaxSocketPath:
		return memory.Unavailable(checkPathLength(c.address), "no service can use this socket").
			WithHint("choose a state folder with a shorter path: --state-dir or MEMORY_STATE_DIR")
	case errors.Is(err, os.ErrNotExist):
		return memory.Unavailable(nil, "no service is running: there is no socket %s", c.address).WithHint(start)
	case errors.Is(err, syscall.ECONNREFUSED):
		return memory.Unavailable(nil, "no service is running: nothing answers on %s", c.address).WithHint(start)
	case errors.Is(err, errForeignDaemon):
		return &memory.Error{Kind: memory.ErrForbidden, Message: "the service on " + c.address + " belongs to another user; nothing was sent",
			Hint: "choose a state folder of your own: --state-dir or MEMORY_STATE_DIR"}
	case errors.Is(err, os.ErrPermission):
		return &memory.Error{Kind: memory.ErrForbidden, Message: "the service belongs to another user", Cause: err,
			Hint: "choose a state folder of your own: --state-dir or MEMORY_STATE_DIR"}
	}
	return memory.Unavailable(err, "the connection to the service on %s broke", c.address).
		WithHint("memory status shows how the service is; %s", start)
}

// unreachable explains why a service on another machine cannot be asked.
func (c *Client) unreachable(cause error) error {
	return memory.Unavailable(cause, "the service at %s cannot be reached", c.address).
		WithHint("check MEMORY_REMOTE_URL, the network, the server's certificate, and that memory serve runs there")
}

// ErrNoAnswer reports a service that accepts connections and does not answer in time.
var ErrNoAnswer = errors.New("no answer")

// noAnswer returns an error that matches ErrNoAnswer.
func (c *Client) noAnswer(cause error) error {
	cause = fmt.Errorf("%w: %w", ErrNoAnswer, cause)
	if c.token != "" {
		return c.unreachable(cause)
	}
	return memory.Unavailable(cause, "the service on %s did not answer in time", c.address).
		WithHint("it may be stopped or overloaded: memory status shows its process id; end that process and start it again with memory serve")
}

// checkVersion warns once if the service is of another version, as after an upgrade.
func (c *Client) checkVersion(daemon string) {
	if c.Warn == nil || c.Version == "" || daemon == "" || c.Version == daemon {
		return
	}
	c.warn.Do(func() {
		c.Warn(fmt.Sprintf("the service has version %s, this command %s: memory service restart, or end the service and start it again", daemon, c.Version))
	})
}

func closeBody(r *http.Response) { _ = r.Body.Close() } // the answer is read, or no longer needed
