// Package wire requests vectors from a server over HTTP. It does what all providers
// over HTTP share: batches, retries, time limits, masking of secrets, and validation
// of answers. The format of requests and answers is the provider's.
package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Options configure a client.
type Options struct {
	Model  string // the name that Model returns
	Dim    int    // of every vector; 0: that of the first answer
	Host   string // for messages
	Remote bool   // texts leave this machine
	Key    string // never shown, even if the server repeats it
	Limits embed.Limits
	Mask   func(string) string // masks secrets in texts that leave the machine; nil: no masking
	Batch  int                 // most texts per request

	// Request makes the request for a batch.
	Request func(ctx context.Context, kind embed.Kind, texts []string) (*http.Request, error)
	// Answer reads the vectors of n texts, in their order.
	Answer func(body []byte, n int) ([][]float32, error)

	Pace *Pace // nil: [DefaultPace]
}

// Pace contains the time limits and retries of a client.
type Pace struct {
	QueryTimeout   time.Duration // of a query with all its retries
	RequestTimeout time.Duration // of one request with passages
	MaxTries       int           // for passages
	Pause          time.Duration // after the first failure; it doubles with each
	MaxPause       time.Duration // if the server asks for a longer pause, the client fails
	BreakerTime    time.Duration // after a failed query, queries fail at once for this time
}

// DefaultPace suits local and remote servers. A query waits three seconds, because
// late vectors are worse for recall than keyword search alone. A batch waits a
// minute, because a model on a small machine may need that.
var DefaultPace = Pace{QueryTimeout: 3 * time.Second, RequestTimeout: time.Minute, MaxTries: 4, Pause: 500 * time.Millisecond,
	MaxPause: 20 * time.Second, BreakerTime: 15 * time.Second}

// Client is an embedder that uses one server. It is safe for concurrent use.
type Client struct {
	options     Options
	pace        Pace
	http        *http.Client
	passageSlot chan struct{} // of capacity 1: one request with passages at a time
	breaker     breaker
}

// New returns a client. It sends no request.
func New(o Options) *Client {
	c := &Client{options: o, pace: DefaultPace, passageSlot: make(chan struct{}, 1)}
	if o.Pace != nil {
		c.pace = *o.Pace
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	c.http = &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		return fmt.Errorf("the server redirects to %s; redirects are not followed, to protect the key", r.URL.Host)
	}}
	return c
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Model returns the name from the options.
func (c *Client) Model() string { return c.options.Model }

// Dim returns the dimension from the options.
func (c *Client) Dim() int { return c.options.Dim }

// Remote reports whether texts leave this machine.
func (c *Client) Remote() bool { return c.options.Remote }

// UsesServer returns true: see [embed.UsesServer].
func (c *Client) UsesServer() bool { return true }

// Embed requests the vectors of all texts, batch by batch. It does not send blank
// texts; they get the zero vector. Queries have a short time limit. After a failed
// query, queries fail at once for a while, with the same error.
func (c *Client) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if kind == embed.Query {
		if err := c.breaker.check(); err != nil {
			return nil, err
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.pace.QueryTimeout, timeoutError{c.options.Host, c.pace.QueryTimeout})
		defer cancel()
	}
	vectors, err := c.embed(ctx, kind, texts)
	if err == nil || !callerStopped(ctx) {
		c.breaker.note(err, c.pace.BreakerTime)
	}
	return vectors, err
}

func (c *Client) embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var sent []string
	var positions []int // of sent in texts
	for i, text := range texts {
		if text = c.outgoing(text); strings.TrimFunc(text, isBlank) == "" {
			vectors[i] = make([]float32, c.options.Dim)
			continue
		}
		sent, positions = append(sent, text), append(positions, i)
	}
	for from := 0; from < len(sent); from += c.options.Batch {
		to := min(from+c.options.Batch, len(sent))
		got, err := c.embedBatch(ctx, kind, sent[from:to])
		if err != nil {
			return nil, err
		}
		for n, v := range got {
			vectors[positions[from+n]] = v
		}
	}
	return vectors, nil
}

// outgoing returns the text as it is sent: shortened, and masked for remote servers.
func (c *Client) outgoing(text string) string {
	text = c.options.Limits.Clamp(text)
	if c.options.Remote && c.options.Mask != nil {
		text = c.options.Mask(text)
	}
	return text
}

// isBlank reports whether some servers treat a text of such characters as empty, and
// refuse it.
func isBlank(r rune) bool {
	return r <= ' ' || r == 0x7f || r == 0xa0 || r == '\u200b' || r == '\ufeff'
}

// ParseBase parses a server's address. remote is false for loopback addresses.
func ParseBase(text string) (u *url.URL, remote bool, err error) {
	u, err = url.Parse(strings.TrimRight(text, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, false, memory.Invalid("embedding.baseUrl", "%q is not the address of a server", text).
			WithHint("for example http://localhost:11434/v1")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, false, memory.Invalid("embedding.baseUrl", "embedding.baseUrl contains more than an address").
			WithHint("set a key with embedding.apiKey")
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return u, !local, nil
}
