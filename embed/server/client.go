// Package server embeds with a model on a server: OpenAI or any compatible one, or Google
// Gemini. [OpenAI] and [Gemini] know only the formats of requests and answers. The client
// does what both share: batches, retries, time limits, masking of secrets, and validation
// of answers.
package server

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

// Options configure the server and the model.
type Options struct {
	Base       string // empty: the provider's own
	Model      string // empty: the provider's default
	Key        string // empty: none; never shown, even if the server repeats it
	Dimensions int    // 0: the known dimension of the model; see also [ProbeOpenAI]
	Limits     embed.Limits
	Mask       func(string) string // masks secrets in texts that leave the machine; nil: no masking
	Pace       *Pace               // nil: the default
}

// format is how one API writes requests and answers.
type format struct {
	name   string // what Model returns; it contains everything that changes the vectors
	dim    int    // of every vector; 0: that of the first answer
	host   string // for messages
	remote bool   // texts leave this machine
	batch  int    // most texts per request

	// request makes the request for a batch.
	request func(ctx context.Context, kind embed.Kind, texts []string) (*http.Request, error)
	// answer reads the vectors of n texts, in their order.
	answer func(body []byte, n int) ([][]float32, error)
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

// defaultPace suits local and remote servers. A query waits three seconds, because
// late vectors are worse for recall than keyword search alone. A batch waits a
// minute, because a model on a small machine may need that.
var defaultPace = Pace{QueryTimeout: 3 * time.Second, RequestTimeout: time.Minute, MaxTries: 4, Pause: 500 * time.Millisecond,
	MaxPause: 20 * time.Second, BreakerTime: 15 * time.Second}

// client is an embedder that uses one server. It is safe for concurrent use.
type client struct {
	options     Options
	format      format
	pace        Pace
	http        *http.Client
	passageSlot chan struct{} // of capacity 1: one request with passages at a time
	breaker     breaker
}

// newClient returns a client. It sends no request.
func newClient(o Options, f format) *client {
	c := &client{options: o, format: f, pace: defaultPace, passageSlot: make(chan struct{}, 1)}
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
func (c *client) Close() { c.http.CloseIdleConnections() }

// Model returns a name that contains everything that changes the vectors.
func (c *client) Model() string { return c.format.name }

// Dim returns the dimension; 0: that of the first answer.
func (c *client) Dim() int { return c.format.dim }

// Remote reports whether texts leave this machine.
func (c *client) Remote() bool { return c.format.remote }

// UsesServer returns true: see [embed.UsesServer].
func (c *client) UsesServer() bool { return true }

// Embed requests the vectors of all texts, batch by batch. It does not send blank
// texts; they get the zero vector. Queries have a short time limit. After a failed
// query, queries fail at once for a while, with the same error.
func (c *client) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if kind == embed.Query {
		if err := c.breaker.check(); err != nil {
			return nil, err
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.pace.QueryTimeout, timeoutError{c.format.host, c.pace.QueryTimeout})
		defer cancel()
	}
	vectors, err := c.embed(ctx, kind, texts)
	if err == nil || !callerStopped(ctx) {
		c.breaker.note(err, c.pace.BreakerTime)
	}
	return vectors, err
}

func (c *client) embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var sent []string
	var positions []int // of sent in texts
	for i, text := range texts {
		if text = c.outgoing(text); strings.TrimFunc(text, isBlank) == "" {
			vectors[i] = make([]float32, c.format.dim)
			continue
		}
		sent, positions = append(sent, text), append(positions, i)
	}
	for from := 0; from < len(sent); from += c.format.batch {
		to := min(from+c.format.batch, len(sent))
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
func (c *client) outgoing(text string) string {
	text = c.options.Limits.Clamp(text)
	if c.format.remote && c.options.Mask != nil {
		text = c.options.Mask(text)
	}
	return text
}

// isBlank reports whether some servers treat a text of such characters as empty, and
// refuse it.
func isBlank(r rune) bool {
	return r <= ' ' || r == 0x7f || r == 0xa0 || r == '\u200b' || r == '\ufeff'
}

// parseBase parses a server's address. remote is false for loopback addresses.
func parseBase(text string) (u *url.URL, remote bool, err error) {
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

// modelName contains everything that changes the vectors: server, model, dimension. The
// provider's own server, at ownBase, is left out.
func modelName(provider, ownBase string, o Options, base *url.URL, dim int) string {
	at := ""
	if o.Base != ownBase {
		at = base.Host + "/"
	}
	return fmt.Sprintf("%s/%s%s@%d", provider, at, o.Model, dim)
}
