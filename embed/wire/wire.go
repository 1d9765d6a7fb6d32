// Package wire asks a server for vectors over HTTP. It alone knows how to ask
// politely and to believe little: batches, tries and pauses, what may leave this
// machine, and what an answer has to be. What a request and its answer look like
// is the provider's.
package wire

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/memory-tiered/memory/embed"
)

// Options says whom to ask, and how.
type Options struct {
	Model  string // the embedder's whole name
	Dim    int    // of every vector; 0: whatever the first answer has
	Host   string // for people: who is asked
	Remote bool   // texts leave this machine
	Key    string // never shown, even where the server repeats it
	Limits embed.Limits
	Mask   func(string) string // takes secrets out of what leaves; nil: nothing is masked
	Batch  int                 // how many texts a request may hold

	// Request makes the request for a batch.
	Request func(ctx context.Context, kind embed.Kind, texts []string) (*http.Request, error)
	// Answer reads the vectors of n texts, in their order.
	Answer func(body []byte, n int) ([][]float32, error)

	Pace *Pace // nil: [DefaultPace]
}

// Pace is how long to wait for what.
type Pace struct {
	Question time.Duration // all that a question may take: somebody waits for the answer
	Try      time.Duration // one request with passages
	Tries    int           // of passages
	Pause    time.Duration // after a failure, doubled each time
	Longest  time.Duration // a longer pause that the server asks for is left to the caller
	Brake    time.Duration // after a question that failed, none is sent for so long
}

// DefaultPace suits servers near and far. A question waits three seconds, as a
// recall by words alone is better than one that is late; a batch a minute, as a
// model on a small machine may need that.
var DefaultPace = Pace{Question: 3 * time.Second, Try: time.Minute, Tries: 4, Pause: 500 * time.Millisecond,
	Longest: 20 * time.Second, Brake: 15 * time.Second}

// Client asks one server. It is safe for concurrent use.
type Client struct {
	o     Options
	pace  Pace
	http  *http.Client
	turn  chan struct{} // passages: one request at a time
	brake brake
}

// New makes a client; it asks nothing yet.
func New(o Options) *Client {
	c := &Client{o: o, pace: DefaultPace, turn: make(chan struct{}, 1)}
	if o.Pace != nil {
		c.pace = *o.Pace
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	c.http = &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		return fmt.Errorf("it sends us on to %s, and the key stays here", r.URL.Host)
	}}
	return c
}

// Close lets go of connections that are kept open.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Model is the name given in the options.
func (c *Client) Model() string { return c.o.Model }

// Dim is the dimension given in the options.
func (c *Client) Dim() int { return c.o.Dim }

// Remote says whether texts leave this machine.
func (c *Client) Remote() bool { return c.o.Remote }

// Embed asks for the vectors of all texts, batch by batch. A blank text is not
// sent and has the zero vector. A question gives up soon; after one that failed
// the next ones fail at once for a while, with the same reason.
func (c *Client) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if kind == embed.Query {
		if err := c.brake.pulled(); err != nil {
			return nil, err
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.pace.Question, tooSlow{c.o.Host, c.pace.Question})
		defer cancel()
	}
	vectors, err := c.embed(ctx, kind, texts)
	if err == nil || !stopped(ctx) {
		c.brake.note(err, c.pace.Brake)
	}
	return vectors, err
}

func (c *Client) embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var sent []string
	var at []int
	for i, text := range texts {
		if text = c.leaving(text); strings.TrimFunc(text, blank) == "" {
			vectors[i] = make([]float32, c.o.Dim)
			continue
		}
		sent, at = append(sent, text), append(at, i)
	}
	for from := 0; from < len(sent); from += c.o.Batch {
		to := min(from+c.o.Batch, len(sent))
		got, err := c.batch(ctx, kind, sent[from:to])
		if err != nil {
			return nil, err
		}
		for n, v := range got {
			vectors[at[from+n]] = v
		}
	}
	return vectors, nil
}

// leaving is what of a text is sent.
func (c *Client) leaving(text string) string {
	text = c.o.Limits.Clamp(text)
	if c.o.Remote && c.o.Mask != nil {
		text = c.o.Mask(text)
	}
	return text
}

// blank are characters that some servers take for an empty input, and refuse.
func blank(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 || r == '\u200b' || r == '\ufeff' }
